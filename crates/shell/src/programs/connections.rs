//! Programs that connect to other machines, and those that encrypt.

use super::class::Class;
use super::effect::Effect::{Loads, Sends, Writes};
use super::fact::Fact;
use super::spec::{Operands, PLAIN, Spec};
use super::{Program, UNLISTED, never, options, runner};

const PING_OPTIONS: Spec = Spec {
    flags: "46naqv",
    valued: "cWwitsm",
    long: "help version",
    refused: &[("-f -k", Loads)],
    operands: Operands::Plain,
    ..PLAIN
};

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: "wget", source: "wget(1)", class: Class::Writer, ..UNLISTED },
    Program { names: "scp", source: "scp(1)", class: Class::Writer, ..UNLISTED },
    Program { names: "sftp", source: "sftp(1)", class: Class::Writer, ..UNLISTED },
    runner("ssh", "ssh(1)"),
    runner("mosh", "mosh(1)"),
    runner("autossh", "autossh(1)"),
    runner("sshfs", "sshfs(1)"),
    Program {
        names: "ftp telnet",
        source: "ftp(1), telnet(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        ..UNLISTED
    },
    Program {
        names: "nc ncat",
        source: "nc(1), ncat(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        ..UNLISTED
    },
    Program {
        names: "netcat",
        source: "netcat(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        ..UNLISTED
    },
    Program {
        names: "socat",
        source: "socat(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        ..UNLISTED
    },
    never("openssl", "openssl(1)", "can change the system or run other programs"),
    never("gpg", "gpg(1)", "can change the system or run other programs"),
    never("gpg2", "gpg2(1)", "can change the system or run other programs"),
    never("ssh-keygen", "ssh-keygen(1)", "can change the system or run other programs"),
    never(
        "ssh-agent ssh-add keytool nmap tcpdump wireshark tshark",
        "ssh-agent(1), ssh-add(1), keytool(1) and the manual page of each other",
        "can change the system or run other programs",
    ),
    options(
        "curl",
        "curl(1)",
        &Spec {
            flags: "sSIifLvg46#k",
            valued: "mA",
            long: "silent show-error head include fail fail-with-body location verbose compressed globoff \
                max-time connect-timeout retry retry-delay retry-max-time max-redirs http1.1 http2 http3 \
                no-progress-meter ipv4 ipv6 user-agent help version",
            refused: &[
                (
                    "-o -O -J -D -c --output --output-dir --remote-name --remote-header-name --dump-header \
                        --cookie-jar --trace --trace-ascii --libcurl --stderr --create-dirs --etag-save --hsts \
                        --alt-svc",
                    Writes,
                ),
                (
                    "-K --config -E --cert --key --cacert --netrc --netrc-file -b --cookie --engine --next \
                        --variable -: --path-as-is",
                    Loads,
                ),
                (
                    "-T -F -d --upload-file --form --data --data-binary --data-raw --data-urlencode --json -x \
                        --proxy --resolve --connect-to --unix-socket --socks5 -X --request -H --header -u --user -w \
                        --write-out --url-query --preproxy --doh-url",
                    Sends,
                ),
            ],
            operands: Operands::Addresses,
            broad: true,
            ..PLAIN
        },
    ),
    options("ping host", "ping(8), host(1)", &PING_OPTIONS),
    options("ping6 tracepath", "ping6(1), tracepath(1)", &PING_OPTIONS),
    options("traceroute whois", "traceroute(1), whois(1)", &PING_OPTIONS),
    options("dig", "dig(1)", &PING_OPTIONS),
    options("nslookup", "nslookup(1)", &PING_OPTIONS),
];

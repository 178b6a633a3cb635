//! Programs that connect to other machines, and those that encrypt.

use super::class::Class;
use super::danger::{Danger, danger};
use super::effect::Effect::{Loads, Sends, Writes};
use super::fact::Fact;
use super::file_use::{FileUse, Folders};
use super::form::form;
use super::interactive::Interactive;
use super::printer::{Printer, printer};
use super::runs::{behind, script};
use super::spec::{Operands, PLAIN, Spec};
use super::{PUBLISHES, Program, Talks, UNLISTED, never, options, runner};

const GPG_PRINTS: &[Printer] = &[printer("", "gpg(1)")
    .with("d decrypt export-secret-keys export-secret-subkeys export-secret-ssh-key")
    // A command of its own, which is no abbreviation of the others.
    .unless("-export")];

const PING_OPTIONS: Spec = Spec {
    flags: "46naqv",
    valued: "cWwitsm",
    long: "help version",
    refused: &[("-f -k", Loads)],
    operands: Operands::Plain,
    ..PLAIN
};

const READS_TRAFFIC: Danger = danger("", "", "reads what others send over the network");

/// curl(1), `--config`; wget(1), `--config`: lines of a file, or of the input, that are options.
const SETTINGS: &str = "is told by other words than its own what it writes and sends";

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "wget",
        source: "wget(1)",
        sets: &[danger("", "config", SETTINGS)],
        is: &[Fact::BringsText, Fact::SaysVersion, Fact::TellsOperands, Fact::OftenRun, Fact::SendsRequests],
        class: Class::Writer,
        running: "--use-askpass -e --execute",
        same_options: &[("", "O=output-document r=recursive i=input-file P=directory-prefix")],
        does: "talks to another machine",
        talks: Talks::Always,
        files: FileUse { written: "-O --output-document -o --output-file -a", ..FileUse::PLAIN },
        publishes: &[("", "post-data post-file body-data body-file method")],
        ..UNLISTED
    },
    Program {
        names: "scp",
        source: "scp(1)",
        is: &[Fact::Carries, Fact::OftenRun, Fact::NamesHosts],
        class: Class::Writer,
        valued: "-i -p -P -l -F -o -J -L -R -D -b -c -E -e -I -m -O -Q -S -W -w",
        running: "-S -o -F -D -s",
        does: "copies files, also over others",
        talks: Talks::Always,
        files: FileUse {
            folders: Folders::IfTold,
            logs_in_with: Some(("-i", "")),
            last_is_destination: true,
            ..FileUse::PLAIN
        },
        ..UNLISTED
    },
    Program {
        names: "sftp",
        source: "sftp(1)",
        is: &[Fact::Carries, Fact::ReadsLanguage, Fact::RunsText],
        class: Class::Writer,
        running: "-S -o -F -D -s",
        does: "talks to another machine",
        talks: Talks::Always,
        interactive: &[Interactive::Unless(&["-b"])],
        files: FileUse { folders: Folders::All, logs_in_with: Some(("-i", "")), ..FileUse::PLAIN },
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "ssh",
        source: "ssh(1)",
        is: &[
            Fact::Carries,
            Fact::BringsText,
            Fact::OfTheSystem,
            Fact::RunsElsewhere,
            Fact::RunsOperands,
            Fact::SaysVersion,
            Fact::SaysVersionByCapital,
            Fact::OftenRun,
        ],
        class: Class::Never("runs another program"),
        runs: &[script(1)],
        flags: "-t -tt -T -A -a -q -v -C -f -n -4 -6 -X -Y -x -M",
        valued: "-i -p -P -l -F -o -J -L -R -D -b -c -E -e -I -m -O -Q -S -W -w",
        does: "talks to another machine",
        talks: Talks::Always,
        files: FileUse { logs_in_with: Some(("-i", "")), ..FileUse::PLAIN },
        publishes: PUBLISHES,
        interactive: &[Interactive::WithoutRemoteCommand],
        ..UNLISTED
    },
    Program {
        names: "mosh",
        source: "mosh(1)",
        is: &[Fact::Carries, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[script(1)],
        interactive: &[Interactive::Always],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "autossh",
        source: "autossh(1)",
        is: &[Fact::Carries, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[script(1)],
        flags: "-t -tt -T -A -a -q -v -C -f -n -4 -6 -X -Y -x -M",
        talks: Talks::Always,
        publishes: PUBLISHES,
        interactive: &[Interactive::WithoutRemoteCommand],
        ..UNLISTED
    },
    Program { is: &[Fact::Carries, Fact::RunsOperands], talks: Talks::Always, ..runner("sshfs", "sshfs(1)") },
    Program {
        names: "ftp telnet",
        source: "ftp(1), telnet(1)",
        is: &[Fact::Carries, Fact::TakesCommands, Fact::RunsText],
        class: Class::Never("can run commands and open connections"),
        talks: Talks::Always,
        interactive: &[Interactive::Always],
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "nc ncat",
        source: "nc(1), ncat(1)",
        is: &[Fact::Carries, Fact::BringsText, Fact::TakesCommands, Fact::OftenRun],
        class: Class::Never("can run commands and open connections"),
        first_name: "nc",
        running: "-e -c --exec --sh-exec",
        does: "talks to another machine",
        talks: Talks::Always,
        interactive: &[Interactive::Always],
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "netcat",
        source: "netcat(1)",
        is: &[Fact::Carries, Fact::BringsText, Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        first_name: "nc",
        running: "-e -c --exec --sh-exec",
        talks: Talks::Always,
        interactive: &[Interactive::Always],
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "socat",
        source: "socat(1)",
        is: &[Fact::Carries, Fact::BringsText, Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        running: "-e",
        does: "talks to another machine",
        talks: Talks::Always,
        interactive: &[Interactive::Always],
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "openssl",
        source: "openssl(1)",
        sets: &[danger("", "-engine -provider-path", "loads a library")],
        is: &[Fact::BringsText],
        class: Class::Never("can change the system or run other programs"),
        looks: &[form("version", "a b v").at_most(0)],
        prints: &[printer("rsa|ec|dsa|pkey|pkcs8|pkcs12", "openssl-rsa(1), openssl-pkey(1)")
            .unless("-noout -pubout -pubin -out -pubcheck -export")],
        files: FileUse { written: "-out -keyout", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "gpg",
        source: "gpg(1)",
        destroys: &[danger("", "delete-keys delete-secret-keys delete-secret-and-public-key", "removes keys")],
        is: &[Fact::BringsText, Fact::OfTheSystem],
        class: Class::Never("can change the system or run other programs"),
        prints: GPG_PRINTS,
        files: FileUse { written: "-o --output", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "gpg2",
        source: "gpg2(1)",
        class: Class::Never("can change the system or run other programs"),
        prints: GPG_PRINTS,
        files: FileUse { written: "-o --output", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "ssh-keygen",
        source: "ssh-keygen(1)",
        sets: &[danger("", "D", "loads a library")],
        is: &[Fact::OfTheSystem],
        class: Class::Never("can change the system or run other programs"),
        ..UNLISTED
    },
    Program { runs: &[behind("", 0)], valued: "-a -t -E -O -P", ..runner("ssh-agent", "ssh-agent(1)") },
    never("ssh-add keytool", "ssh-add(1), keytool(1)", "can change the system or run other programs"),
    Program {
        sets: &[READS_TRAFFIC],
        ..never(
            "tcpdump wireshark tshark dumpcap ngrep tcpflow dsniff",
            "tcpdump(8), tshark(1), dumpcap(1) and the manual page of each other",
            "can change the system or run other programs",
        )
    },
    Program {
        sets: &[READS_TRAFFIC],
        ..never("bettercap ettercap arpspoof responder mitm6", "each program's --help", "attacks other machines")
    },
    Program {
        names: "curl",
        source: "curl(1)",
        sets: &[danger("", "engine", "loads a library"), danger("", "K config", SETTINGS)],
        is: &[
            Fact::BringsText,
            Fact::OfTheSystem,
            Fact::SaysVersion,
            Fact::SaysVersionByCapital,
            Fact::TellsOperands,
            Fact::OftenRun,
            Fact::SendsRequests,
        ],
        class: Class::Options(&Spec {
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
        }),
        same_options: &[(
            "",
            "d=data X=request F=form T=upload-file o=output O=remote-name k=insecure L=location H=header \
                u=user x=proxy K=config",
        )],
        does: "talks to another machine",
        talks: Talks::Always,
        files: FileUse {
            written: "-o --output -D --dump-header -c --cookie-jar --output-dir --trace --trace-ascii --stderr --libcurl \
                --etag-save",
            ..FileUse::PLAIN
        },
        publishes: &[(
            "",
            "d data data-ascii data-binary data-raw data-urlencode F form form-string T upload-file X request json Q quote mail-from mail-rcpt",
        )],
        ..UNLISTED
    },
    Program {
        names: "ping host",
        source: "ping(8), host(1)",
        is: &[Fact::OfTheSystem, Fact::LooksUpNames],
        class: Class::Options(&PING_OPTIONS),
        talks: Talks::Always,
        ..UNLISTED
    },
    Program {
        is: &[Fact::LooksUpNames],
        talks: Talks::Always,
        ..options("ping6 tracepath", "ping6(1), tracepath(1)", &PING_OPTIONS)
    },
    Program {
        names: "finger cancel",
        source: "finger(1), cancel(1)",
        is: &[Fact::LooksUpNames],
        talks: Talks::Always,
        ..UNLISTED
    },
    Program {
        is: &[Fact::Carries],
        interactive: &[Interactive::As(&[&["--interactive"]])],
        talks: Talks::Always,
        ..never("nmap", "nmap(1), \"Nmap Scripting Engine\"", "scans other machines and runs scripts")
    },
    Program {
        names: "traceroute whois",
        source: "traceroute(1), whois(1)",
        is: &[Fact::LooksUpNames],
        class: Class::Options(&PING_OPTIONS),
        talks: Talks::Always,
        ..UNLISTED
    },
    Program {
        names: "dig",
        source: "dig(1)",
        is: &[Fact::BringsText, Fact::OfTheSystem, Fact::LooksUpNames],
        class: Class::Options(&PING_OPTIONS),
        talks: Talks::Always,
        ..UNLISTED
    },
    Program {
        names: "nslookup",
        source: "nslookup(1)",
        is: &[Fact::OfTheSystem, Fact::LooksUpNames],
        class: Class::Options(&PING_OPTIONS),
        talks: Talks::Always,
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "nc.openbsd nc.traditional",
        source: "the packages that install it under this name",
        is: &[Fact::Carries],
        first_name: "nc",
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "minicom picocom cu tip rlogin rsh wpa_cli",
        source: "minicom(1), picocom(1), cu(1) and the manual page of each other",
        is: &[Fact::Carries],
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "adb",
        source: "adb(1)",
        interactive: &[Interactive::As(&[&["shell"]])],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
];

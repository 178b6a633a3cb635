//! Programs that connect to other machines.
//!
//! What they send stands in their operands, so a `*` covers an address only where the program's one purpose is
//! to fetch what it names, and never a file that it would send or write.

use super::class::Class;
use super::danger::{Danger, danger};
use super::effect::Effect::{Changes, Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::file_use::{FileUse, Folders, upload};
use super::interactive::Interactive;
use super::printer::printer;
use super::shared::DOCTL_DELETES;
use super::spec::{CHANGES, Operands, PLAIN, SERVES, Spec, looks};
use super::{PUBLISHES, Program, Talks, UNLISTED, commands, never, options, runner};

const HTTP_OPTIONS: Spec = Spec {
    flags: "hbvIS6",
    long: "help version headers body verbose offline pretty=all pretty=none pretty=format style: stream print: \
        follow check-status timeout: max-redirects: quiet format-options: sorted unsorted",
    refused: &[
        ("-o --output -d --download -c --continue --session --session-read-only", Writes),
        (
            "-f --form -j --json --multipart --raw --boundary -A --auth-type -a --auth --bearer --proxy --cert \
                --cert-key --verify --ssl --chunked -x --compress --path-as-is --resolve --unix-socket",
            Sends,
        ),
        ("--netrc --ignore-netrc --default-scheme --config-dir --plugins --debug --traceback", Loads),
    ],
    // The first operand may be a method, the second a host, the others are data, `@file` too.
    operands: Operands::None,
    ..PLAIN
};

const ARIA2C_OPTIONS: Spec = Spec {
    flags: "hvq",
    long: "help version quiet dry-run=true",
    refused: &[
        (
            "--on-download-start --on-download-pause --on-download-stop --on-download-complete \
                --on-download-error --on-bt-download-complete",
            Runs,
        ),
        (
            "-d --dir -o --out -l --log --save-session --save-cookies --allow-overwrite --server-stat-of \
                --dht-file-path -D --daemon -c --continue",
            Writes,
        ),
        (
            "--conf-path -i --input-file --load-cookies --netrc-path --ca-certificate --certificate --private-key \
                --metalink-file -M -T --torrent-file",
            Loads,
        ),
        (
            "--all-proxy --http-proxy --https-proxy --ftp-proxy --header --referer --enable-rpc --rpc-listen-all \
                --http-user --http-passwd -U",
            Sends,
        ),
    ],
    // Every operand is downloaded into the folder.
    operands: Operands::None,
    ..PLAIN
};

const SCW_DESTROYS: &[Danger] = &[DOCTL_DELETES];

const MSMTP_WHY: &str = "sends or fetches mail and runs the commands of its settings";

const SHARES: &str = "shares files with other machines";

const FIREFOX_WHY: &str = "opens addresses, runs what they hold, or writes it to files";

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "http https xh",
        source: "http --help (HTTPie 3.2); xh --help",
        is: &[Fact::BringsText, Fact::SendsRequests],
        class: Class::Options(&HTTP_OPTIONS),
        does: "talks to another machine",
        talks: Talks::Always,
        publishes: &[("POST|PUT|PATCH|DELETE|post|put|patch|delete", ""), ("", "f form j json raw multipart")],
        ..UNLISTED
    },
    Program {
        is: &[Fact::SendsRequests],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..options("xhs httpie curlie", "http --help (HTTPie 3.2); xh --help", &HTTP_OPTIONS)
    },
    Program {
        names: "aria2c",
        source: "aria2c(1), \"OPTIONS\"; axel(1)",
        running: "--on-download-complete --on-download-error --on-download-start --on-download-stop \
            --on-download-pause --on-bt-download-complete",
        is: &[Fact::BringsText],
        class: Class::Options(&ARIA2C_OPTIONS),
        talks: Talks::Always,
        ..UNLISTED
    },
    Program { talks: Talks::Always, ..options("axel", "aria2c(1), \"OPTIONS\"; axel(1)", &ARIA2C_OPTIONS) },
    Program {
        running: "--exec --exec-before-download --downloader --external-downloader --netrc-cmd",
        files: FileUse { written: "-o --output -P --paths", ..FileUse::PLAIN },
        talks: Talks::Always,
        ..options(
            "yt-dlp youtube-dl you-get gallery-dl streamlink",
            "yt-dlp(1), \"OPTIONS\"",
            &Spec {
                flags: "hsjJFgeqv",
                long: "help version simulate dump-json dump-single-json list-formats list-subs list-thumbnails \
                skip-download get-title get-id get-duration get-description get-filename quiet no-warnings \
                verbose flat-playlist no-playlist list-extractors extractor-descriptions print=title \
                print=id",
                refused: &[
                    (
                        "--exec --exec-before-download --ffmpeg-location --external-downloader --downloader \
                        --postprocessor-args --ppa --plugin-dirs --use-postprocessor --netrc-cmd --config-location \
                        --config-locations --downloader-args --player -p",
                        Runs,
                    ),
                    (
                        "-o --output -P --paths --write-info-json --write-description --write-subs --write-thumbnail \
                        --print-to-file --cache-dir --download-archive --dump-pages --write-pages -x --extract-audio \
                        --load-info-json --force-write-archive -U --update",
                        Writes,
                    ),
                    (
                        "--cookies --cookies-from-browser -a --batch-file --netrc --netrc-location \
                        --client-certificate --client-certificate-key",
                        Loads,
                    ),
                    (
                        "--proxy --add-headers --add-header -u --username --password --geo-verification-proxy \
                        --referer --user-agent",
                        Sends,
                    ),
                ],
                // Without `--simulate` it downloads, so the address has to be spelled out.
                operands: Operands::None,
                ..PLAIN
            },
        )
    },
    Program {
        names: "lftp",
        source: "lftp(1); smbclient(1); tftp(1)",
        is: &[Fact::Carries, Fact::RunsText],
        class: Class::Never("sends and writes files and runs commands"),
        interactive: &[Interactive::Unless(&["-c", "-f"])],
        talks: Talks::Always,
        publishes: PUBLISHES,
        files: FileUse { folders: Folders::All, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        is: &[Fact::Carries, Fact::RunsText],
        interactive: &[Interactive::Always],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never("ncftp", "lftp(1); smbclient(1); tftp(1)", "sends and writes files and runs commands")
    },
    Program {
        is: &[Fact::Carries, Fact::RunsText],
        interactive: &[Interactive::Always],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never("cadaver", "lftp(1); smbclient(1); tftp(1)", "sends and writes files and runs commands")
    },
    Program {
        is: &[Fact::Carries],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never(
            "ncftpget ncftpput smbget davfs curlftpfs gftp wput",
            "lftp(1); smbclient(1); tftp(1)",
            "sends and writes files and runs commands",
        )
    },
    Program {
        names: "tftp",
        source: "lftp(1); smbclient(1); tftp(1)",
        is: &[Fact::Carries, Fact::RunsText],
        class: Class::Never("sends and writes files and runs commands"),
        interactive: &[Interactive::Always],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "smbclient",
        source: "lftp(1); smbclient(1); tftp(1)",
        is: &[Fact::Carries, Fact::RunsText],
        class: Class::Never("sends and writes files and runs commands"),
        interactive: &[Interactive::Unless(&["-c", "--command", "-L"])],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "s3cmd",
        source: "s3cmd --help; restic and Borg documentation",
        class: Class::Never("sends, writes or removes files elsewhere"),
        destroys: &[danger("del|rm|rb|mirror", "", "removes objects")],
        prints: &[printer("", "s3cmd --help").with("dump-config")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        files: FileUse { uploads: &[upload("sync|cp|mv"), upload("put").if_told()], ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        files: FileUse { uploads: &[upload("sync|cp|mv"), upload("put").if_told()], ..FileUse::PLAIN },
        ..never("s5cmd", "s3cmd --help; restic and Borg documentation", "sends, writes or removes files elsewhere")
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        sends: &[("upload-file|upload-unbound-stream", ""), ("file upload", "")],
        files: FileUse { uploads: &[upload("sync")], ..FileUse::PLAIN },
        ..never("b2", "s3cmd --help; restic and Borg documentation", "sends, writes or removes files elsewhere")
    },
    Program {
        is: &[Fact::Carries],
        talks: Talks::Always,
        publishes: PUBLISHES,
        files: FileUse { uploads: &[upload("backup|create|full|snapshot")], ..FileUse::PLAIN },
        ..never(
            "restic borg duplicity kopia",
            "s3cmd --help; restic and Borg documentation",
            "sends, writes or removes files elsewhere",
        )
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        files: FileUse { uploads: &[upload("sync|cp|mv")], ..FileUse::PLAIN },
        ..never(
            "obsutil ossutil duplicati rdiff-backup rsnapshot",
            "s3cmd --help; restic and Borg documentation",
            "sends, writes or removes files elsewhere",
        )
    },
    Program {
        names: "azcopy",
        source: "s3cmd --help; restic and Borg documentation",
        class: Class::Never("sends, writes or removes files elsewhere"),
        destroys: &[danger("remove|rm", "", "removes objects")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        sends: &[("bench", "")],
        files: FileUse { uploads: &[upload("sync"), upload("copy|cp").if_told()], ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "gsutil",
        source: "s3cmd --help; restic and Borg documentation",
        class: Class::Never("sends, writes or removes files elsewhere"),
        valued: "-o -h -u -i",
        destroys: &[danger("rm|rb", "", "removes objects"), danger("rsync", "d", "removes objects that are not here")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        files: FileUse { uploads: &[upload("rsync"), upload("cp|mv").if_told()], ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        talks: Talks::Always,
        ..options(
            "mtr tcptraceroute fping hping3 arping nping",
            "mtr(8); fping(8)",
            &Spec {
                flags: "rwn46bhv",
                valued: "ci",
                long: "help version report report-wide no-dns show-ips",
                refused: &[("-F --filename -f --file -g -d --data -E --sign", Loads), ("-l --flood -a", Sends)],
                operands: Operands::AtMost(1),
                ..PLAIN
            },
        )
    },
    Program {
        talks: Talks::Always,
        ..options(
            "dog doggo kdig drill delv",
            "dog --help; kdig(1)",
            &Spec {
                flags: "46hv",
                long: "help version short json",
                refused: &[("-n --nameserver -H --https -T --tls -k -f --file", Sends)],
                operands: Operands::Plain,
                ..PLAIN
            },
        )
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never("nsupdate rndc unbound-control knotc dnsmasq named coredns pdnsutil", "nsupdate(1); rndc(8)", CHANGES)
    },
    Program {
        is: &[Fact::Carries],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never(
            "grpcurl evans ghz websocat wscat wsdump mqttx mosquitto_pub mosquitto_sub kcat kafkacat \
            kafka-console-producer kafka-console-producer.sh stan amqp-publish",
            "grpcurl -help; websocat --help; kcat(1)",
            "sends what it is given to another machine",
        )
    },
    Program {
        is: &[Fact::Carries],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never(
            "localtunnel lt bore frpc frps chisel openvpn strongswan nebula zrok inlets \
            rathole iodine iodined dnscat dnscat2 gnutls-cli ptunnel lwp-request",
            "tailscale --help; wg-quick(8); openvpn(8)",
            "opens the machine to others or changes its network",
        )
    },
    Program {
        sets: &[danger(
            "up|serve|funnel|login|set|ssh|file|cert|switch|join|configure",
            "",
            "opens this machine to others, or connects it with them",
        )],
        ..commands("tailscale zerotier-cli", "tailscale --help", &[&[looks("status version")]])
    },
    Program {
        names: "wg",
        source: "tailscale --help; wg-quick(8); openvpn(8)",
        class: Class::Never("opens the machine to others or changes its network"),
        prints: &[printer("showconf", "wg(8)"), printer("show * private-key|preshared-keys|dump", "wg(8)")],
        ..UNLISTED
    },
    Program {
        names: "wg-quick",
        source: "tailscale --help; wg-quick(8); openvpn(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("opens the machine to others or changes its network"),
        prints: &[printer("strip", "wg-quick(8)")],
        ..UNLISTED
    },
    Program {
        is: &[Fact::Serves],
        ..never(
            "http-server serve live-server browser-sync json-server miniserve darkhttpd caddy nginx \
            apache2 httpd apachectl apache2ctl lighttpd haproxy envoy traefik squid dufs \
            simple-http-server",
            "http-server --help; caddy help; nginx(8)",
            SERVES,
        )
    },
    never(
        "uvicorn gunicorn hypercorn daphne waitress-serve uwsgi puma unicorn passenger rackup shotgun \
            php-fpm celery rq dramatiq huey sidekiq resque supervisorctl circusd streamlit gradio \
            chainlit panel voila mitmproxy mitmdump mitmweb",
        "Flask documentation, \"Command Line Interface\"; uvicorn --help; gunicorn documentation, \
            \"Settings\"; mitmdump --help",
        SERVES,
    ),
    Program {
        names: "flask",
        source: "Flask documentation, \"Command Line Interface\"; uvicorn --help; gunicorn documentation, \
            \"Settings\"; mitmdump --help",
        class: Class::Never(SERVES),
        interactive: &[Interactive::As(&[&["shell"], &["dbshell"], &["shell_plus"]])],
        ..UNLISTED
    },
    Program {
        talks: Talks::Always,
        ..options(
            "ssh-keyscan",
            "ssh-keyscan(1)",
            &Spec {
                flags: "46cDHqv",
                valued: "pTt",
                long: "",
                refused: &[("-f", Loads), ("-O", Changes)],
                operands: Operands::AtMost(1),
                ..PLAIN
            },
        )
    },
    Program {
        is: &[Fact::RunsOperands, Fact::Types],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..runner("kitten", "ssh-copy-id(1); sshuttle(8); plink(1)")
    },
    Program {
        is: &[Fact::Carries, Fact::RunsOperands],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..runner(
            "ssh-copy-id sshuttle dropbear dbclient plink pscp psftp waypipe teleport tsh",
            "ssh-copy-id(1); sshuttle(8); plink(1)",
        )
    },
    Program {
        names: "et",
        source: "ssh-copy-id(1); sshuttle(8); plink(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Always],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        talks: Talks::Always,
        ..commands(
            "speedtest speedtest-cli librespeed-cli",
            "speedtest --help",
            &[&[Spec { names: "--version --help", long: "", operands: Operands::None, ..PLAIN }]],
        )
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..commands("aws-nuke civo exo upctl", "each program's help command", &[&[looks("version help")]])
    },
    Program {
        names: "cf",
        source: "each program's help command",
        class: Class::HarmlessCommands(&[&[looks("version help")]]),
        prints: &[printer("oauth-token|env", "cf help oauth-token")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "ibmcloud",
        source: "each program's help command",
        class: Class::HarmlessCommands(&[&[looks("version help")]]),
        destroying_words: "delete rm *-delete *-rm",
        prints: &[printer("iam oauth-tokens", "ibmcloud iam oauth-tokens")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "scw",
        source: "each program's help command",
        class: Class::HarmlessCommands(&[&[looks("version help")]]),
        destroys: SCW_DESTROYS,
        prints: &[
            printer("config dump", "scw config --help"),
            printer("config get secret-key", "scw config get --help"),
        ],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "linode-cli vultr-cli",
        source: "each program's help command",
        class: Class::HarmlessCommands(&[&[looks("version help")]]),
        destroys: SCW_DESTROYS,
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "hcloud",
        source: "each program's help command",
        class: Class::HarmlessCommands(&[&[looks("version help")]]),
        destroys: SCW_DESTROYS,
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "openstack",
        source: "each program's help command",
        class: Class::HarmlessCommands(&[&[looks("version help")]]),
        destroying_words: "delete purge",
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "oci",
        source: "each program's help command",
        class: Class::HarmlessCommands(&[&[looks("version help")]]),
        destroying_words: "delete terminate bulk-delete",
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        is: &[Fact::Carries],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never(
            "msmtp swaks aerc himalaya s-nail ssmtp esmtp offlineimap mbsync fetchmail getmail",
            "msmtp(1); swaks(1); mbsync(1)",
            MSMTP_WHY,
        )
    },
    Program {
        names: "neomutt",
        source: "msmtp(1); swaks(1); mbsync(1)",
        is: &[Fact::Carries],
        class: Class::Never(MSMTP_WHY),
        interactive: &[Interactive::Terminal],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        is: &[Fact::Carries],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never(
            "gist pastebinit lpr lp nc-paste termbin slackcat telegram-send signal-cli matrix-commander \
            ntfy apprise pushover gotify twilio toot",
            "apprise --help; ntfy documentation",
            "sends what it is given to other people",
        )
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        sends: &[("send|tx|seed|add|put|publish|share", ""), ("block|dag|files|key put|import|write", "")],
        ..never(
            "transmission-cli transmission-remote deluge deluge-console qbittorrent-nox rtorrent \
            webtorrent ipfs magic-wormhole wormhole croc",
            "ipfs --help; wormhole --help; croc help",
            SHARES,
        )
    },
    Program {
        is: &[Fact::Carries],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never("onionshare-cli syncthing", "onionshare-cli --help; syncthing(1)", SHARES)
    },
    Program {
        talks: Talks::Always,
        ..never(
            "firefox chromium chromium-browser google-chrome google-chrome-stable chrome brave-browser \
            opera epiphany qutebrowser surf nyxt falkon midori sensible-browser www-browser \
            x-www-browser gnome-open kde-open gvfs-open gio-open exo-open wslview browsh carbonyl \
            phantomjs slimerjs casperjs percollate monolith single-file httrack wpull archivebox scrapy \
            crwl newsboat",
            "chromium(1); httrack(1); wget2(1); Scrapy documentation, \"Command line tool\"",
            FIREFOX_WHY,
        )
    },
    Program {
        names: "wget2",
        source: "chromium(1); httrack(1); wget2(1); Scrapy documentation, \"Command line tool\"",
        is: &[Fact::SendsRequests],
        class: Class::Never(FIREFOX_WHY),
        first_name: "wget",
        ..UNLISTED
    },
    never("selenium-manager webdriver-manager", "Selenium documentation, \"Selenium Manager\"", SERVES),
    Program {
        names: "rsync",
        source: "rsync(1)",
        is: &[Fact::SaysVersion, Fact::NamesHosts],
        class: Class::Writer,
        running: "-e --rsh --rsync-path",
        same_options: &[("", "a=archive r=recursive e=rsh n=dry-run v=verbose z=compress")],
        destroys: &[danger(
            "",
            "delete del delete-before delete-during delete-after delete-excluded remove-source-files",
            "removes files that the other side does not have",
        )],
        does: "copies files, also over others",
        files: FileUse {
            written: "--log-file --backup-dir --partial-dir --temp-dir --write-batch --only-write-batch",
            folders: Folders::All,
            last_is_destination: true,
            ..FileUse::PLAIN
        },
        ..UNLISTED
    },
    Program {
        names: "rclone",
        source: "rclone(1)",
        class: Class::Writer,
        running: "--password-command --sftp-ssh --metadata-mapper",
        destroys: &[danger("purge|delete|deletefile|sync|cleanup", "", "removes files")],
        prints: &[printer("config show|dump", "rclone config dump"), printer("reveal", "rclone reveal")],
        talks: Talks::Always,
        publishes: &[(
            "copy|sync|move|copyto|moveto|delete|deletefile|purge|mkdir|rmdir|rmdirs|rcat|touch|bisync|link|cleanup|copyurl|settier",
            "",
        )],
        files: FileUse { uploads: &[upload("copy|copyto|move|moveto|sync|bisync|cat")], ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program { names: "fetch", source: "fetch(1)", is: &[Fact::BringsText], ..UNLISTED },
];

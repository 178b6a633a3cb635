//! Scanners, keys and secrets.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::file_use::FileUse;
use super::printer::printer;
use super::spec::{CHECKER, Operands, PLAIN, Spec, looks};
use super::{Program, UNLISTED, changer, commands, never, options};

const ATTACKS: &str = "attacks or listens to other machines";

pub(super) const PROGRAMS: &[Program] = &[
    commands(
        "grype terrascan syft osv-scanner dockle clair tfsec horusec kics conftest regula",
        "grype --help; syft --help; conftest --help",
        &[&[looks("version --version help --help")]],
    ),
    Program {
        names: "snyk",
        source: "grype --help; syft --help; conftest --help",
        class: Class::HarmlessCommands(&[&[looks("version --version help --help")]]),
        prints: &[printer("config get", "snyk config --help")],
        ..UNLISTED
    },
    commands(
        "trivy",
        "Trivy documentation, \"CLI\"; grype --help",
        &[&[
            Spec {
                names: "fs filesystem config conf dir source",
                flags: "qd",
                valued: "s",
                long: "severity: format=table format=json exit-code: quiet no-progress ignore-unfixed scanners: \
                    vuln-type: pkg-types: skip-db-update offline-scan help skip-dirs: skip-files: list-all-pkgs",
                refused: &[
                    (
                        "-c --config --ignorefile --ignore-policy --trivyignores --policy --config-policy \
                            --config-check --data --config-data --secret-config --template -t --module-dir \
                            --enable-modules --java-db-repository --db-repository --server --token --file-patterns \
                            --tf-vars --helm-values",
                        Loads,
                    ),
                    ("-o --output --cache-dir --report --generate-default-config", Writes),
                ],
                ..CHECKER
            },
            looks("version --version help --help"),
        ]],
    ),
    options(
        "detect-secrets trufflehog ggshield secretlint whispers talisman",
        "detect-secrets --help; trufflehog --help",
        &Spec {
            long: "help version",
            refused: &[("--plugin -p --custom-plugins --filter -f --config --rules-path", Runs)],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    Program {
        names: "age rage",
        source: "age(1); pass(1); step documentation; bw --help",
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[printer("", "age(1)").with("d decrypt")],
        files: FileUse { written: "-o --output", ..FileUse::PLAIN },
        ..UNLISTED
    },
    never(
        "age-keygen passage keyctl pinentry ykman step step-ca mkcert certbot acme.sh lego cfssl \
            easyrsa certutil pk12util p11tool certtool minisign signify gpgsm gpgconf \
            gpg-connect-agent kinit klist kadmin ktutil tpm2 veracrypt fscrypt gocryptfs encfs tomb \
            aws-okta awsume granted assume gimme-aws-creds berglas summon akeyless",
        "age(1); pass(1); step documentation; bw --help",
        "reads or changes keys and secrets",
    ),
    Program {
        names: "sops",
        source: "age(1); pass(1); step documentation; bw --help",
        is: &[Fact::RunsElsewhere],
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[printer("", "sops --help").with("d decrypt extract"), printer("decrypt", "sops decrypt --help")],
        files: FileUse { written: "--output", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "gopass",
        source: "gopass(1)",
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[printer("show|cat|grep|generate|otp", "pass(1)")],
        like: "pass",
        ..UNLISTED
    },
    Program {
        names: "pass",
        source: "age(1); pass(1); step documentation; bw --help",
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[printer("show|cat|grep|generate|otp", "pass(1)")],
        ..UNLISTED
    },
    Program {
        names: "secret-tool",
        source: "age(1); pass(1); step documentation; bw --help",
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[printer("lookup|search", "secret-tool(1)")],
        ..UNLISTED
    },
    Program {
        names: "security",
        source: "age(1); pass(1); step documentation; bw --help",
        class: Class::Never("reads or changes keys and secrets"),
        sets: &[danger(
            "add-trusted-cert|remove-trusted-cert|trust-settings-import|authorizationdb|set-keychain-password",
            "",
            "changes whom this machine believes",
        )],
        prints: &[
            printer("find-generic-password|find-internet-password", "security(1)").with("w g"),
            printer("dump-keychain|export", "security(1)"),
        ],
        ..UNLISTED
    },
    Program {
        names: "bw",
        source: "age(1); pass(1); step documentation; bw --help",
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[
            printer("get", "bw get --help").unless("template fingerprint"),
            printer("list items", "bw list --help"),
            printer("export|unlock", "bw --help"),
            printer("login", "bw login --help").with("raw"),
        ],
        ..UNLISTED
    },
    Program {
        names: "lpass",
        source: "age(1); pass(1); step documentation; bw --help",
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[printer("show|export", "lpass(1)")],
        ..UNLISTED
    },
    Program {
        names: "keepassxc-cli",
        source: "age(1); pass(1); step documentation; bw --help",
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[printer("show|export|attachment-export", "keepassxc-cli(1)")],
        ..UNLISTED
    },
    Program {
        names: "saml2aws",
        source: "age(1); pass(1); step documentation; bw --help",
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[printer("script", "saml2aws script --help")],
        ..UNLISTED
    },
    Program {
        names: "teller",
        source: "age(1); pass(1); step documentation; bw --help",
        is: &[Fact::RunsElsewhere],
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[printer("show|env|export|sh|yaml|json", "teller --help")],
        ..UNLISTED
    },
    Program {
        names: "infisical",
        source: "age(1); pass(1); step documentation; bw --help",
        is: &[Fact::RunsElsewhere],
        class: Class::Never("reads or changes keys and secrets"),
        prints: &[printer("secrets|export", "infisical secrets --help").unless("set delete folders")],
        ..UNLISTED
    },
    Program {
        sets: &[danger("", "", ATTACKS)],
        ..never(
            "nikto sqlmap hydra aircrack-ng metasploit msfconsole msfvenom gobuster ffuf feroxbuster dirb wfuzz wpscan \
            masscan rustscan zmap amass subfinder nuclei katana theharvester recon-ng crackmapexec netexec enum4linux \
            tcpreplay exegol beef-xss ligolo sliver evil-winrm smbexec psexec.py",
            "each program's --help",
            ATTACKS,
        )
    },
    never(
        "john hashcat burpsuite zap zap-cli httpx scapy sslscan sslyze testssl.sh testssl binwalk foremost volatility \
            radare2 r2 rizin ghidra ida frida objection proxychains-ng",
        "each program's --help",
        ATTACKS,
    ),
    changer(
        "auditctl ausearch aureport semanage setsebool restorecon chcon fixfiles apparmor_parser \
            aa-enforce aa-complain fail2ban-client chkrootkit rkhunter lynis aide tripwire ossec wazuh \
            osqueryi osqueryd falco sysdig tracee bpftool clamscan clamdscan freshclam yara yarac",
        "auditctl(8); semanage(8); clamscan(1); osqueryi --help",
        "changes the protection of the system, or reads all of it",
    ),
    options(
        "pwgen apg uuid diceware xkcdpass pwqgen",
        "pwgen(1); uuid(1)",
        &Spec {
            flags: "0AByncshvrt1C",
            valued: "Nmx",
            long: "help version random time numerals no-numerals secure ambiguous symbols",
            refused: &[
                ("-H --sha1 -f -w --wordlist --infile", Loads),
                ("-o", Writes),
                ("--cmd", Runs),
                ("--url", Sends),
            ],
            operands: Operands::Plain,
            ..PLAIN
        },
    ),
];

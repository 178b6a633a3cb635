//! Scanners, keys and secrets.

use super::effect::Effect::{Loads, Runs, Sends, Writes};
use super::spec::{CHECKER, Operands, PLAIN, Spec, looks};
use super::{Program, commands, never, options};

pub(super) const PROGRAMS: &[Program] = &[
    commands(
        "grype terrascan syft osv-scanner dockle clair tfsec horusec kics conftest regula",
        "grype --help; syft --help; conftest --help",
        &[&[looks("version --version help --help")]],
    ),
    commands("snyk", "grype --help; syft --help; conftest --help", &[&[looks("version --version help --help")]]),
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
    never("age rage", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never(
        "age-keygen passage keyctl pinentry ykman step step-ca mkcert certbot acme.sh lego cfssl \
            easyrsa certutil pk12util p11tool certtool gnutls-cli minisign signify gpgsm gpgconf \
            gpg-connect-agent kinit klist kadmin ktutil tpm2 veracrypt fscrypt gocryptfs encfs tomb \
            aws-okta awsume granted assume gimme-aws-creds berglas summon akeyless",
        "age(1); pass(1); step documentation; bw --help",
        "reads or changes keys and secrets",
    ),
    never("sops", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never("pass gopass", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never("secret-tool", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never("security", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never("bw", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never("lpass", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never("keepassxc-cli", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never("saml2aws", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never("teller", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never("infisical", "age(1); pass(1); step documentation; bw --help", "reads or changes keys and secrets"),
    never(
        "nikto sqlmap hydra john hashcat aircrack-ng metasploit msfconsole msfvenom burpsuite zap \
            zap-cli gobuster ffuf feroxbuster dirb wfuzz wpscan masscan rustscan zmap amass subfinder \
            httpx nuclei katana theharvester recon-ng responder crackmapexec netexec enum4linux \
            bettercap ettercap arpspoof dsniff ngrep tcpflow tcpreplay scapy mitm6 sslscan sslyze \
            testssl.sh testssl binwalk foremost volatility radare2 r2 rizin ghidra ida frida objection \
            exegol beef-xss ligolo sliver evil-winrm smbexec psexec.py proxychains-ng",
        "each program's --help",
        "attacks or listens to other machines",
    ),
    never(
        "auditctl ausearch aureport semanage setsebool restorecon chcon fixfiles apparmor_parser \
            aa-enforce aa-complain fail2ban-client chkrootkit rkhunter lynis aide tripwire ossec wazuh \
            osqueryi osqueryd falco sysdig tracee bpftool clamscan clamdscan freshclam yara yarac",
        "auditctl(8); semanage(8); clamscan(1); osqueryi --help",
        "changes the protection of the system, or reads all of it",
    ),
    options(
        "pwgen apg uuidgen uuid diceware xkcdpass pwqgen",
        "pwgen(1); uuidgen(1)",
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

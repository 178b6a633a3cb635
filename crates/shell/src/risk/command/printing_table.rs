//! Commands that print credentials without naming a file that holds them, as their manuals describe them.

/// A command that prints credentials.
pub(super) struct Printer {
    /// Names of programs, blank-separated; they differ in nothing that matters here.
    pub(super) programs: &'static str,
    /// Sub-commands in order; `list|get` is one of two, `print-*` every one that starts so.
    pub(super) path: &'static str,
    /// One of these options has to be given; empty: none has to.
    pub(super) options: &'static str,
    /// With one of these options, or with one of these words behind the sub-commands, it prints none.
    pub(super) unless: &'static str,
    /// The manual that says so.
    pub(super) source: &'static str,
}

const fn printer(programs: &'static str, path: &'static str, source: &'static str) -> Printer {
    Printer { programs, path, options: "", unless: "", source }
}

impl Printer {
    const fn with(self, options: &'static str) -> Self {
        Self { options, ..self }
    }

    const fn unless(self, unless: &'static str) -> Self {
        Self { unless, ..self }
    }
}

pub(super) const PRINTERS: &[Printer] = &[
    // Forges and git.
    printer("gh", "auth token", "gh help auth token"),
    printer("gh", "auth status", "gh help auth status").with("t show-token"),
    printer("gh", "auth git-credential get", "gh auth git-credential, gitcredentials(7)"),
    printer("glab", "auth status", "glab auth status --help").with("t show-token"),
    printer("glab", "config get token", "glab config get --help"),
    printer("git", "credential fill", "git-credential(1)"),
    printer(
        "git",
        "credential-store|credential-cache|credential-manager|credential-osxkeychain|credential-libsecret|credential-oauth get",
        "gitcredentials(7)",
    ),
    printer(
        "git-credential-store git-credential-cache git-credential-manager git-credential-osxkeychain \
        git-credential-libsecret git-credential-oauth",
        "get",
        "gitcredentials(7)",
    ),
    // `http.<url>.extraHeader` and URLs in settings carry tokens: git-config(1), "http", "url", "sendemail".
    printer("git", "config", "git-config(1)").with("l list -get-regexp -get-urlmatch").unless("name-only"),
    printer("git", "config list", "git-config(1)").unless("name-only"),
    printer("travis", "token", "travis token --help"),
    // Amazon: the AWS CLI Command Reference.
    printer("aws", "configure export-credentials", "AWS CLI, configure export-credentials"),
    printer(
        "aws",
        "configure get aws_secret_access_key|aws_session_token|*.aws_secret_access_key|*.aws_session_token",
        "AWS CLI, configure get",
    ),
    printer("aws", "sts get-session-token|assume-role|assume-role-*|get-federation-token", "AWS CLI, sts"),
    printer("aws", "secretsmanager get-secret-value|batch-get-secret-value", "AWS CLI, secretsmanager"),
    printer(
        "aws",
        "ssm get-parameter|get-parameters|get-parameters-by-path|get-parameter-history",
        "AWS CLI, ssm get-parameter",
    )
    .with("with-decryption"),
    printer(
        "aws",
        "ecr|ecr-public|codeartifact get-login-password|get-login|get-authorization-token",
        "AWS CLI, ecr get-login-password",
    ),
    printer("aws", "eks get-token", "AWS CLI, eks get-token"),
    printer("aws", "rds generate-db-auth-token", "AWS CLI, rds"),
    printer("aws", "iam create-access-key", "AWS CLI, iam create-access-key"),
    printer("aws", "sso get-role-credentials", "AWS CLI, sso"),
    printer("aws", "sso-oidc create-token", "AWS CLI, sso-oidc"),
    printer("aws", "kms decrypt|generate-data-key|generate-data-key-pair", "AWS CLI, kms"),
    printer("aws", "ec2 get-password-data|create-key-pair", "AWS CLI, ec2"),
    printer("aws", "cognito-idp initiate-auth|admin-initiate-auth", "AWS CLI, cognito-idp"),
    printer("aws-vault", "export", "aws-vault export --help"),
    printer("chamber", "read|export|env", "chamber --help"),
    printer("chamber", "list", "chamber list --help").with("e expand"),
    printer("saml2aws", "script", "saml2aws script --help"),
    // Google: the gcloud CLI reference.
    printer("gcloud", "auth print-*", "gcloud auth print-access-token"),
    printer("gcloud", "auth application-default print-access-token", "gcloud auth application-default"),
    printer("gcloud", "alpha|beta auth print-*", "gcloud beta auth"),
    printer("gcloud", "alpha|beta auth application-default print-access-token", "gcloud beta auth"),
    printer("gcloud", "iam service-accounts keys create -|/dev/stdout", "gcloud iam service-accounts keys create"),
    printer("gcloud", "secrets versions access", "gcloud secrets versions access"),
    printer("gcloud", "alpha|beta secrets versions access", "gcloud beta secrets"),
    printer("gcloud", "config config-helper", "gcloud config config-helper"),
    printer("gcloud", "sql generate-login-token", "gcloud sql generate-login-token"),
    printer("firebase", "login:ci|functions:secrets:access|functions:config:get|auth:export", "firebase --help"),
    // Microsoft: the Azure CLI reference.
    printer("az", "account get-access-token", "az account get-access-token"),
    printer("az", "keyvault secret|key|certificate show|download", "az keyvault secret show"),
    printer("az", "storage account keys list", "az storage account keys list"),
    printer("az", "storage account show-connection-string|generate-sas", "az storage account"),
    printer("az", "storage container|blob generate-sas", "az storage container generate-sas"),
    printer("az", "acr credential show", "az acr credential show"),
    printer("az", "acr login", "az acr login").with("t expose-token"),
    printer("az", "ad sp create-for-rbac", "az ad sp create-for-rbac"),
    printer("az", "ad sp|app credential reset", "az ad sp credential reset"),
    printer("az", "cosmosdb|functionapp|servicebus|eventhubs keys list", "az cosmosdb keys list"),
    printer("az", "redis list-keys", "az redis list-keys"),
    printer("az", "webapp deployment list-publishing-*", "az webapp deployment"),
    printer("az", "webapp|functionapp config appsettings|connection-string list", "az webapp config appsettings"),
    // Other clouds and hosting: the help of each program.
    printer("heroku", "auth:token|config|config:get|authorizations:create|authorizations:info", "heroku help"),
    printer("heroku", "pg:credentials:url", "heroku help pg"),
    printer("fly flyctl", "auth token", "fly auth token --help"),
    printer("fly flyctl", "tokens create|attenuate", "fly tokens --help"),
    printer("doctl", "auth token", "doctl auth --help"),
    printer("doctl", "kubernetes|k8s cluster|c kubeconfig show", "doctl kubernetes cluster kubeconfig"),
    printer("doctl", "databases|db connection", "doctl databases connection"),
    printer("doctl", "registry docker-config", "doctl registry docker-config"),
    printer("vercel vc", "env pull", "vercel env --help"),
    printer("vercel vc", "tokens add|create", "vercel tokens --help"),
    printer("netlify ntl", "env:get|env:list", "netlify help env"),
    printer("railway", "variables|variable", "railway variables --help").unless("set delete"),
    printer("supabase", "projects api-keys", "supabase projects api-keys"),
    printer("wrangler", "auth token", "wrangler auth --help"),
    printer("eas", "env:get|env:list|env:pull", "eas env --help"),
    printer("cloudflared", "access|tunnel token", "cloudflared tunnel token --help"),
    printer("cf", "oauth-token|env", "cf help oauth-token"),
    printer("ibmcloud", "iam oauth-tokens", "ibmcloud iam oauth-tokens"),
    printer("scw", "config dump", "scw config --help"),
    printer("scw", "config get secret-key", "scw config get --help"),
    printer("yc", "iam create-token", "yc iam create-token"),
    printer("sf", "org display", "sf org display --help"),
    printer("sfdx", "force:org:display", "sfdx force:org:display --help"),
    printer("snyk", "config get", "snyk config --help"),
    printer("databricks", "auth token|env", "databricks auth --help"),
    printer("databricks", "tokens create", "databricks tokens --help"),
    printer("databricks", "secrets get-secret", "databricks secrets --help"),
    printer("sst", "secret|secrets list", "sst secret --help"),
    printer("rails", "credentials:show|encrypted:show", "Rails guides, credentials"),
    printer("hf huggingface-cli", "auth token", "hf auth --help"),
    printer("claude", "setup-token", "claude --help"),
    printer("stripe", "config", "stripe config --help").with("l list"),
    printer("buildkite-agent", "secret|oidc get|request-token", "buildkite-agent secret get --help"),
    printer("gh", "config get oauth_token", "gh help config get"),
    printer("nomad", "var get", "nomad var get -help"),
    printer("consul-template envconsul", "", "envconsul -help").with("dry"),
    printer("dotenv dotenvx", "get|list|decrypt", "dotenv --help, dotenvx --help"),
    printer("direnv", "export|dump", "direnv(1)"),
    printer("mise rtx", "env|e", "mise env --help"),
    printer("teller", "show|env|export|sh|yaml|json", "teller --help"),
    // Stores of secrets.
    printer("pass gopass", "show|cat|grep|generate|otp", "pass(1)"),
    printer("op", "read|inject", "op read --help"),
    printer("op", "item|document get", "op item get --help"),
    printer("op", "service-account create", "op service-account --help"),
    printer("op", "connect token create", "op connect token --help"),
    printer("op", "signin", "op signin --help").with("raw"),
    printer("bw", "get", "bw get --help").unless("template fingerprint"),
    printer("bw", "list items", "bw list --help"),
    printer("bw", "export|unlock", "bw --help"),
    printer("bw", "login", "bw login --help").with("raw"),
    printer("bws", "secret get|list", "bws secret --help"),
    printer("rbw", "get|code|history", "rbw --help"),
    printer("lpass", "show|export", "lpass(1)"),
    printer("keepassxc-cli", "show|export|attachment-export", "keepassxc-cli(1)"),
    printer("secret-tool", "lookup|search", "secret-tool(1)"),
    printer("kwallet-query", "", "kwallet-query(1)").with("r read-password"),
    printer("keyring", "get", "keyring --help"),
    printer("security", "find-generic-password|find-internet-password", "security(1)").with("w g"),
    printer("security", "dump-keychain|export", "security(1)"),
    printer("vault bao", "read|unwrap", "vault read -help"),
    printer("vault bao", "login", "vault login -help").unless("-no-print"),
    printer("vault bao", "kv get", "vault kv get -help"),
    printer("vault bao", "print token", "vault print -help"),
    printer("vault bao", "token create|lookup", "vault token -help"),
    printer("doppler", "secrets", "doppler secrets --help").unless("only-names names set delete upload notes"),
    printer("doppler", "configure get token", "doppler configure get --help"),
    printer("doppler", "configs tokens create", "doppler configs tokens --help"),
    printer("infisical", "secrets|export", "infisical secrets --help").unless("set delete folders"),
    printer("chezmoi", "secret|decrypt", "chezmoi help secret"),
    printer("ansible-vault", "view|decrypt", "ansible-vault(1)"),
    printer("sops", "", "sops --help").with("d decrypt extract"),
    printer("sops", "decrypt", "sops decrypt --help"),
    printer("age rage", "", "age(1)").with("d decrypt"),
    printer("gpg gpg2", "", "gpg(1)")
        .with("d decrypt export-secret-keys export-secret-subkeys export-secret-ssh-key")
        // A command of its own, which is no abbreviation of the others.
        .unless("-export"),
    printer("openssl", "rsa|ec|dsa|pkey|pkcs8|pkcs12", "openssl-rsa(1), openssl-pkey(1)")
        .unless("-noout -pubout -pubin -out -pubcheck -export"),
    // Clusters and containers.
    printer("kubectl oc", "config view", "kubectl config view --help").with("raw"),
    printer("kubectl oc", "create token", "kubectl create token --help"),
    printer("oc", "whoami", "oc whoami --help").with("t show-token"),
    printer("oc", "extract", "oc extract --help"),
    printer("oc", "serviceaccounts|sa get-token|create-kubeconfig|new-token", "oc serviceaccounts --help"),
    printer("helm", "get values|all|manifest", "helm get values --help"),
    printer("argocd", "account generate-token", "argocd account --help"),
    printer("argocd", "admin initial-password", "argocd admin --help"),
    printer("kubeadm", "token create|list|generate", "kubeadm token --help"),
    printer("kind", "get kubeconfig", "kind get kubeconfig --help"),
    printer("k3d", "kubeconfig get|print", "k3d kubeconfig --help"),
    printer("microk8s", "config", "microk8s config --help"),
    printer("podman", "secret inspect", "podman-secret-inspect(1)").with("showsecret"),
    printer("docker podman", "swarm join-token|unlock-key", "docker swarm --help"),
    printer("docker podman", "compose config|convert", "docker compose config --help")
        .unless("q quiet services images volumes profiles networks"),
    printer("docker-compose podman-compose", "config|convert", "docker compose config --help")
        .unless("q quiet services images volumes profiles networks"),
    // Infrastructure. An output that is named is printed even when it is sensitive.
    printer("terraform tofu terragrunt", "output", "terraform output -help").with("-json -raw"),
    printer("terraform tofu terragrunt", "output *", "terraform output -help"),
    printer("terraform tofu terragrunt", "state pull", "terraform state pull -help"),
    printer("terraform tofu terragrunt", "show", "terraform show -help").with("-json"),
    printer("pulumi", "config get", "pulumi config get --help"),
    printer("pulumi", "", "pulumi config --help").with("show-secrets"),
    // Registries of packages.
    printer("npm", "token list|ls|create", "npm help token"),
    printer("npm pnpm yarn", "config get *_authToken|*_auth|*_password|npmAuthToken|npmAuthIdent", "npm help config"),
    printer("pip pip3", "config list|debug", "pip config --help"),
    // An address may have a password in it: pip documentation, "Authentication".
    printer("pip pip3", "config get *index-url|*index_url|*proxy|*find-links", "pip config --help"),
    printer("yarn", "config get|list|show", "yarn config get --help").with("no-redacted"),
    printer("poetry", "config pypi-token.*|http-basic.*", "poetry config --help"),
    printer("mvn", "help:effective-settings", "Maven help plugin, effective-settings").with("-DshowPasswords"),
    // The system and its services.
    printer("cmake", "environment", "cmake(1), -E environment").with("E"),
    printer("atuin", "history list|last", "atuin history --help"),
    printer("atuin", "search", "atuin search --help"),
    // What a password manager has copied.
    printer("wl-paste pbpaste", "", "wl-paste(1), pbpaste(1)"),
    printer("xclip", "", "xclip(1)").with("o out"),
    printer("xsel", "", "xsel(1x)").with("o output"),
    printer("pg_dumpall", "", "pg_dumpall(1)").with("r roles-only g globals-only").unless("no-role-passwords"),
    printer("systemctl", "show-environment", "systemctl(1)"),
    printer("launchctl", "getenv|export", "launchctl(1)"),
    printer("getent", "shadow|gshadow", "getent(1)"),
    printer("rclone", "config show|dump", "rclone config dump"),
    printer("rclone", "reveal", "rclone reveal"),
    printer("s3cmd", "", "s3cmd --help").with("dump-config"),
    printer("my_print_defaults", "", "my_print_defaults(1)").with("s show"),
    printer("redis-cli valkey-cli", "config|CONFIG get|GET requirepass|masterauth", "redis-cli(1), CONFIG GET"),
    printer("wg", "showconf", "wg(8)"),
    printer("wg", "show * private-key|preshared-keys|dump", "wg(8)"),
    printer("wg-quick", "strip", "wg-quick(8)"),
    printer("nmcli", "", "nmcli(1)").with("s show-secrets"),
    printer("nmcli", "device|dev|d wifi show-password|show", "nmcli(1)"),
];

//! Stores of secrets, and clients of services.

use super::class::Class;
use super::cloud_looks::{AWS_LOOKS, AZ_LOOKS, GCLOUD_LOOKS};
use super::clusters::ELSEWHERE;
use super::danger::{Danger, danger};
use super::effect::Effect::Sends;
use super::fact::Fact;
use super::file_use::{FileUse, upload};
use super::interactive::Interactive;
use super::printer::{Printer, printer};
use super::shared::{CDKTF_DESTROYS, DOCTL_DELETES};
use super::spec::{Operands, PLAIN, Spec, looks};
use super::{PUBLISHES, Program, Talks, UNLISTED, commands, later, never, runner};

const GCLOUD_COMMANDS: &[&[Spec]] = &[&[Spec {
    names: "version --version info config:list auth:list account:list account:show config:get-value",
    long: "format=json format=yaml output=table output=json",
    refused: ELSEWHERE,
    operands: Operands::None,
    ..PLAIN
}]];

const HEROKU_COMMANDS: &[&[Spec]] =
    &[&[looks("version --version --help help whoami auth:whoami projects:list apps:list sites:list")]];

const FLYCTL_DESTROYS: &[Danger] = &[
    danger("destroy", "", "removes an application"),
    danger(
        "apps|machine|machines|volumes|volume|postgres|secrets|certs|ips destroy|delete|remove|unset|release",
        "",
        "removes something of the application",
    ),
];

const FLYCTL_PRINTS: &[Printer] =
    &[printer("auth token", "fly auth token --help"), printer("tokens create|attenuate", "fly tokens --help")];

const VERCEL_PRINTS: &[Printer] =
    &[printer("env pull", "vercel env --help"), printer("tokens add|create", "vercel tokens --help")];

const VAULT_COMMANDS: &[&[Spec]] = &[&[Spec {
    names: "version status members node:status job:status",
    long: "format=json detailed -format=json -detailed",
    refused: &[(
        "-address -agent-address -ca-cert -http-addr -token -header -namespace -output-curl-string \
            -policy-override",
        Sends,
    )],
    operands: Operands::None,
    ..PLAIN
}]];

const VAULT_PRINTS: &[Printer] = &[
    printer("read|unwrap", "vault read -help"),
    printer("login", "vault login -help").unless("-no-print"),
    printer("kv get", "vault kv get -help"),
    printer("print token", "vault print -help"),
    printer("token create|lookup", "vault token -help"),
];

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "ansible",
        source: "ansible --help",
        is: &[Fact::RunsOperands, Fact::SaysVersion, Fact::RunsText],
        class: Class::Never("runs another program"),
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "ansible-playbook",
        source: "ansible-playbook --help",
        is: &[Fact::RunsOperands, Fact::RunsFiles],
        class: Class::Never("runs another program"),
        talks: Talks::Always,
        publishes: PUBLISHES,
        interactive: &[Interactive::FromFile],
        ..UNLISTED
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..runner("salt fab cap gpg-agent keychain vault-env envdir puppet knife", "salt --help")
    },
    Program {
        is: &[Fact::Carries],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never("ngrok", "ngrok documentation, \"Agent CLI\"", "opens the machine to others")
    },
    Program {
        names: "cloudflared",
        source: "cloudflared --help",
        is: &[Fact::RunsOperands, Fact::Carries],
        class: Class::Never("runs another program"),
        prints: &[printer("access|tunnel token", "cloudflared tunnel token --help")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "aws",
        source: "AWS CLI Command Reference, \"aws\"",
        sets: later::AWS,
        is: &[Fact::SaysVersion],
        class: Class::HarmlessCommands(&[&[Spec {
            names: "--version sts:get-caller-identity s3:ls configure:list ec2:describe-instances",
            long: "output=json output=table output=text no-cli-pager",
            refused: &[(
                "--endpoint-url --profile --region --ca-bundle --cli-input-json --cli-input-yaml \
                    --no-verify-ssl --query --cli-binary-format",
                Sends,
            )],
            operands: Operands::None,
            ..PLAIN
        }]]),
        valued: "--profile --region --output --endpoint-url --query --ca-bundle --cli-read-timeout \
            --cli-connect-timeout --color",
        leading: "--region= --profile= --output= --query= --no-cli-pager --no-paginate --color=",
        looks: AWS_LOOKS,
        sub_commands: "s3 s3api ec2 iam lambda ecr ecs eks sts logs cloudformation dynamodb rds sqs sns route53 kms \
            secretsmanager configure",
        destroys: &[
            danger(
                "* \
                    delete-*|terminate-*|remove-*|deregister-*|purge-*|destroy-*|revoke-*|cancel-*|stop-*|disable-*|schedule-key-deletion|batch-delete-*|reset-*",
                "",
                "removes something in the cloud",
            ),
            danger("s3 rb", "", "removes a bucket"),
            danger("s3 rm", "", "removes objects"),
            danger("s3 sync", "delete", "removes objects that are not here"),
        ],
        prints: &[
            printer("configure export-credentials", "AWS CLI, configure export-credentials"),
            printer(
                "configure get \
                    aws_secret_access_key|aws_session_token|*.aws_secret_access_key|*.aws_session_token",
                "AWS CLI, configure get",
            ),
            printer("sts get-session-token|assume-role|assume-role-*|get-federation-token", "AWS CLI, sts"),
            // The variables of what runs there, and what machines start with.
            printer("lambda get-function|get-function-configuration|list-functions", "AWS CLI, lambda"),
            printer("ecs describe-task-definition|describe-tasks", "AWS CLI, ecs"),
            printer(
                "ec2 describe-instance-attribute|describe-launch-template-versions|get-console-output",
                "AWS CLI, ec2",
            ),
            printer("cognito-idp describe-user-pool-client", "AWS CLI, cognito-idp"),
            printer("cognito-identity get-credentials-for-identity|get-open-id-token*", "AWS CLI, cognito-identity"),
            printer("redshift get-cluster-credentials*", "AWS CLI, redshift"),
            printer("apigateway get-api-key|get-api-keys", "AWS CLI, apigateway").with("include-value include-values"),
            printer(
                "lightsail get-instance-access-details|get-relational-database-master-user-password",
                "AWS CLI, lightsail",
            ),
            printer("glue get-connection|get-connections", "AWS CLI, glue").unless("hide-password"),
            printer("codebuild batch-get-projects", "AWS CLI, codebuild"),
            printer("amplify get-app|list-apps|get-branch|list-branches", "AWS CLI, amplify"),
            printer("secretsmanager get-secret-value|batch-get-secret-value", "AWS CLI, secretsmanager"),
            printer(
                "ssm get-parameter|get-parameters|get-parameters-by-path|get-parameter-history",
                "AWS CLI, ssm get-parameter",
            )
            .with("with-decryption"),
            printer(
                "ecr|ecr-public|codeartifact get-login-password|get-login|get-authorization-token",
                "AWS CLI, ecr get-login-password",
            ),
            printer("eks get-token", "AWS CLI, eks get-token"),
            printer("rds generate-db-auth-token", "AWS CLI, rds"),
            printer("iam create-access-key", "AWS CLI, iam create-access-key"),
            printer("sso get-role-credentials", "AWS CLI, sso"),
            printer("sso-oidc create-token", "AWS CLI, sso-oidc"),
            printer("kms decrypt|generate-data-key|generate-data-key-pair", "AWS CLI, kms"),
            printer("ec2 get-password-data|create-key-pair", "AWS CLI, ec2"),
            printer("cognito-idp initiate-auth|admin-initiate-auth", "AWS CLI, cognito-idp"),
        ],
        talks: Talks::Always,
        interactive: &[Interactive::As(&[&["ssm", "start-session"], &["ecs", "execute-command"]])],
        publishes: PUBLISHES,
        sends: &[
            ("s3api put-object|upload-part", ""),
            ("glacier upload-*", ""),
            ("codecommit put-file", ""),
            ("ecr put-image|upload-layer-part", ""),
            ("lambda update-function-code|publish-layer-version", ""),
            ("sns publish*", ""),
            ("sqs send-message*", ""),
            ("ses|sesv2 send-*", ""),
            ("kinesis|firehose put-record*", ""),
            ("ssm send-command", ""),
        ],
        files: FileUse { uploads: &[upload("s3 sync"), upload("s3 cp|mv").if_told()], ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "gcloud",
        source: "gcloud reference; Azure CLI reference",
        sets: later::GCLOUD,
        is: &[Fact::SaysVersion],
        class: Class::HarmlessCommands(GCLOUD_COMMANDS),
        valued: "--project --account --configuration --verbosity --format --impersonate-service-account",
        sub_commands: "compute storage container run functions projects config auth iam sql pubsub group vm aks acr \
            account",
        destroying_words: "delete remove-* clear-* destroy reset disable",
        prints: &[
            printer("auth print-*", "gcloud auth print-access-token"),
            printer("auth application-default print-access-token", "gcloud auth application-default"),
            printer("alpha|beta auth print-*", "gcloud beta auth"),
            printer("alpha|beta auth application-default print-access-token", "gcloud beta auth"),
            printer("iam service-accounts keys create -|/dev/stdout", "gcloud iam service-accounts keys create"),
            printer("secrets versions access", "gcloud secrets versions access"),
            printer("alpha|beta secrets versions access", "gcloud beta secrets"),
            printer("config config-helper", "gcloud config config-helper"),
            printer("sql generate-login-token", "gcloud sql generate-login-token"),
            // What runs there is told with its variables; a cluster, with how to log in.
            printer("run services|revisions|jobs describe", "gcloud run services describe"),
            printer("functions describe", "gcloud functions describe"),
            printer("app versions describe", "gcloud app versions describe"),
            printer("container clusters describe", "gcloud container clusters describe"),
            printer("compute instances|instance-templates describe", "gcloud compute instances describe"),
        ],
        leading: "--project= --region= --zone= --format= --quiet -q --verbosity= --account= --configuration=",
        looks: GCLOUD_LOOKS,
        talks: Talks::Always,
        interactive: &[Interactive::As(&[&["ssh"]])],
        publishes: PUBLISHES,
        sends: &[
            ("builds submit", ""),
            ("app deploy", ""),
            ("functions deploy", "source"),
            ("run deploy", "source"),
            ("compute scp|ssh", ""),
            ("pubsub topics publish", ""),
        ],
        files: FileUse { uploads: &[upload("rsync"), upload("cp|mv").if_told()], ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "az",
        source: "gcloud reference; Azure CLI reference",
        sets: later::AZURE,
        is: &[Fact::SaysVersion],
        class: Class::HarmlessCommands(GCLOUD_COMMANDS),
        valued: "--subscription --output -o --query",
        sub_commands: "compute storage container run functions projects config auth iam sql pubsub group vm aks acr \
            account",
        destroying_words: "delete purge remove deallocate delete-* remove-*",
        leading: "--subscription= --only-show-errors --output= -o= --query=",
        looks: AZ_LOOKS,
        prints: &[
            printer("account get-access-token", "az account get-access-token"),
            printer("keyvault secret|key|certificate show|download", "az keyvault secret show"),
            printer("storage account keys list", "az storage account keys list"),
            printer("storage account show-connection-string|generate-sas", "az storage account"),
            printer("storage container|blob generate-sas", "az storage container generate-sas"),
            printer("acr credential show", "az acr credential show"),
            printer("acr login", "az acr login").with("t expose-token"),
            printer("ad sp create-for-rbac", "az ad sp create-for-rbac"),
            printer("ad sp|app credential reset", "az ad sp credential reset"),
            printer("cosmosdb|functionapp|servicebus|eventhubs keys list", "az cosmosdb keys list"),
            printer("redis list-keys", "az redis list-keys"),
            printer("webapp deployment list-publishing-*", "az webapp deployment"),
            printer("webapp|functionapp config appsettings|connection-string list", "az webapp config appsettings"),
        ],
        talks: Talks::Always,
        interactive: &[Interactive::As(&[&["ssh"]])],
        publishes: PUBLISHES,
        sends: &[
            ("storage blob|file|fs|directory upload|upload-batch|sync", ""),
            ("storage fs|blob file|directory upload", ""),
            ("storage copy", ""),
            ("acr build", ""),
            ("webapp up|deploy", ""),
            ("vm run-command", ""),
        ],
        files: FileUse { uploads: &[upload("upload-batch")], ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "heroku",
        source: "each client's help command",
        is: &[Fact::RunsElsewhere],
        class: Class::HarmlessCommands(HEROKU_COMMANDS),
        destroys: &[danger(
            "apps:destroy|destroy|pg:reset|addons:destroy|ps:stop|repo:reset|config:unset|domains:remove",
            "",
            "removes something of the application",
        )],
        prints: &[
            printer("auth:token|config|config:get|authorizations:create|authorizations:info", "heroku help"),
            printer("pg:credentials:url", "heroku help pg"),
        ],
        talks: Talks::Always,
        interactive: &[Interactive::As(&[&["run"], &["ps:exec"], &["pg:psql"]])],
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "flyctl",
        source: "each client's help command",
        is: &[Fact::RunsElsewhere],
        class: Class::HarmlessCommands(HEROKU_COMMANDS),
        destroys: FLYCTL_DESTROYS,
        prints: FLYCTL_PRINTS,
        talks: Talks::Always,
        interactive: &[Interactive::As(&[&["ssh"]])],
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "vercel",
        source: "each client's help command",
        class: Class::HarmlessCommands(HEROKU_COMMANDS),
        destroys: &[
            danger("remove|rm", "", "removes a deployment"),
            danger("env|domains|project|alias|dns|secrets rm|remove", "", "removes something of the project"),
        ],
        prints: VERCEL_PRINTS,
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "netlify",
        source: "each client's help command",
        class: Class::HarmlessCommands(HEROKU_COMMANDS),
        destroys: &[
            danger("remove|rm", "", "removes a deployment"),
            danger("sites:delete|env:unset", "", "removes something of the project"),
        ],
        prints: &[printer("env:get|env:list", "netlify help env")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "wrangler",
        source: "each client's help command",
        class: Class::HarmlessCommands(HEROKU_COMMANDS),
        destroys: &[
            danger("delete", "", "removes a deployment"),
            danger("kv|r2|d1|secret|queues|pages|kv:key|kv:namespace delete", "", "removes data of the project"),
            danger("kv|r2|queues|pages * delete", "", "removes data of the project"),
        ],
        prints: &[printer("auth token", "wrangler auth --help")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "firebase",
        source: "each client's help command",
        class: Class::HarmlessCommands(HEROKU_COMMANDS),
        destroys: &[danger("*:delete|*:disable|projects:delete", "", "removes data of the project")],
        prints: &[printer("login:ci|functions:secrets:access|functions:config:get|auth:export", "firebase --help")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "railway",
        source: "each client's help command",
        is: &[Fact::RunsElsewhere],
        class: Class::HarmlessCommands(HEROKU_COMMANDS),
        destroys: &[danger("down|delete|destroy", "", "removes a deployment")],
        prints: &[printer("variables|variable", "railway variables --help").unless("set delete")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "render",
        source: "each client's help command",
        class: Class::HarmlessCommands(HEROKU_COMMANDS),
        destroys: &[danger("down|delete|destroy", "", "removes a deployment")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..commands(
            "surge gh-pages appwrite nhost platform platformsh upsun ddev lando terminus wp drush \
            pantheon acli dokku caprover koyeb northflank porter qovery scalingo clever deta deployctl",
            "each client's help command",
            HEROKU_COMMANDS,
        )
    },
    Program {
        names: "doctl",
        source: "each client's help command",
        class: Class::HarmlessCommands(HEROKU_COMMANDS),
        destroys: &[
            DOCTL_DELETES,
            danger("compute|kubernetes|databases|apps * delete|destroy", "", "removes a machine or its data"),
        ],
        destroying_words: "delete destroy",
        prints: &[
            printer("auth token", "doctl auth --help"),
            printer("kubernetes|k8s cluster|c kubeconfig show", "doctl kubernetes cluster kubeconfig"),
            printer("databases|db connection", "doctl databases connection"),
            printer("registry docker-config", "doctl registry docker-config"),
        ],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "vault",
        source: "vault -help; consul --help",
        class: Class::HarmlessCommands(VAULT_COMMANDS),
        destroys: &[
            danger("delete|operator|lease|kv delete|destroy|seal|revoke|metadata", "", "removes secrets"),
            danger("delete", "", "removes secrets"),
        ],
        prints: VAULT_PRINTS,
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "consul",
        source: "vault -help; consul --help",
        class: Class::HarmlessCommands(VAULT_COMMANDS),
        destroys: &[danger("delete|del", "", "removes keys"), danger("kv delete", "", "removes keys")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "nomad",
        source: "vault -help; consul --help",
        class: Class::HarmlessCommands(VAULT_COMMANDS),
        prints: &[printer("var get", "nomad var get -help")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..commands("boundary waypoint", "vault -help; consul --help", VAULT_COMMANDS)
    },
    Program {
        is: &[Fact::RunsText],
        talks: Talks::Always,
        publishes: PUBLISHES,
        interactive: &[Interactive::Always],
        ..never(
            "ansible-console",
            "ansible-galaxy(1); chef-client(8); pyinfra documentation, \"CLI\"",
            "changes machines and loads the project's code",
        )
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..never(
            "ansible-galaxy ansible-pull ansible-doc ansible-inventory ansible-lint molecule chef \
            chef-client chef-solo puppet-lint r10k salt-call salt-ssh cfengine cf-agent rudder \
            pyinfra capistrano mina kamal dep ecs-deploy kompose kubespray rundeck",
            "ansible-galaxy(1); chef-client(8); pyinfra documentation, \"CLI\"",
            "changes machines and loads the project's code",
        )
    },
    Program {
        names: "ansible-vault",
        source: "ansible-galaxy(1); chef-client(8); pyinfra documentation, \"CLI\"",
        class: Class::Never("changes machines and loads the project's code"),
        prints: &[printer("view|decrypt", "ansible-vault(1)")],
        ..UNLISTED
    },
    commands("ansible-config", "ansible-config(1)", &[&[looks("list dump")]]),
    Program {
        names: "awslocal",
        source: "awslocal --help",
        first_name: "aws",
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "fly",
        source: "fly auth token --help",
        is: &[Fact::RunsElsewhere],
        destroys: FLYCTL_DESTROYS,
        prints: FLYCTL_PRINTS,
        talks: Talks::Always,
        interactive: &[Interactive::As(&[&["ssh"]])],
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        // Two programs: GitHub's agent, and one of AWS that deploys.
        names: "copilot",
        source: "copilot --help",
        is: &[Fact::Agent],
        sets: later::AGENTS,
        destroys: CDKTF_DESTROYS,
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "vc",
        source: "vercel env --help",
        prints: VERCEL_PRINTS,
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "ntl",
        source: "netlify help env",
        prints: &[printer("env:get|env:list", "netlify help env")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "yc",
        source: "yc iam create-token",
        prints: &[printer("iam create-token", "yc iam create-token")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "sf",
        source: "sf org display --help",
        prints: &[printer("org display", "sf org display --help")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "sfdx",
        source: "sfdx force:org:display --help",
        prints: &[printer("force:org:display", "sfdx force:org:display --help")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "databricks",
        source: "databricks auth --help",
        prints: &[
            printer("auth token|env", "databricks auth --help"),
            printer("tokens create", "databricks tokens --help"),
            printer("secrets get-secret", "databricks secrets --help"),
        ],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "stripe",
        source: "stripe config --help",
        prints: &[printer("config", "stripe config --help").with("l list")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "bao",
        source: "vault read -help",
        prints: VAULT_PRINTS,
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
];

//! Stores of secrets, and clients of services.

use super::class::Class;
use super::clusters::ELSEWHERE;
use super::effect::Effect::Sends;
use super::fact::Fact;
use super::runs::behind;
use super::spec::{Operands, PLAIN, Spec, looks};
use super::{Program, UNLISTED, commands, never, runner};

const GCLOUD_COMMANDS: &[&[Spec]] = &[&[Spec {
    names: "version --version info config:list auth:list account:list account:show config:get-value",
    long: "format=json format=yaml output=table output=json",
    refused: ELSEWHERE,
    operands: Operands::None,
    ..PLAIN
}]];

const HEROKU_COMMANDS: &[&[Spec]] =
    &[&[looks("version --version --help help whoami auth:whoami projects:list apps:list sites:list")]];

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

pub(super) const PROGRAMS: &[Program] = &[
    runner("ansible", "ansible --help"),
    runner("ansible-playbook", "ansible-playbook --help"),
    runner("salt fab cap gpg-agent keychain vault-env envdir puppet knife ngrok", "salt --help"),
    runner("dotenv", "dotenv --help"),
    Program {
        names: "op",
        source: "op --help",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("run", 0)],
        ..UNLISTED
    },
    Program {
        names: "doppler",
        source: "doppler --help",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("run", 0)],
        ..UNLISTED
    },
    runner("chamber", "chamber --help"),
    Program {
        names: "aws-vault",
        source: "aws-vault --help",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("exec", 1)],
        ..UNLISTED
    },
    runner("envchain", "envchain --help"),
    runner("envconsul", "envconsul --help"),
    Program {
        names: "dotenvx",
        source: "dotenvx --help",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        ..UNLISTED
    },
    runner("cloudflared", "cloudflared --help"),
    Program {
        names: "aws",
        source: "AWS CLI Command Reference, \"aws\"",
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
        sub_commands: "s3 s3api ec2 iam lambda ecr ecs eks sts logs cloudformation dynamodb rds sqs sns route53 kms \
            secretsmanager configure",
        ..UNLISTED
    },
    Program {
        names: "gcloud",
        source: "gcloud reference; Azure CLI reference",
        class: Class::HarmlessCommands(GCLOUD_COMMANDS),
        valued: "--project --account --configuration --verbosity --format --impersonate-service-account",
        sub_commands: "compute storage container run functions projects config auth iam sql pubsub group vm aks acr \
            account",
        ..UNLISTED
    },
    Program {
        names: "az",
        source: "gcloud reference; Azure CLI reference",
        class: Class::HarmlessCommands(GCLOUD_COMMANDS),
        valued: "--subscription --output -o --query",
        sub_commands: "compute storage container run functions projects config auth iam sql pubsub group vm aks acr \
            account",
        ..UNLISTED
    },
    commands("heroku", "each client's help command", HEROKU_COMMANDS),
    commands("flyctl", "each client's help command", HEROKU_COMMANDS),
    commands("vercel", "each client's help command", HEROKU_COMMANDS),
    commands("netlify", "each client's help command", HEROKU_COMMANDS),
    commands("wrangler", "each client's help command", HEROKU_COMMANDS),
    commands("firebase", "each client's help command", HEROKU_COMMANDS),
    commands("railway", "each client's help command", HEROKU_COMMANDS),
    commands("render", "each client's help command", HEROKU_COMMANDS),
    commands(
        "surge gh-pages appwrite nhost platform platformsh upsun ddev lando terminus wp drush \
            pantheon acli dokku caprover koyeb northflank porter qovery scalingo clever deta deployctl",
        "each client's help command",
        HEROKU_COMMANDS,
    ),
    commands("doctl", "each client's help command", HEROKU_COMMANDS),
    commands("vault", "vault -help; consul --help", VAULT_COMMANDS),
    commands("consul", "vault -help; consul --help", VAULT_COMMANDS),
    commands("nomad", "vault -help; consul --help", VAULT_COMMANDS),
    commands("boundary waypoint", "vault -help; consul --help", VAULT_COMMANDS),
    never(
        "ansible-galaxy ansible-pull ansible-console ansible-doc ansible-inventory ansible-lint \
            molecule chef chef-client chef-solo puppet-lint r10k salt-call salt-ssh cfengine cf-agent \
            rudder pyinfra capistrano mina kamal dep ecs-deploy kompose kubespray rundeck",
        "ansible-galaxy(1); chef-client(8); pyinfra documentation, \"CLI\"",
        "changes machines and loads the project's code",
    ),
    never(
        "ansible-vault",
        "ansible-galaxy(1); chef-client(8); pyinfra documentation, \"CLI\"",
        "changes machines and loads the project's code",
    ),
    commands("ansible-config", "ansible-config(1)", &[&[looks("list dump")]]),
    Program { names: "awslocal", source: "awslocal --help", first_name: "aws", ..UNLISTED },
];

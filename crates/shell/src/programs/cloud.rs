//! Stores of secrets, and clients of services.

use super::clusters::ELSEWHERE;
use super::effect::Effect::Sends;
use super::spec::{Operands, PLAIN, Spec, looks};
use super::{Program, commands, never, runner};

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
    runner("op", "op --help"),
    runner("doppler", "doppler --help"),
    runner("chamber", "chamber --help"),
    runner("aws-vault", "aws-vault --help"),
    runner("envchain", "envchain --help"),
    runner("envconsul", "envconsul --help"),
    runner("dotenvx", "dotenvx --help"),
    runner("cloudflared", "cloudflared --help"),
    commands(
        "aws",
        "AWS CLI Command Reference, \"aws\"",
        &[&[Spec {
            names: "--version sts:get-caller-identity s3:ls configure:list ec2:describe-instances",
            long: "output=json output=table output=text no-cli-pager",
            refused: &[(
                "--endpoint-url --profile --region --ca-bundle --cli-input-json --cli-input-yaml \
                    --no-verify-ssl --query --cli-binary-format",
                Sends,
            )],
            operands: Operands::None,
            ..PLAIN
        }]],
    ),
    commands("gcloud", "gcloud reference; Azure CLI reference", GCLOUD_COMMANDS),
    commands("az", "gcloud reference; Azure CLI reference", GCLOUD_COMMANDS),
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
];

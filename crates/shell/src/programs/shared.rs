//! Rows and options that programs of several kinds share.

use super::danger::{Danger, danger};
use super::form::{Form, form};
use super::interactive::{Console, Interactive};
use super::printer::{Printer, printer};
use super::runs::{RunsBehind, behind};
use super::spec::{Operands, PLAIN, Spec};
use super::talks::Talks;

pub(super) const STACK_DESTROYS: Danger = danger("destroy|remove|delete|terminate", "", "removes infrastructure");

pub(super) const GH_CHANGES: &[(&str, &str)] =
    &[("api|pr|issue|repo|run|release|workflow|gist|secret|auth", "changes something on another machine")];

pub(super) const RECURSIVE_IN_POWERSHELL: Danger = danger("", "-Recurse -recurse -r -Force -force", "removes files");

pub(super) const DJANGO_ADMIN_DESTROYS: &[Danger] =
    &[danger("flush|reset_db|sqlflush", "", "removes what the database holds")];

pub(super) const BASH_INTERACTIVE: &[Interactive] = &[Interactive::WithoutScript(&Console {
    program: &["-c", "-Command", "-File", "-EncodedCommand", "--command"],
    valued: &["-o", "-O", "+o", "+O", "--rcfile", "--init-file", "-ExecutionPolicy", "-C", "--init-command"],
    goes_on: &["-i", "-s", "--interactive", "-NoExit"],
    ..Console::PLAIN
})];

pub(super) const PYTHON_INTERACTIVE: &[Interactive] = &[Interactive::WithoutScript(&Console {
    program: &["-c", "-m"],
    valued: &["-W", "-X", "--check-hash-based-pycs"],
    goes_on: &["-i"],
    modules: &[
        "asyncio",
        "bpython",
        "code",
        "cmd",
        "IPython",
        "ipdb",
        "pdb",
        "ptpython",
        "pudb",
        "sqlite3",
        "jupyter_console",
    ],
})];

pub(super) const NODE_INTERACTIVE: &[Interactive] = &[Interactive::WithoutScript(&Console {
    program: &["-e", "-p", "-pe", "--eval", "--print", "--test", "--check", "-c"],
    valued: &["-r", "--require", "--import", "--loader", "--env-file", "-C", "--conditions"],
    goes_on: &["-i", "--interactive"],
    ..Console::PLAIN
})];

pub(super) const BUN_INTERACTIVE: &[Interactive] = &[Interactive::WithoutScript(&Console {
    program: &["-e", "-g", "--batch-string"],
    goes_on: &["repl", "console", "shell", "consoleQuick"],
    ..Console::PLAIN
})];

pub(super) const ARTISAN_DESTROYS: Danger =
    danger("artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe", "", "removes what the database holds");

pub(super) const GUILE_INTERACTIVE: &[Interactive] =
    &[Interactive::WithoutScript(&Console { program: &["-e", "-c", "-r"], ..Console::PLAIN })];

pub(super) const SBCL_INTERACTIVE: &[Interactive] =
    &[Interactive::WithoutScript(&Console { program: &["--script", "--non-interactive", "-x"], ..Console::PLAIN })];

pub(super) const CLOJURE_INTERACTIVE: &[Interactive] = &[Interactive::WithoutScript(&Console {
    program: &["-e", "--eval", "-M", "-X", "-T"],
    goes_on: &["repl", "-r", "--repl"],
    ..Console::PLAIN
})];

pub(super) const REDIS_CLI_DESTROYS: &[Danger] = &[danger(
    "flushall|flushdb|FLUSHALL|FLUSHDB|shutdown|SHUTDOWN|del|DEL|unlink|UNLINK|debug|DEBUG",
    "",
    "removes data",
)];

pub(super) const REDIS_CLI_PRINTS: &[Printer] =
    &[printer("config|CONFIG get|GET requirepass|masterauth", "redis-cli(1), CONFIG GET")];

pub(super) const UNINSTALL_CHANGES: (&str, &str) = ("uninstall|remove|rm|un", "removes packages from the project");

/// npm(1) and those that have its commands: what asks the registry.
pub(super) const NPM_TALKS: Talks = Talks::For(&[(
    "install|i|ci|add|update|upgrade|publish|unpublish|view|info|outdated|search|audit|login|exec|dlx|create|init|\
        dist-tag|dist-tags|owner|ping",
    "",
)]);

pub(super) const NPM_CHANGES: &[(&str, &str)] = &[
    ("install|i|ci|add|update|upgrade", "changes the project and runs scripts of packages"),
    ("run|test|start|exec|dlx|run-script", "runs scripts of the project or of packages"),
    UNINSTALL_CHANGES,
];

pub(super) const GO_INTERACTIVE: &[Interactive] =
    &[Interactive::As(&[&["debug"], &["attach"], &["exec"], &["core"], &["connect"]])];

pub(super) const PARCEL_OPTIONS: Spec =
    Spec { long: "help version", operands: Operands::None, runs_project: true, ..PLAIN };

pub(super) const RAKE_DESTROYS: &[Danger] = &[danger(
    "db:drop|db:reset|db:drop:all|db:purge|db:migrate:reset|db:schema:load|db:truncate_all|db:setup",
    "",
    "removes what the database holds",
)];

pub(super) const DOCKER_RUNS: &[RunsBehind] = &[
    behind("exec", 1),
    behind("run", 1),
    behind("create", 1),
    behind("container exec", 1),
    behind("container run", 1),
    behind("compose exec", 1),
    behind("compose run", 1),
    behind("service create", 1),
];

pub(super) const DOCKER_SYNONYMS: &[&str] = &[
    "rm|container rm|container remove",
    "rmi|image rm|image remove",
    "ps|container ls|container list|container ps",
    "images|image ls|image list",
    "run|container run",
    "exec|container exec",
    "create|container create",
    "start|container start",
    "stop|container stop",
    "restart|container restart",
    "kill|container kill",
    "pause|container pause",
    "attach|container attach",
    "commit|container commit",
    "cp|container cp",
    "export|container export",
    "logs|container logs",
    "rename|container rename",
    "update|container update",
    "wait|container wait",
    "push|image push",
    "pull|image pull",
    "build|image build|buildx build|builder build",
    "load|image load",
    "import|image import",
    "save|image save",
    "tag|image tag",
    "history|image history",
    "info|system info",
    "events|system events",
    "volume rm|volume remove",
    "volume ls|volume list",
    "network rm|network remove",
    "network ls|network list",
    "context rm|context remove",
    "secret rm|secret remove",
    "config rm|config remove",
    "service rm|service remove",
    "stack rm|stack remove|stack down",
    "stack deploy|stack up",
    "node rm|node remove",
    "plugin rm|plugin remove",
    "compose rm|compose remove",
];

pub(super) const DOCKER_DESTROYS: &[Danger] = &[
    danger("rm|rmi", "", "removes containers or images"),
    danger("system|container|image|volume|network|builder|buildx prune", "", "removes what is not in use"),
    danger(
        "volume|network|container|image|secret|config|stack|service|context|machine|pod|manifest \
            rm|remove|reset|kill",
        "",
        "removes it",
    ),
    danger("system reset", "", "removes everything"),
    danger("compose down", "v volumes rmi", "removes volumes with their data"),
    danger("compose rm", "", "removes containers"),
    danger("swarm leave", "", "takes the machine out of the swarm"),
];

pub(super) const DOCKER_CHANGES: &[(&str, &str)] =
    &[("run|exec|start|stop|restart|build|compose|kill|create", "runs or stops containers")];

pub(super) const DOCKER_INTERACTIVE: &[Interactive] = &[
    Interactive::FromFile,
    Interactive::As(&[
        &["exec", "-i"],
        &["exec", "-t"],
        &["run", "-i"],
        &["run", "-t"],
        &["attach"],
        &["start", "-i"],
        &["compose", "exec"],
        &["compose", "run"],
        &["container", "exec", "-i"],
        &["sandbox"],
    ]),
];

pub(super) const CDKTF_DESTROYS: &[Danger] = &[STACK_DESTROYS];

pub(super) const DOCTL_DELETES: Danger = danger("* delete|destroy|rm|remove", "", "removes a machine or its data");

pub(super) const LSCPU_LOOKS: &[Form] =
    &[form("", "a b d f J l m n o= p r S t e= v k all bytes json list output= noheadings fs tree? paths").at_most(0)];

pub(super) const WL_PASTE_PRINTS: &[Printer] = &[
    // What a password manager has copied.
    printer("", "wl-paste(1), pbpaste(1)"),
];

//! Containers and clusters, virtual machines.

use super::class::Class;
use super::danger::{Danger, danger};
use super::effect::Effect::{self, Changes, Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::file_use::FileUse;
use super::interactive::Interactive;
use super::printer::{Printer, printer};
use super::runs::{RunsBehind, behind};
use super::shared::{DOCKER_CHANGES, DOCKER_DESTROYS, DOCKER_INTERACTIVE, DOCKER_RUNS, DOCKER_SYNONYMS};
use super::spec::{Operands, PLAIN, Spec};
use super::{PUBLISHES, Program, Talks, UNLISTED, later, lookers};

const CONTAINER_REFUSED: &[(&str, Effect)] =
    &[("-H --host -c --context --config --tlscacert", Loads), ("-o --output --iidfile --cidfile", Writes)];

/// Sub-commands of Compose for services of the project's own file (docker-compose-up(1) and its neighbours).
const COMPOSE_SERVICES: Spec = Spec {
    flags: "dq",
    valued: "t",
    long: "detach build no-build wait force-recreate no-recreate no-deps quiet quiet-pull no-color no-log-prefix timeout: \
        abort-on-container-exit no-start remove-orphans no-cache pull progress: wait-timeout: help",
    refused: &[("-V --renew-anon-volumes --scale --attach -w --watch --push --ssh --builder --build-arg", Changes)],
    operands: Operands::Names,
    runs_project: true,
    ..PLAIN
};

/// docker-compose: what looks, and services of the project.
const COMPOSE: &[Spec] = &[
    Spec { names: "up build pull start stop restart", ..COMPOSE_SERVICES },
    Spec {
        names: "ps logs ls version images port top config",
        flags: "aqtf",
        valued: "n",
        long: "all quiet format filter tail since until timestamps follow services volumes images no-color no-log-prefix help",
        refused: CONTAINER_REFUSED,
        ..PLAIN
    },
];

/// docker, podman: what looks, and what builds and starts the project.
const DOCKER: &[Spec] = &[
    // docker-buildx-build(1): what is built lies in the folder; a secret, another place for the result or the cache,
    // and more rights have to be spelled out.
    Spec {
        names: "build buildx:build",
        // The value of `-f` is looked at as an operand.
        flags: "qf",
        valued: "t",
        long: "tag: quiet no-cache pull progress: platform: target: label: rm force-rm load squash help",
        refused: &[
            ("--file --build-arg", Loads),
            ("-o --output --iidfile --metadata-file --cache-to --push --sbom --attest --provenance", Writes),
            (
                "--secret --ssh --build-context --cache-from --cgroup-parent --allow --network --add-host -H --host -c --context",
                Loads,
            ),
            ("--security-opt --privileged --cap-add --device --isolation -v --volume", Runs),
        ],
        // docker-build(1): a context that begins so is a repository, without a scheme too.
        holding: &[("github.com/", Sends)],
        operands: Operands::InsideAtMost(2),
        runs_project: true,
        ..PLAIN
    },
    Spec {
        names: "compose:up compose:build compose:pull compose:start compose:stop compose:restart",
        ..COMPOSE_SERVICES
    },
    // `host/term` asks another registry.
    Spec { names: "search", long: "filter limit no-trunc format help", operands: Operands::Names, ..PLAIN },
    // What follows the container are options of ps(1).
    Spec { names: "top container:top", long: "help", operands: Operands::AtMost(1), ..PLAIN },
    Spec {
        names: "ps images version info logs inspect port stats history diff container:ls container:ps container:logs image:ls \
            image:history network:ls volume:ls compose:ps compose:logs compose:ls compose:version compose:config compose:images compose:top system:df",
        flags: "aqlst",
        valued: "fn",
        long: "all quiet latest size no-trunc format filter last tail since until timestamps details follow no-stream services volumes type digests human limit help",
        refused: CONTAINER_REFUSED,
        ..PLAIN
    },
];

const KUBECTL_REFUSED: &[(&str, Effect)] = &[(
    "--kubeconfig --context --cluster --user --as --as-group --server -s --token --client-certificate --client-key --certificate-authority --insecure-skip-tls-verify --cache-dir --profile --profile-output",
    Loads,
)];

/// kubectl: only what looks.
const KUBECTL: &[Spec] = &[
    Spec {
        names: "logs",
        flags: "fp",
        valued: "nlc",
        long: "namespace selector container tail since since-time previous timestamps follow all-containers prefix limit-bytes \
            max-log-requests ignore-errors help",
        refused: KUBECTL_REFUSED,
        ..PLAIN
    },
    Spec {
        names: "get describe top version explain api-resources api-versions cluster-info events rollout:status rollout:history config:current-context config:get-contexts auth:can-i",
        flags: "Aw",
        valued: "nlco",
        long: "all-namespaces namespace selector output watch show-labels no-headers sort-by field-selector containers container tail since \
            previous timestamps follow all-containers recursive short client label-columns help limit-bytes chunk-size timeout revision watch-only ignore-not-found show-kind",
        refused: &[
            (
                "--kubeconfig --context --cluster --user --as --as-group --server -s --token --client-certificate --client-key --certificate-authority --insecure-skip-tls-verify --cache-dir --profile --profile-output",
                Loads,
            ),
            ("-f --filename -k --kustomize --raw --template --output-directory", Loads),
        ],
        holding: &[("-file=", Loads)],
        broad: true,
        ..PLAIN
    },
];

/// Kinds of objects of Kubernetes that are the same (`kubectl api-resources`).
const KINDS: &[&str] = &[
    "pod pods po",
    "service services svc",
    "deployment deployments deploy",
    "namespace namespaces ns",
    "configmap configmaps cm",
    "secret secrets",
    "node nodes no",
    "persistentvolume persistentvolumes pv",
    "persistentvolumeclaim persistentvolumeclaims pvc",
    "replicaset replicasets rs",
    "replicationcontroller replicationcontrollers rc",
    "statefulset statefulsets sts",
    "daemonset daemonsets ds",
    "ingress ingresses ing",
    "job jobs",
    "cronjob cronjobs cj",
    "serviceaccount serviceaccounts sa",
    "event events ev",
    "endpoints endpoint ep",
    "customresourcedefinition customresourcedefinitions crd crds",
    "horizontalpodautoscaler horizontalpodautoscalers hpa",
    "networkpolicy networkpolicies netpol",
    "storageclass storageclasses sc",
    "role roles",
    "rolebinding rolebindings",
    "clusterrole clusterroles",
    "clusterrolebinding clusterrolebindings",
    "resourcequota resourcequotas quota",
    "limitrange limitranges limits",
    "poddisruptionbudget poddisruptionbudgets pdb",
];

const K3S_INTERACTIVE: &[Interactive] = &[
    Interactive::FromFile,
    Interactive::As(&[
        &["exec", "-i"],
        &["exec", "-t"],
        &["run", "-i"],
        &["run", "-t"],
        &["attach"],
        &["debug", "-i"],
        &["rsh"],
        &["edit"],
    ]),
];

const DOCKER_SAME: &[(&str, &str)] =
    &[("", "f=force v=volumes a=all d=detach e=env p=publish i=interactive t=tty q=quiet")];

const SWARM_PRINTS: Printer = printer("swarm join-token|unlock-key", "docker swarm --help");

const COMPOSE_PRINTS: Printer = printer("compose config|convert", "docker compose config --help")
    .unless("q quiet services images volumes profiles networks");

const KUBECTL_RUNS: &[RunsBehind] =
    &[behind("exec", 1), behind("create job", 1), behind("create cronjob", 1), behind("run", 1), behind("debug", 1)];

const KUBECTL_SAME: &[(&str, &str)] =
    &[("", "f=filename n=namespace A=all-namespaces l=selector o=output R=recursive")];

const KUBECTL_DESTROYS: &[Danger] = &[
    danger("delete|drain", "", "removes things from the cluster"),
    danger("replace", "force", "removes and makes things in the cluster anew"),
    danger("apply", "prune force", "removes things from the cluster"),
];

const CONFIG_VIEW_PRINTS: Printer = printer("config view", "kubectl config view --help").with("raw");

const KUBECTL_CHANGES: &[(&str, &str)] =
    &[("apply|create|edit|patch|scale|set|exec|rollout|label|annotate|expose|run|cp", "changes the cluster")];

const DOCKER_COMPOSE_DESTROYS: &[Danger] =
    &[danger("down", "v volumes rmi", "removes volumes with their data"), danger("rm", "", "removes containers")];

const DOCKER_COMPOSE_PRINTS: &[Printer] = &[printer("config|convert", "docker compose config --help")
    .unless("q quiet services images volumes profiles networks")];

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "distrobox toolbox",
        source: "distrobox(1), toolbox(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::As(&[&["enter"]])],
        ..UNLISTED
    },
    Program {
        names: "vagrant",
        source: "vagrant(1)",
        is: &[Fact::RunsElsewhere, Fact::RunsOperands, Fact::SaysVersion],
        class: Class::Never("runs another program"),
        destroys: &[danger("destroy", "", "removes a virtual machine")],
        interactive: &[Interactive::As(&[&["ssh"], &["shell"]])],
        ..UNLISTED
    },
    Program {
        names: "lxc incus",
        source: "lxc(1), incus(1)",
        is: &[Fact::RunsElsewhere, Fact::RunsOperands, Fact::RunsContainers],
        class: Class::Never("runs another program"),
        destroys: &[danger("delete|purge", "", "removes a virtual machine")],
        interactive: &[Interactive::As(&[&["exec"], &["shell"], &["console"]])],
        ..UNLISTED
    },
    Program {
        names: "multipass",
        source: "multipass(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        destroys: &[danger("delete|purge", "", "removes a virtual machine")],
        interactive: &[Interactive::As(&[&["ssh"], &["shell"]])],
        ..UNLISTED
    },
    Program {
        names: "k3s",
        source: "k3s(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        destroys: &[danger("kubectl delete|drain", "", "removes things from the cluster")],
        interactive: K3S_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "crictl ctr",
        source: "crictl(1), ctr(1)",
        is: &[Fact::RunsOperands, Fact::RunsContainers],
        class: Class::Never("runs another program"),
        destroys: &[danger("rm|rmi|rmp|delete", "", "removes containers")],
        files: FileUse { handed: "--mount", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "docker",
        source: "docker(1)",
        groups: "container image volume network compose context buildx system builder stack service swarm secret config manifest plugin",
        sets: later::CONTAINERS,
        is: &[
            Fact::SaysHelp,
            Fact::Hyphenated,
            Fact::OfTheSystem,
            Fact::RunsElsewhere,
            Fact::RunsOperands,
            Fact::SaysVersion,
            Fact::SaysVersionByLetter,
            Fact::RunsContainers,
            Fact::OftenRun,
        ],
        class: Class::SubCommands(&[DOCKER]),
        runs: DOCKER_RUNS,
        flags: "-i -t -it -ti -d -T --rm --tty --interactive --stdin --detach --privileged --no-deps",
        valued: "--context -c -H --host -l --log-level --config --tlscacert --tlscert --tlskey -p \
            --project-name --project-directory --profile --env-file --file --connection --url --root \
            --runroot",
        running_letters: "e",
        sub_commands: "attach build builder buildx checkpoint commit config context cp diff events export history \
            image images import info inspect kill load login logout logs manifest network node pause \
            plugin port ps pull push rename restart rm rmi save search secret service stack start stats \
            stop swarm system tag top trust unpause update version volume wait container compose",
        synonyms: DOCKER_SYNONYMS,
        same_options: DOCKER_SAME,
        looks: lookers::DOCKER,
        destroys: DOCKER_DESTROYS,
        prints: &[SWARM_PRINTS, COMPOSE_PRINTS],
        changes: DOCKER_CHANGES,
        talks: Talks::For(&[("pull|push|login|search|build|run|buildx", "")]),
        interactive: DOCKER_INTERACTIVE,
        files: FileUse { handed: "-v --volume --mount --build-context", ..FileUse::PLAIN },
        publishes: &[("push", ""), ("compose|image|manifest|buildx|plugin push", ""), ("build|buildx|bake", "push")],
        sends: &[("push", ""), ("compose|image|manifest|plugin push", ""), ("build|buildx|bake", "push")],
        open_behind: &["images", "inspect", "logs", "ps", "compose config", "compose logs", "compose ps"],
        implied: "compose.yaml compose.yml docker-compose.yml docker-compose.yaml Dockerfile",
        ..UNLISTED
    },
    Program {
        names: "podman",
        source: "podman(1)",
        groups: "container image volume network compose context buildx system builder stack service swarm secret config manifest plugin",
        sets: later::CONTAINERS,
        is: &[
            Fact::SaysHelp,
            Fact::OfTheSystem,
            Fact::RunsElsewhere,
            Fact::RunsOperands,
            Fact::SaysVersion,
            Fact::RunsContainers,
        ],
        class: Class::SubCommands(&[DOCKER]),
        runs: DOCKER_RUNS,
        flags: "-i -t -it -ti -d -T --rm --tty --interactive --stdin --detach --privileged --no-deps",
        valued: "--context -c -H --host -l --log-level --config --tlscacert --tlscert --tlskey -p \
            --project-name --project-directory --profile --env-file --file --connection --url --root \
            --runroot",
        running_letters: "e",
        sub_commands: "attach build builder buildx checkpoint commit config context cp diff events export history \
            image images import info inspect kill load login logout logs manifest network node pause \
            plugin port ps pull push rename restart rm rmi save search secret service stack start stats \
            stop swarm system tag top trust unpause update version volume wait container compose",
        synonyms: DOCKER_SYNONYMS,
        same_options: DOCKER_SAME,
        looks: lookers::DOCKER,
        destroys: DOCKER_DESTROYS,
        prints: &[
            printer("secret inspect", "podman-secret-inspect(1)").with("showsecret"),
            SWARM_PRINTS,
            COMPOSE_PRINTS,
        ],
        changes: DOCKER_CHANGES,
        talks: Talks::For(&[("pull|push|login|search|build|run|buildx", "")]),
        interactive: DOCKER_INTERACTIVE,
        files: FileUse { handed: "-v --volume --mount --build-context", ..FileUse::PLAIN },
        publishes: &[("push", ""), ("compose|image|manifest|buildx|plugin push", ""), ("build|buildx|bake", "push")],
        sends: &[("push", ""), ("compose|image|manifest|plugin push", ""), ("build|buildx|bake", "push")],
        like: "docker",
        implied: "compose.yaml compose.yml docker-compose.yml docker-compose.yaml Dockerfile",
        ..UNLISTED
    },
    Program {
        names: "kubectl",
        source: "kubectl reference, \"kubectl Commands\"",
        groups: "config auth rollout set create top apply",
        leading: "-n= --namespace= --context=",
        sets: later::KUBECTL,
        is: &[
            Fact::SaysHelp,
            Fact::Hyphenated,
            Fact::RunsElsewhere,
            Fact::RunsOperands,
            Fact::SaysVersion,
            Fact::RunsContainers,
        ],
        class: Class::SubCommands(&[KUBECTL]),
        runs: KUBECTL_RUNS,
        flags: "-i -t -it -ti -d -T --rm --tty --interactive --stdin --detach --privileged --no-deps",
        valued: "-n --namespace --context --kubeconfig --cluster --user -s --server --token --as --as-group \
            --as-uid --request-timeout --cache-dir --certificate-authority --client-certificate \
            --client-key --tls-server-name -v --password --username",
        sub_commands: "annotate api-resources api-versions apply attach auth autoscale certificate cluster-info \
            completion config cordon cp create delete describe diff drain edit events explain expose get \
            kustomize label logs options patch port-forward proxy replace rollout scale set taint top \
            uncordon version wait",
        kinds: KINDS,
        same_options: KUBECTL_SAME,
        looks: lookers::KUBECTL,
        destroys: KUBECTL_DESTROYS,
        prints: &[CONFIG_VIEW_PRINTS, printer("create token", "kubectl create token --help")],
        changes: KUBECTL_CHANGES,
        talks: Talks::Always,
        interactive: K3S_INTERACTIVE,
        files: FileUse {
            logs_in_with: Some(("--kubeconfig", "/.kube/config")),
            handed: "--from-file --from-env-file",
            ..FileUse::PLAIN
        },
        publishes: &[(
            "apply|create|delete|edit|patch|replace|scale|rollout|set|label|annotate|expose|run|exec|cp|drain|cordon|uncordon|taint|autoscale|attach|debug|certificate|adm|process|tag|import-image|start-build|new-app|new-project|rsh",
            "",
        )],
        open_behind: &["describe", "get", "logs", "top"],
        ..UNLISTED
    },
    Program {
        names: "oc",
        source: "oc(1)",
        leading: "-n= --namespace= --context=",
        sets: later::KUBECTL,
        is: &[Fact::RunsElsewhere, Fact::RunsContainers],
        class: Class::SubCommands(&[KUBECTL]),
        first_name: "kubectl",
        runs: KUBECTL_RUNS,
        flags: "-i -t -it -ti -d -T --rm --tty --interactive --stdin --detach --privileged --no-deps",
        valued: "-n --namespace --context --kubeconfig --cluster --user -s --server --token --as --as-group \
            --as-uid --request-timeout --cache-dir --certificate-authority --client-certificate \
            --client-key --tls-server-name -v --password --username",
        sub_commands: "annotate api-resources api-versions apply attach auth autoscale certificate cluster-info \
            completion config cordon cp create delete describe diff drain edit events explain expose get \
            kustomize label logs options patch port-forward proxy replace rollout scale set taint top \
            uncordon version wait",
        kinds: KINDS,
        same_options: KUBECTL_SAME,
        looks: lookers::KUBECTL,
        destroys: KUBECTL_DESTROYS,
        prints: &[
            CONFIG_VIEW_PRINTS,
            printer("create token", "kubectl create token --help"),
            printer("whoami", "oc whoami --help").with("t show-token"),
            printer("extract", "oc extract --help"),
            printer("serviceaccounts|sa get-token|create-kubeconfig|new-token", "oc serviceaccounts --help"),
        ],
        changes: KUBECTL_CHANGES,
        talks: Talks::Always,
        interactive: K3S_INTERACTIVE,
        files: FileUse {
            logs_in_with: Some(("--kubeconfig", "/.kube/config")),
            handed: "--from-file --from-env-file",
            ..FileUse::PLAIN
        },
        publishes: &[(
            "apply|create|delete|edit|patch|replace|scale|rollout|set|label|annotate|expose|run|exec|cp|drain|cordon|uncordon|taint|autoscale|attach|debug|certificate|adm|process|tag|import-image|start-build|new-app|new-project|rsh",
            "",
        )],
        ..UNLISTED
    },
    Program {
        names: "docker-compose",
        source: "docker-compose(1)",
        is: &[Fact::RunsElsewhere, Fact::RunsContainers],
        class: Class::SubCommands(&[COMPOSE]),
        looks: lookers::COMPOSE,
        stands_for: &["docker", "compose"],
        runs: &[behind("exec", 1), behind("run", 1)],
        flags: "-i -t -it -ti -d -T --rm --tty --interactive --stdin --detach --privileged --no-deps",
        sub_commands: "build config cp create down events images kill logs ls pause port ps pull push restart rm \
            start stop top unpause up version wait watch attach stats",
        destroys: DOCKER_COMPOSE_DESTROYS,
        prints: DOCKER_COMPOSE_PRINTS,
        interactive: &[Interactive::As(&[&["exec"], &["run"]])],
        files: FileUse { handed: "-v --volume", ..FileUse::PLAIN },
        talks: Talks::For(&[("pull|push|build|up|run", "")]),
        publishes: &[("push", "")],
        implied: "compose.yaml compose.yml docker-compose.yml docker-compose.yaml Dockerfile",
        ..UNLISTED
    },
    Program {
        names: "podman-compose",
        source: "podman-compose(1)",
        is: &[Fact::RunsElsewhere, Fact::RunsContainers],
        class: Class::SubCommands(&[COMPOSE]),
        looks: lookers::COMPOSE,
        stands_for: &["podman", "compose"],
        runs: &[behind("exec", 1), behind("run", 1)],
        flags: "-i -t -it -ti -d -T --rm --tty --interactive --stdin --detach --privileged --no-deps",
        sub_commands: "build config cp create down events images kill logs ls pause port ps pull push restart rm \
            start stop top unpause up version wait watch attach stats",
        destroys: DOCKER_COMPOSE_DESTROYS,
        prints: DOCKER_COMPOSE_PRINTS,
        interactive: &[Interactive::As(&[&["exec"], &["run"]])],
        files: FileUse { handed: "-v --volume", ..FileUse::PLAIN },
        talks: Talks::For(&[("pull|push|build|up|run", "")]),
        publishes: &[("push", "")],
        implied: "compose.yaml compose.yml docker-compose.yml docker-compose.yaml Dockerfile",
        ..UNLISTED
    },
    Program {
        names: "microk8s.kubectl kubecolor k",
        source: "the packages that install it under this name",
        is: &[Fact::RunsContainers],
        first_name: "kubectl",
        talks: Talks::Always,
        publishes: &[(
            "apply|create|delete|edit|patch|replace|scale|rollout|set|label|annotate|expose|run|exec|cp|drain|cordon|uncordon|taint|autoscale|attach|debug|certificate|adm|process|tag|import-image|start-build|new-app|new-project|rsh",
            "",
        )],
        ..UNLISTED
    },
    Program {
        names: "kubectl-argo",
        source: "kubectl-argo(1)",
        destroying_words: "delete terminate",
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
];

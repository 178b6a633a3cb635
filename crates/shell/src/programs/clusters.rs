//! Clusters, clouds, containers and infrastructure as code: what only looks, by sub-command.

use super::class::Class;
use super::danger::{Danger, danger};
use super::effect::Effect::{self, Changes, Loads, Sends, Writes};
use super::fact::Fact;
use super::file_use::{FileUse, upload};
use super::interactive::Interactive;
use super::printer::{Printer, printer};
use super::shared::{
    CDKTF_DESTROYS, DOCKER_CHANGES, DOCKER_DESTROYS, DOCKER_INTERACTIVE, DOCKER_RUNS, DOCKER_SYNONYMS, STACK_DESTROYS,
};
use super::spec::{CHANGES, Operands, PLAIN, Spec, Style, looks};
use super::{PUBLISHES, Program, Talks, UNLISTED, commands, later, lookers, never};

/// What chooses another server, file or identity, in most clients of clusters.
pub(super) const ELSEWHERE: &[(&str, Effect)] = &[
    (
        "--kubeconfig --context --kube-context --server -s --token --host -H --endpoint --endpoint-url --profile \
            --config -c --config-file --registry-config --repository-config --address --addr --api-server --url \
            --as --user --cluster --insecure --insecure-skip-tls-verify --kube-apiserver --kube-token --repo \
            --ca-file --cert-file --key-file --password --username --region --project --account",
        Sends,
    ),
    (
        "-f --filename --file --template --template-file --from-file --var-file --post-renderer --plugin --values \
            --set-file --chdir --root --cache-dir",
        Loads,
    ),
    ("-o --output-dir --output-file --save --write --destination", Writes),
];

/// Sub-commands that only look at the server that is configured.
const fn shows(names: &'static str) -> Spec {
    Spec {
        names,
        flags: "Aaqhvl",
        valued: "n",
        long: "help namespace: all-namespaces all quiet verbose no-headers short output=json output=yaml \
            output=table output=wide json no-color max: limit: show-labels watch=false",
        refused: ELSEWHERE,
        operands: Operands::Names,
        ..PLAIN
    }
}

const TERRAFORM_COMMANDS: &[&[Spec]] = &[&[
    Spec { names: "version", flags: "", long: "-json json help", operands: Operands::None, ..PLAIN },
    Spec {
        names: "fmt:-check fmt:--check",
        long: "recursive diff check -recursive -diff -check",
        operands: Operands::Inside,
        ..PLAIN
    },
    // It runs the project's providers, which is what a plan is.
    Spec {
        names: "plan",
        style: Style::Words,
        long: "no-color input=false lock=false refresh=false detailed-exitcode compact-warnings json help",
        refused: &[
            ("out generate-config-out", Writes),
            ("var var-file state chdir parallelism backend-config plugin-dir", Loads),
            ("destroy target replace refresh-only", Changes),
        ],
        operands: Operands::None,
        runs_project: true,
        ..PLAIN
    },
    Spec {
        names: "validate providers workspace:list workspace:show state:list graph",
        long: "json no-color",
        operands: Operands::None,
        runs_project: true,
        ..PLAIN
    },
]];

const TERRAFORM_DESTROYS: &[Danger] = &[
    danger("destroy", "", "removes infrastructure"),
    danger("apply", "-auto-approve -destroy -replace", "changes infrastructure without asking"),
    danger("state rm|push|replace-provider", "", "changes what is known about infrastructure"),
    danger("workspace delete", "", "removes a workspace"),
    danger("force-unlock", "", "takes a lock away"),
];

const TERRAFORM_PRINTS: &[Printer] = &[
    // Infrastructure. An output that is named is printed even when it is sensitive.
    printer("output", "terraform output -help").with("-json -raw"),
    printer("output *", "terraform output -help"),
    printer("state pull", "terraform state pull -help"),
    printer("show", "terraform show -help").with("-json"),
];

const TERRAFORM_CHANGES: &[(&str, &str)] =
    &[("plan|apply|init|import", "runs providers and may change infrastructure")];

const ARGOCD_COMMANDS: &[&[Spec]] = &[&[
    shows("version help completion"),
    Spec { names: "list get status", holding: &[("secret", Loads), ("kubeconfig", Loads)], ..shows("") },
]];

const ARGOCD_DELETES: Danger = danger("delete|uninstall", "", "removes it from the cluster");

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "helm",
        source: "helm help (3.1x)",
        groups: "repo plugin get show search dependency registry",
        leading: "-n= --namespace= --kube-context=",
        sets: later::HELM,
        is: &[Fact::SaysHelp, Fact::SaysVersion],
        class: Class::HarmlessCommands(&[&[
            // `show`, `pull` and `template` fetch what an address names.
            shows(
                "list ls status history version get:values get:notes get:metadata repo:list plugin:list \
                    search:repo env",
            ),
            Spec {
                names: "lint",
                flags: "q",
                long: "strict quiet help with-subcharts",
                refused: ELSEWHERE,
                operands: Operands::Inside,
                runs_project: true,
                ..PLAIN
            },
        ]]),
        valued: "-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-token --registry-config \
            --repository-cache",
        sub_commands: "install uninstall delete del un upgrade list ls get repo template lint status history show \
            search pull push package rollback test dependency dep registry",
        synonyms: &[
            "uninstall|delete|del|un",
            "list|ls",
            "repo remove|repo rm",
            "repo list|repo ls",
            "plugin uninstall|plugin remove|plugin rm",
            "dependency|dep|dependencies",
        ],
        same_options: &[("", "n=namespace f=values i=install o=output")],
        looks: lookers::HELM,
        destroys: &[danger("uninstall|delete|del|un|rollback", "", "removes or replaces a release")],
        prints: &[printer("get values|all|manifest", "helm get values --help")],
        talks: Talks::Always,
        files: FileUse { logs_in_with: Some(("--kubeconfig", "/.kube/config")), ..FileUse::PLAIN },
        publishes: &[("install|upgrade|uninstall|delete|un|del|rollback|push|test", "")],
        ..UNLISTED
    },
    Program {
        names: "terraform",
        source: "Terraform documentation, \"Terraform CLI\"",
        groups: "workspace state providers",
        is: &[Fact::SaysHelp, Fact::SaysVersion],
        class: Class::HarmlessCommands(TERRAFORM_COMMANDS),
        sub_commands: "apply destroy plan init validate fmt show output state import taint untaint workspace \
            providers graph get refresh force-unlock login logout test",
        synonyms: &["apply|run-all apply|run apply|run -- apply", "destroy|run-all destroy|run destroy|run -- destroy"],
        same_options: &[("", "")],
        looks: lookers::TERRAFORM,
        destroys: TERRAFORM_DESTROYS,
        prints: TERRAFORM_PRINTS,
        changes: TERRAFORM_CHANGES,
        talks: Talks::Always,
        publishes: &[("apply|destroy|import|taint|untaint|state|workspace|refresh|force-unlock|login", "")],
        open_behind: &["fmt", "plan", "validate"],
        ..UNLISTED
    },
    Program {
        names: "tofu",
        source: "Terraform documentation, \"Terraform CLI\"",
        is: &[Fact::SaysVersion],
        class: Class::HarmlessCommands(TERRAFORM_COMMANDS),
        first_name: "terraform",
        sub_commands: "apply destroy plan init validate fmt show output state import taint untaint workspace \
            providers graph get refresh force-unlock login logout test",
        same_options: &[("", "")],
        looks: lookers::TERRAFORM,
        destroys: TERRAFORM_DESTROYS,
        prints: TERRAFORM_PRINTS,
        changes: TERRAFORM_CHANGES,
        talks: Talks::Always,
        publishes: &[("apply|destroy|import|taint|untaint|state|workspace|refresh|force-unlock|login", "")],
        ..UNLISTED
    },
    Program {
        names: "terragrunt",
        source: "Terragrunt and Pulumi documentation, \"CLI\"; AWS CDK documentation, \"CLI\"",
        class: Class::HarmlessCommands(&[&[looks("version --version --help help about")]]),
        first_name: "terraform",
        destroys: &[danger("destroy|run-all|destroy-all|apply-all", "", "changes infrastructure")],
        prints: TERRAFORM_PRINTS,
        talks: Talks::Always,
        publishes: &[("apply|destroy|import|taint|untaint|state|run-all|run", "")],
        ..UNLISTED
    },
    Program {
        names: "pulumi",
        source: "Terragrunt and Pulumi documentation, \"CLI\"; AWS CDK documentation, \"CLI\"",
        class: Class::HarmlessCommands(&[&[looks("version --version --help help about")]]),
        destroys: &[
            danger("destroy|cancel", "", "removes infrastructure"),
            danger("stack|state rm|delete", "", "removes infrastructure"),
            danger("up|update", "y yes skip-preview", "changes infrastructure without asking"),
        ],
        prints: &[
            printer("config get", "pulumi config get --help"),
            printer("", "pulumi config --help").with("show-secrets"),
        ],
        talks: Talks::Always,
        publishes: &[("up|update|destroy|import|refresh|cancel|stack|config|state|watch|env|org|policy|login", "")],
        ..UNLISTED
    },
    Program {
        names: "cdk",
        source: "Terragrunt and Pulumi documentation, \"CLI\"; AWS CDK documentation, \"CLI\"",
        class: Class::HarmlessCommands(&[&[looks("version --version --help help about")]]),
        destroys: &[
            STACK_DESTROYS,
            danger("deploy", "require-approval f force", "changes infrastructure without asking"),
        ],
        talks: Talks::Always,
        publishes: &[("deploy|destroy|bootstrap|import|gc|watch|rollback", "")],
        ..UNLISTED
    },
    Program {
        names: "cdktf sam serverless sls amplify eb",
        source: "Terragrunt and Pulumi documentation, \"CLI\"; AWS CDK documentation, \"CLI\"",
        class: Class::HarmlessCommands(&[&[looks("version --version --help help about")]]),
        destroys: CDKTF_DESTROYS,
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    commands(
        "cdk8s chalice zappa",
        "Terragrunt and Pulumi documentation, \"CLI\"; AWS CDK documentation, \"CLI\"",
        &[&[looks("version --version --help help about")]],
    ),
    Program {
        names: "sst",
        source: "Terragrunt and Pulumi documentation, \"CLI\"; AWS CDK documentation, \"CLI\"",
        class: Class::HarmlessCommands(&[&[looks("version --version --help help about")]]),
        destroys: CDKTF_DESTROYS,
        prints: &[printer("secret|secrets list", "sst secret --help")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    commands("kustomize", "kustomize help", &[&[looks("version help")]]),
    Program {
        names: "argocd",
        source: "each client's help command",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ARGOCD_COMMANDS),
        destroys: &[ARGOCD_DELETES, danger("app|cluster|repo|proj delete|rm", "", "removes it from the cluster")],
        prints: &[
            printer("account generate-token", "argocd account --help"),
            printer("admin initial-password", "argocd admin --help"),
        ],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "flux",
        source: "each client's help command",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ARGOCD_COMMANDS),
        destroys: &[ARGOCD_DELETES],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "istioctl linkerd kops k0s talosctl rancher velero cilium hubble cmctl tkn kn knative \
            faas-cli crossplane vcluster virtctl werf skaffold tilt devspace garden okteto telepresence \
            helmfile helmsman kapp kbld imgpkg vendir",
        source: "each client's help command",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ARGOCD_COMMANDS),
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "eksctl",
        source: "each client's help command",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ARGOCD_COMMANDS),
        destroying_words: "delete drain",
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "k3d",
        source: "each client's help command",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ARGOCD_COMMANDS),
        destroys: &[danger("cluster delete", "", "removes a cluster")],
        prints: &[printer("kubeconfig get|print", "k3d kubeconfig --help")],
        ..UNLISTED
    },
    Program {
        names: "kind",
        source: "each client's help command",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ARGOCD_COMMANDS),
        destroys: &[danger("delete", "", "removes a cluster")],
        prints: &[printer("get kubeconfig", "kind get kubeconfig --help")],
        ..UNLISTED
    },
    Program {
        names: "minikube",
        source: "each client's help command",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ARGOCD_COMMANDS),
        destroys: &[danger("delete", "", "removes a cluster")],
        ..UNLISTED
    },
    Program {
        names: "microk8s",
        source: "each client's help command",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ARGOCD_COMMANDS),
        destroys: &[danger("kubectl delete|drain", "", "removes things from the cluster")],
        prints: &[printer("config", "microk8s config --help")],
        ..UNLISTED
    },
    Program {
        names: "kubeadm",
        source: "each client's help command",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ARGOCD_COMMANDS),
        prints: &[printer("token create|list|generate", "kubeadm token --help")],
        ..UNLISTED
    },
    commands(
        "kubectx kubens",
        "kubectx README",
        &[&[Spec { names: "-c --current -h --help", long: "", operands: Operands::None, ..PLAIN }]],
    ),
    commands("stern kail kubetail", "stern --help", &[&[looks("--version --help")]]),
    Program {
        names: "skopeo",
        source: "skopeo(1); crane help",
        class: Class::HarmlessCommands(&[&[looks("--version version help")]]),
        destroys: &[danger("delete", "", "removes an image from its registry")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        sends: &[("sync", "")],
        files: FileUse { uploads: &[upload("copy")], ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        talks: Talks::Always,
        publishes: PUBLISHES,
        sends: &[("push|copy|cp|append|attach|attest", ""), ("image|artifact|blob|manifest|repo copy|cp|put|push", "")],
        ..commands("crane oras regctl cosign notation", "skopeo(1); crane help", &[&[looks("--version version help")]])
    },
    Program {
        names: "buildah lima finch",
        source: "buildah(1); nerdctl --help",
        is: &[Fact::RunsOperands, Fact::RunsContainers],
        class: Class::HarmlessCommands(&[&[shows("images ps containers version info list")]]),
        ..UNLISTED
    },
    Program {
        names: "nerdctl",
        source: "buildah(1); nerdctl --help",
        looks: lookers::DOCKER,
        sets: later::CONTAINERS,
        is: &[Fact::RunsElsewhere, Fact::RunsOperands, Fact::RunsContainers],
        class: Class::HarmlessCommands(&[&[shows("images ps containers version info list")]]),
        runs: DOCKER_RUNS,
        flags: "-i -t -it -ti -d -T --rm --tty --interactive --stdin --detach --privileged --no-deps",
        valued: "--context -c -H --host -l --log-level --config --tlscacert --tlscert --tlskey -p \
            --project-name --project-directory --profile --env-file --file --connection --url --root \
            --runroot",
        sub_commands: "attach build builder buildx checkpoint commit config context cp diff events export history \
            image images import info inspect kill load login logout logs manifest network node pause \
            plugin port ps pull push rename restart rm rmi save search secret service stack start stats \
            stop swarm system tag top trust unpause update version volume wait container compose",
        synonyms: DOCKER_SYNONYMS,
        destroys: DOCKER_DESTROYS,
        changes: DOCKER_CHANGES,
        talks: Talks::For(&[("pull|push|login|search|build|run|buildx", "")]),
        interactive: DOCKER_INTERACTIVE,
        files: FileUse { handed: "-v --volume --mount --build-context", ..FileUse::PLAIN },
        publishes: &[("push", ""), ("compose|image|manifest|buildx|plugin push", ""), ("build|buildx|bake", "push")],
        sends: &[("push", ""), ("compose|image|manifest|plugin push", ""), ("build|buildx|bake", "push")],
        like: "docker",
        ..UNLISTED
    },
    Program {
        names: "colima limactl",
        source: "buildah(1); nerdctl --help",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(&[&[shows("images ps containers version info list")]]),
        interactive: &[Interactive::As(&[&["ssh"], &["shell"]])],
        ..UNLISTED
    },
    commands("dive slim docker-squash ctop", "dive --help", &[&[looks("--version version help")]]),
    Program {
        names: "lazydocker",
        source: "dive --help",
        class: Class::HarmlessCommands(&[&[looks("--version version help")]]),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        sets: &[danger(
            "run|create|start|exec|restore|update",
            "",
            "runs a container with the rights that its files say",
        )],
        ..never("runc crun kata-runtime youki", "runc(8); crun(1)", CHANGES)
    },
    never(
        "docker-machine dockerd containerd lxc-start lxc-attach \
            lxc-execute qemu-system-x86_64 qemu-img virt-install virt-manager virt-customize guestfish \
            guestmount VBoxManage vboxmanage vmrun prlctl utmctl tart firecracker cloud-hypervisor \
            crosvm",
        "runc(8); qemu-system-x86_64(1); virsh(1)",
        CHANGES,
    ),
    Program {
        names: "systemd-nspawn",
        source: "runc(8); qemu-system-x86_64(1); virsh(1)",
        class: Class::Never(CHANGES),
        files: FileUse { handed: "--bind --bind-ro", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "virsh",
        source: "runc(8); qemu-system-x86_64(1); virsh(1)",
        class: Class::Never(CHANGES),
        destroys: &[danger(
            "destroy|undefine|vol-delete|pool-destroy|pool-delete|snapshot-delete",
            "",
            "removes a virtual machine",
        )],
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "orb",
        source: "runc(8); qemu-system-x86_64(1); virsh(1)",
        class: Class::Never(CHANGES),
        interactive: &[Interactive::As(&[&["ssh"], &["shell"]])],
        ..UNLISTED
    },
];

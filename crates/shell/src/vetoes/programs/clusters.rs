//! Clusters, clouds, containers and infrastructure as code: what only looks, by sub-command.

use super::super::effect::Effect::{Changes, Loads, Sends, Writes};
use super::super::options::{Operands, PLAIN, Spec, Style};
use super::{CHANGES, Program, commands, looks, never};

/// What chooses another server, file or identity, in most clients of clusters.
const ELSEWHERE: &[(&str, super::super::effect::Effect)] = &[
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

pub(super) const PROGRAMS: &[Program] = &[
    commands(
        "helm",
        "helm help (3.1x)",
        &[&[
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
        ]],
    ),
    commands(
        "terraform tofu",
        "Terraform documentation, \"Terraform CLI\"",
        &[&[
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
        ]],
    ),
    commands(
        "terragrunt pulumi cdk cdktf cdk8s sam serverless sls sst amplify eb chalice zappa",
        "Terragrunt and Pulumi documentation, \"CLI\"; AWS CDK documentation, \"CLI\"",
        &[&[looks("version --version --help help about")]],
    ),
    commands("kustomize", "kustomize help", &[&[looks("version help")]]),
    commands(
        "argocd flux istioctl linkerd kops eksctl k3d kind minikube microk8s kubeadm k0s talosctl rancher velero \
            cilium hubble cmctl tkn kn knative faas-cli crossplane vcluster virtctl werf skaffold tilt devspace \
            garden okteto telepresence helmfile helmsman kapp kbld imgpkg vendir",
        "each client's help command",
        &[&[
            shows("version help completion"),
            Spec { names: "list get status", holding: &[("secret", Loads), ("kubeconfig", Loads)], ..shows("") },
        ]],
    )
    .running(),
    commands(
        "kubectx kubens",
        "kubectx README",
        &[&[Spec { names: "-c --current -h --help", long: "", operands: Operands::None, ..PLAIN }]],
    ),
    commands("stern kail kubetail", "stern --help", &[&[looks("--version --help")]]),
    commands(
        "skopeo crane oras regctl cosign notation",
        "skopeo(1); crane help",
        &[&[looks("--version version help")]],
    ),
    commands(
        "buildah nerdctl colima lima limactl finch",
        "buildah(1); nerdctl --help",
        &[&[shows("images ps containers version info list")]],
    )
    .running(),
    commands("dive slim docker-squash ctop lazydocker", "dive --help", &[&[looks("--version version help")]]),
    never(
        "docker-machine dockerd containerd runc crun kata-runtime youki systemd-nspawn lxc-start lxc-attach \
            lxc-execute qemu-system-x86_64 qemu-img virsh virt-install virt-manager virt-customize guestfish \
            guestmount VBoxManage vboxmanage vmrun prlctl utmctl tart orb firecracker cloud-hypervisor crosvm",
        "runc(8); qemu-system-x86_64(1); virsh(1)",
        CHANGES,
    ),
    commands(
        "aws",
        "AWS CLI Command Reference, \"aws\"",
        &[&[Spec {
            names: "--version sts:get-caller-identity s3:ls configure:list ec2:describe-instances",
            long: "output=json output=table output=text no-cli-pager",
            refused: &[(
                "--endpoint-url --profile --region --ca-bundle --cli-input-json --cli-input-yaml --no-verify-ssl \
                    --query --cli-binary-format",
                Sends,
            )],
            operands: Operands::None,
            ..PLAIN
        }]],
    ),
    commands(
        "gcloud az",
        "gcloud reference; Azure CLI reference",
        &[&[Spec {
            names: "version --version info config:list auth:list account:list account:show config:get-value",
            long: "format=json format=yaml output=table output=json",
            refused: ELSEWHERE,
            operands: Operands::None,
            ..PLAIN
        }]],
    ),
    commands(
        "heroku flyctl vercel netlify wrangler firebase railway render surge gh-pages doctl appwrite nhost \
            platform platformsh upsun ddev lando terminus wp drush pantheon acli dokku caprover koyeb northflank \
            porter qovery scalingo clever deta deployctl",
        "each client's help command",
        &[&[looks("version --version --help help whoami auth:whoami projects:list apps:list sites:list")]],
    ),
    commands(
        "vault consul nomad boundary waypoint",
        "vault -help; consul --help",
        &[&[Spec {
            names: "version status members node:status job:status",
            long: "format=json detailed -format=json -detailed",
            refused: &[(
                "-address -agent-address -ca-cert -http-addr -token -header -namespace -output-curl-string \
                    -policy-override",
                Sends,
            )],
            operands: Operands::None,
            ..PLAIN
        }]],
    ),
    never(
        "ansible-galaxy ansible-vault ansible-pull ansible-console ansible-doc ansible-inventory ansible-lint \
            molecule chef chef-client chef-solo puppet-lint r10k salt-call salt-ssh cfengine cf-agent rudder \
            pyinfra capistrano mina kamal dep ecs-deploy kompose kubespray rundeck",
        "ansible-galaxy(1); chef-client(8); pyinfra documentation, \"CLI\"",
        "changes machines and loads the project's code",
    ),
    commands("ansible-config", "ansible-config(1)", &[&[looks("list dump")]]),
];

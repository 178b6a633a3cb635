//! Ways in which programs with many sub-commands only look, beside what stands in their entries.
//!
//! A form is here when no file of the project and no word of the line can make the program run, write or send anything
//! with it. What a project's files can do all the same is known to `project_code` of the policy, which looks for them.

use super::form::{Form, Reaches, form};

const GH_OPTIONS: &str = "R= L= s= q= t= l= a= A= B= H= S= c e= b= u= m= d repo= limit= state= json= jq= template= label= assignee= author= \
    base= head= search= comments name-only patch color= log log-failed job= verbose v exit-status workflow= branch= \
    status= user= event= commit= archived source fork language= topic= visibility= no-archived exclude-drafts \
    exclude-pre-releases order= sort= milestone= mention= app= draft required interval= attempt= owner= format= key= ref= \
    org= public secret filter= files raw filename= closed parents default stat watch fail-fast";

const fn on_github(path: &'static str, options: &'static str) -> Form {
    form(path, options).reaches(Reaches::GitHub)
}

/// `w` is a workflow here; elsewhere it opens a browser.
const GH_RUNS: &str =
    "a b= c= e= L= R= q= s= u= w= repo= limit= json= jq= workflow= branch= status= user= event= commit= created= all";

/// gh reference.
pub(super) const GH: &[Form] = &[
    on_github("pr|issue|repo|release|workflow|run|gist|project|ruleset view", GH_OPTIONS),
    on_github(
        "pr|issue|repo|release|workflow|label|gist|project|cache|ruleset|org|secret|variable|ssh-key|gpg-key|codespace|extension|\
            alias|config list|ls",
        GH_OPTIONS,
    ),
    on_github("run list|ls", GH_RUNS),
    on_github("pr|issue status", GH_OPTIONS),
    on_github("pr checks|diff", GH_OPTIONS),
    on_github("run watch", "R= repo= i= interval= exit-status compact"),
    on_github("repo deploy-key|autolink|gitignore|license list|ls", GH_OPTIONS),
    on_github("repo gitignore|license|autolink view", GH_OPTIONS),
    on_github("project field-list|item-list", GH_OPTIONS),
    on_github("variable get", GH_OPTIONS),
    on_github("ruleset check", GH_OPTIONS),
    on_github("status", "e= exclude= o= org="),
    on_github("search", GH_OPTIONS),
    // What it sends is looked at as well.
    on_github(
        "api",
        "q= jq= paginate slurp i include cache= silent p= preview= H= header= X= method= f= raw-field= F= field=",
    )
    .at_most(1),
    form("auth status", "a active h= hostname= json= jq=").at_most(0),
    on_github(
        "browse",
        "n no-browser R= repo= b= branch= c? commit? s settings w wiki p projects r releases a actions",
    )
    .only_with("n no-browser"),
];

const DOCKER_LIST: &str = "a f= l n= q s all filter= format= last= latest no-trunc quiet size digests tree";

const fn on_server(path: &'static str, options: &'static str) -> Form {
    form(path, options).reaches(Reaches::Server)
}

/// docker(1) and the manual page of each sub-command.
pub(super) const DOCKER: &[Form] = &[
    on_server("ps", DOCKER_LIST).at_most(0),
    on_server("container ls|list|ps", DOCKER_LIST).at_most(0),
    on_server("images", DOCKER_LIST),
    on_server("image ls|list", DOCKER_LIST),
    on_server("volume|network|node|service|secret|config|plugin|stack|checkpoint ls|list", DOCKER_LIST).at_most(0),
    on_server("context|buildx|builder ls|list", DOCKER_LIST).at_most(0),
    on_server("context show", "").at_most(0),
    on_server("buildx version", "").at_most(0),
    on_server("buildx du", "filter= verbose").at_most(0),
    on_server("logs", "f n= t follow tail= timestamps since= until= details"),
    on_server("container|service logs", "f n= t follow tail= timestamps since= until= details no-trunc no-resolve raw"),
    on_server("inspect", "f= s format= size type="),
    on_server("container|image inspect", "f= s format= size"),
    on_server("volume|network inspect", "f= format= v verbose"),
    on_server("version|info", "f= format=").at_most(0),
    on_server("system df|info", "v verbose f= format=").at_most(0),
    on_server("top", "").at_most(1),
    on_server("container top", "").at_most(1),
    on_server("port|diff", ""),
    on_server("container port|diff", ""),
    on_server("history", "q H format= human no-trunc quiet"),
    on_server("image history", "q H format= human no-trunc quiet"),
    on_server("stats", "a all no-stream format= no-trunc"),
    on_server("container stats", "a all no-stream format= no-trunc"),
    on_server("service|stack ps", DOCKER_LIST),
    on_server("stack services", DOCKER_LIST),
    form("search", "filter= f= format= limit= no-trunc").reaches(Reaches::Registry),
    on_server("compose ps", COMPOSE_PS),
    on_server("compose images", "format= q quiet"),
    on_server("compose top|port|volumes", "format= q quiet protocol= index="),
    on_server("compose logs", COMPOSE_LOGS),
    on_server("compose ls", "a q all filter= format= quiet").at_most(0),
    on_server("compose version", "f= format= short").at_most(0),
    on_server("compose config", COMPOSE_CONFIG).only_with(COMPOSE_CONFIG).at_most(0),
];

/// docker-compose(1), the program of that name.
pub(super) const COMPOSE: &[Form] = &[
    on_server("ps", COMPOSE_PS),
    on_server("images", "format= q quiet"),
    on_server("top|port|volumes", "format= q quiet protocol= index="),
    on_server("logs", COMPOSE_LOGS),
    on_server("ls", "a q all filter= format= quiet").at_most(0),
    on_server("version", "f= format= short").at_most(0),
    on_server("config", COMPOSE_CONFIG).only_with(COMPOSE_CONFIG).at_most(0),
];

const COMPOSE_PS: &str = "a q all format= filter= services status= quiet no-trunc orphans";
const COMPOSE_LOGS: &str = "f n= t follow tail= timestamps since= until= no-color no-log-prefix index=";
const COMPOSE_CONFIG: &str = "q quiet services volumes images profiles networks";

const KUBECTL_OPTIONS: &str = "n= A o= l= w L= namespace= all-namespaces output= selector= show-labels no-headers sort-by= \
    field-selector= label-columns= context= chunk-size= ignore-not-found show-kind show-managed-fields watch watch-only \
    show-events request-timeout= subresource= types= for=";

/// kubectl reference, "kubectl Commands".
pub(super) const KUBECTL: &[Form] = &[
    on_server("get|describe|events", KUBECTL_OPTIONS),
    on_server(
        "logs",
        "n= c= f p l= namespace= container= follow previous tail= since= since-time= timestamps selector= \
            all-containers all-pods prefix context= limit-bytes= max-log-requests= ignore-errors",
    ),
    on_server("top", "n= A l= namespace= all-namespaces selector= containers sort-by= no-headers context= sum"),
    on_server("explain", "recursive api-version= output="),
    on_server("api-resources", "o= namespaced? verbs= api-group= no-headers output= sort-by= categories="),
    on_server("api-versions", "").at_most(0),
    on_server("version", "o= client output= context=").at_most(0),
    on_server("cluster-info", "context=").at_most(0),
    on_server("config current-context|get-clusters|get-users", "").at_most(0),
    on_server("config get-contexts", "o= output= no-headers"),
    on_server("config view", "o= output= minify").at_most(0),
    on_server("auth can-i", "n= A namespace= all-namespaces list quiet q subresource= no-headers context="),
    on_server("auth whoami", "o= output= context=").at_most(0),
    on_server("plugin list", "name-only").at_most(0),
    on_server("rollout status", "n= w namespace= watch? timeout= context= revision= l= selector="),
    on_server("rollout history", "n= namespace= revision= context= l= selector= o= output="),
    on_server("wait", "n= namespace= for= timeout= all A all-namespaces l= selector= context= field-selector="),
];

const HELM_LIST: &str = "n= A a q namespace= all-namespaces all output= o= short m= max= filter= f= deployed failed pending superseded \
    kube-context= d date r reverse revision= show-resources show-desc versions l regexp devel version= max-col-width=";

/// helm help. `show`, `pull` and `template` fetch what an address names; `env` shows the token.
pub(super) const HELM: &[Form] = &[
    on_server("list|ls", HELM_LIST).at_most(0),
    on_server("status|history|hist", HELM_LIST),
    on_server("get notes|metadata", HELM_LIST),
    on_server("repo|plugin list|ls", "o= output=").at_most(0),
    on_server("search repo", HELM_LIST),
    on_server("version", "short template=").at_most(0),
];

/// Terraform documentation, "Terraform CLI". Of others, `show`, `graph`, `validate` and `state show` start the plugins of
/// the folder.
pub(super) const TERRAFORM: &[Form] = &[
    form("version", "").at_most(0),
    form("workspace list|show", "").at_most(0),
    on_server("state list", ""),
    form("providers", "").at_most(0),
    form("output", "").at_most(0),
    on_server("fmt -check", "").at_most(1),
    on_server("fmt -check -recursive|-diff", "").at_most(1),
    on_server("fmt -check -recursive|-diff -recursive|-diff", "").at_most(1),
    on_server("fmt -recursive|-diff -check", "").at_most(1),
];

const NPM_LIST: &str = "a g depth= all long json parseable global omit= prod dev l p w= workspace= workspaces ws include= production \
    package-lock-only";

const fn in_registry(path: &'static str, options: &'static str) -> Form {
    form(path, options).reaches(Reaches::Registry)
}

/// npm help.
pub(super) const NPM: &[Form] = &[
    in_registry("ls|list|ll|la", NPM_LIST),
    // Without a name they look up that of `package.json`, which may be a repository: npm runs its scripts to tell what it is.
    in_registry("view|info|show|v", "json").at_least(1),
    in_registry("outdated", NPM_LIST),
    in_registry("why|explain", "json w= workspace="),
    in_registry("search|s|se|find", "json long l searchlimit= parseable"),
    in_registry("query", "json expect-results w= workspace="),
    in_registry("pkg get", "json w= workspace= workspaces ws"),
    in_registry("dist-tag ls|list", ""),
    in_registry("owner ls|list", "json").at_least(1),
    form("config|c get", "g global json location="),
    form("config|c list|ls", "g global json l long location=").at_most(0),
    // Not `audit`: it looks up what the lock file names, which may be a repository, too.
    form("fund", "json").at_most(0).reaches(Reaches::Registry),
    form("ping|whoami", "json").at_most(0).reaches(Reaches::Registry),
    form("root|prefix|bin", "g global").at_most(0),
    // Without a name they show what there is.
    form("run|run-script|version", "json").at_most(0),
];

const PNPM_LIST: &str =
    "depth= json long prod P dev D g global r recursive parseable only-projects no-optional lockfile-only";

/// pnpm documentation, "CLI".
pub(super) const PNPM: &[Form] = &[
    in_registry("list|ls|ll|la", PNPM_LIST),
    in_registry("why|outdated", PNPM_LIST),
    // It hands over to npm.
    in_registry("view|info|show|v", "json").at_least(1),
    form("licenses list|ls", PNPM_LIST).at_most(0),
    form("audit", "json audit-level= P prod D dev no-optional").at_most(0).reaches(Reaches::Registry),
    form("root|bin", "g global").at_most(0),
    form("store path", "").at_most(0),
    form("config get", "g global json location="),
    form("run", "").at_most(0),
];

/// Yarn documentation, "CLI", of both generations.
pub(super) const YARN: &[Form] = &[
    in_registry("list", "depth= pattern= json prod production"),
    in_registry("info", "json all A recursive R virtuals dependents extra= name-only"),
    in_registry("why", "json recursive R peers"),
    in_registry("outdated", "json"),
    form("config get", "json"),
    form("workspaces info", "json").at_most(0),
    form("workspaces list", "json v verbose since? R recursive no-private").at_most(0),
    form("versions", "json").at_most(0),
];

/// Bun documentation, "bun pm".
pub(super) const BUN: &[Form] = &[
    form("pm ls|list", "all").at_most(0),
    form("pm bin", "g global").at_most(0),
    form("pm hash|hash-print|untrusted", "").at_most(0),
];

/// The Cargo Book, "Cargo Commands". `tree` and `metadata` fetch what the project names, and write its lock file, unless
/// they are told not to.
pub(super) const CARGO: &[Form] = &[
    form("--list", "").at_most(0),
    form("version", "v verbose").at_most(0),
    form("--version", "v verbose").at_most(0),
    form("search", "limit=").reaches(Reaches::Registry),
    form("locate-project", "workspace message-format= q quiet v verbose color=").at_most(0),
    form("read-manifest|verify-project", "q quiet v verbose color=").at_most(0),
    form(
        "metadata",
        "no-deps frozen format-version= all-features no-default-features features= F= filter-platform= q quiet v verbose color= \
            offline locked",
    )
    .only_with("no-deps frozen")
    .at_most(0),
    form(
        "tree",
        "frozen offline locked e= edges= i= invert= d duplicates depth= p= package= workspace exclude= prefix= no-dedupe charset= \
            f= format= features= F= all-features no-default-features target= prune= q quiet v verbose color=",
    )
    .only_with("frozen")
    .at_most(0),
];

/// go help.
pub(super) const GO: &[Form] = &[
    form("version", "").at_most(0),
    form(
        "env GOPATH|GOROOT|GOMODCACHE|GOCACHE|GOBIN|GOOS|GOARCH|GOVERSION|GOMOD|GOWORK|GOTOOLCHAIN|GOFLAGS|CGO_ENABLED|GOHOSTOS|\
            GOHOSTARCH|GOEXE|GOTMPDIR|GOPRIVATE|GOTOOLDIR",
        "",
    )
    .at_most(0),
    form("env GOOS GOARCH", "").at_most(0),
    form("help", ""),
];

/// rustup(1).
pub(super) const RUSTUP: &[Form] = &[
    form("--version", "").at_most(0),
    form("show", "v verbose").at_most(0),
    form("show active-toolchain|home|profile", "v verbose").at_most(0),
    form("toolchain|target|component|override list", "installed toolchain= v verbose q quiet").at_most(0),
];

/// pip documentation, "Commands".
pub(super) const PIP: &[Form] = &[
    form("list", "o u format= outdated uptodate user l local not-required v verbose exclude= pre editable e")
        .at_most(0)
        .reaches(Reaches::Registry),
    form("show", "f files verbose v").reaches(Reaches::Registry),
    form("freeze", "l all local user exclude= exclude-editable").at_most(0).reaches(Reaches::Registry),
    form("check|inspect", "local user").at_most(0).reaches(Reaches::Registry),
    form("index versions", "pre json").reaches(Reaches::Registry),
    form("cache dir|info", "").at_most(0),
    form("cache list", "format=").at_most(1),
    form("config get", "global user site").at_most(1),
];

/// brew(1). A path or `user/tap/formula` is Ruby that runs.
pub(super) const BREW: &[Form] = &[
    form("list|ls", "1 l versions formula cask full-name multiple pinned").reaches(Reaches::Registry),
    form("info|abv", "json? installed formula cask v verbose analytics").reaches(Reaches::Registry),
    form("search", "formula cask desc").reaches(Reaches::Registry),
    form(
        "deps|uses",
        "tree missing installed formula cask direct 1 n topological include-build include-optional recursive",
    )
    .reaches(Reaches::Registry),
    form("outdated", "formula cask json? v verbose q quiet greedy").reaches(Reaches::Registry),
    form("desc", "formula cask").reaches(Reaches::Registry),
    form("leaves", "r p installed-on-request installed-as-dependency").at_most(0),
    form("services list|info", "json").reaches(Reaches::Registry),
    form("--prefix|--cellar|--cache|--repository", "installed").reaches(Reaches::Registry),
    form("tap|config|formulae|casks|commands", "").at_most(0),
];

/// apt(8), apt-cache(8).
pub(super) const APT: &[Form] = &[
    form("list", "a installed upgradable all-versions"),
    form("show|policy|search|showpkg|madison|depends|rdepends", "a all-versions n f names-only full installed"),
];

/// dnf(8), zypper(8): what is installed, and what there is.
pub(super) const DNF: &[Form] = &[
    form("list|info|search|provides|whatprovides", "installed available updates all i s q quiet")
        .reaches(Reaches::Registry),
    form("repolist|repos|lr", "all enabled disabled").at_most(0),
    form("history list", "").at_most(0),
];

/// pacman(8), "QUERY OPTIONS", "SYNC OPTIONS".
pub(super) const PACMAN: &[Form] = &[
    form("-Q|-Qi|-Ql|-Qs|-Qe|-Qm|-Qn|-Qdt|-Qu|-Qk", "").reaches(Reaches::Registry),
    form("-Ss|-Si|-Sg", "").reaches(Reaches::Registry),
];

/// rpm(8), "QUERY OPTIONS".
pub(super) const RPM: &[Form] = &[form("-q|-qa|-qi|-ql|-qf|-qc|-qd|-qR|-qil", "").reaches(Reaches::Registry)];

/// snap(8), flatpak(1).
pub(super) const SNAP: &[Form] = &[form(
    "list|info|find|search|version|services|connections|remotes|history|remote-ls",
    "all app runtime user system columns= a",
)
.reaches(Reaches::Registry)];

/// mise documentation, "CLI"; asdf documentation. `which` and `where` install nothing.
pub(super) const MISE: &[Form] = &[
    form("ls|list", "c current i installed g global m missing J json prefix= no-header prunable outdated"),
    form("current|where|which|latest|ls-remote|registry", "J json p= plugin version t= tool=")
        .reaches(Reaches::Registry),
    form("tasks|t", "x extended hidden J json no-header global local").at_most(0),
    form("tasks|t ls|list", "x extended hidden J json no-header global local all").at_most(0),
    form("tasks|t info", "J json").at_most(1),
    form("settings|config|cfg|plugins|bin-paths|version|outdated", "J json core user u urls").at_most(0),
    form("config|settings|plugins ls|list", "J json no-header all a").at_most(0),
    form("plugin list", "urls refs").at_most(0),
    form("--version|-v|-V", "").at_most(0),
];

/// systemctl(1).
pub(super) const SYSTEMCTL: &[Form] = &[
    form("status", "l n= o= a full lines= output= no-pager all user"),
    form("is-active|is-enabled|is-failed", "q quiet user no-pager"),
    form(
        "list-units|list-unit-files|list-timers|list-sockets|list-jobs",
        "a l t= all full type= state= no-pager no-legend user plain failed",
    ),
    form("list-dependencies", "a l all no-pager reverse plain user"),
    form("show", "p= property= value no-pager user"),
    form("get-default|is-system-running", "user no-pager").at_most(0),
];

/// PackageManagement of Windows: Chocolatey and WinGet documentation, "Commands"; scoop help.
pub(super) const WINDOWS: &[Form] =
    &[form("list|search|show|info", "exact e id= name= l local-only").reaches(Reaches::Registry)];

/// conda documentation, "Commands".
pub(super) const CONDA: &[Form] = &[
    form("list", "n= name= json export e f full-name c canonical").at_most(1),
    form("env list", "json").at_most(0),
    form("info", "e envs a all json s system").at_most(0),
    form("search", "json info i").reaches(Reaches::Registry),
];

//! Variables of the environment that decide what a program runs, loads, or speaks to.
//!
//! Sources: ld.so(8), dyld(1); bash(1), "Shell Variables"; node(1); python(1); perlrun(1); ruby(1); the options of
//! Java machines; git(1), curl(1), docker(1), cargo, npm and pip, "Environment Variables".

const NAMES: &str = "PATH HOME IFS ENV BASH_ENV SHELL SHELLOPTS BASHOPTS CDPATH TMPDIR KUBECONFIG ZDOTDIR CLASSPATH \
    PAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE MANPAGER PSModulePath";
const STARTS: &[&str] = &[
    "LD_",
    "DYLD_",
    "NODE_",
    "PYTHON",
    "PERL",
    "RUBY",
    "GEM_",
    "BUNDLE_",
    "JAVA_",
    "JDK_",
    "_JAVA",
    "MAVEN_",
    "MVN_",
    "GRADLE_",
    "GIT_",
    "SSH_",
    "NPM_",
    "YARN_",
    "PNPM_",
    "COREPACK_",
    "BUN_",
    "DENO_",
    "CARGO_",
    "RUSTC",
    "RUSTUP_",
    "RUSTFLAGS",
    "GO",
    "PIP_",
    "UV_",
    "POETRY_",
    "DOCKER_",
    "CONTAINER",
    "COMPOSE_",
    "BUILDKIT",
    "BUILDX",
    "KUBE",
    "HELM_",
    "TF_",
    "AWS_",
    "XDG_",
    "MISE_",
    "ASDF_",
    "PROTO_",
    "VOLTA_",
    "PHP",
    "COMPOSER_",
    "LUA_",
    "ERL_",
    "ELIXIR_",
    "MIX_",
    "HEX_",
    "SSL_",
    "CURL_",
    "REQUESTS_",
    "OPENSSL_",
    "GCONV_",
    "GLIBC_",
    "MALLOC_",
    "LUAROCKS",
    "DOTNET_",
    "NUGET_",
    "MSBUILD",
    "CORECLR_",
];
const ENDS: &[&str] =
    &["_PROXY", "_OPTIONS", "_OPTS", "_WRAPPER", "PAGER", "EDITOR", "_COMMAND", "_ASKPASS", "_PRELOAD", "_SHELL"];
/// Of those the ones that say nothing of the kind.
const HARMLESS: &str = "NODE_ENV NODE_NO_WARNINGS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED \
    CARGO_TERM_COLOR CARGO_INCREMENTAL CARGO_NET_OFFLINE GOOS GOARCH GOPRIVATE AWS_REGION AWS_DEFAULT_REGION \
    COMPOSE_PROJECT_NAME COMPOSE_PROFILES COMPOSE_PATH_SEPARATOR COMPOSE_IGNORE_ORPHANS COMPOSE_REMOVE_ORPHANS COMPOSE_PARALLEL_LIMIT \
    COMPOSE_ANSI COMPOSE_STATUS_STDOUT COMPOSE_MENU COMPOSE_PROGRESS COMPOSE_HTTP_TIMEOUT COMPOSE_BAKE DOCKER_BUILDKIT \
    DOCKER_DEFAULT_PLATFORM DOCKER_CLI_HINTS MIX_ENV NODE_VERSION PYTHON_VERSION GO_VERSION PHP_VERSION RUBY_VERSION JAVA_VERSION";
/// What docker and docker compose read for themselves; anything else in `.env` is for the services.
const OF_COMPOSE: &[&str] =
    &["DOCKER_", "COMPOSE_", "BUILDKIT", "BUILDX", "LD_", "DYLD_", "XDG_", "SSH_", "GIT_", "SSL_"];

/// Whether the variable `name`, in letters of any size, decides what a program runs.
pub(super) fn decides(name: &str) -> bool {
    let name = name.trim().to_ascii_uppercase();
    let starts = STARTS.iter().any(|start| name.starts_with(start));
    let ends = ENDS.iter().any(|end| name.ends_with(end));
    (starts || ends || super::listed(NAMES, &name)) && !super::listed(HARMLESS, &name)
}

/// The same for docker compose.
pub(super) fn decides_for_compose(name: &str) -> bool {
    let name = name.trim().to_ascii_uppercase();
    let own = OF_COMPOSE.iter().any(|start| name.starts_with(start)) || name.ends_with("_PROXY");
    (own || ["PATH", "HOME", "TMPDIR"].contains(&name.as_str())) && !super::listed(HARMLESS, &name)
}

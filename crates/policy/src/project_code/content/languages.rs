//! Build tools and compilers.

use super::super::files::Findings;
use super::super::settings::{Setting, json, properties, toml};
use super::{FindResult, leaves, listed, those};

/// `rust-toolchain.toml`, and `rust-toolchain`, which may hold a name alone (the rustup book, "Overrides"): `path`
/// names a folder with a toolchain.
pub(in super::super) fn toolchain(text: &str) -> FindResult {
    match toml(text) {
        Ok(settings) => {
            those(settings, |setting| match setting.keys.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["toolchain", "path", ..] => true,
                ["toolchain", "channel", ..] => setting.value().contains(['/', '\\']),
                _ => false,
            })
        }
        Err(_) if text.trim().lines().count() <= 1 && !text.contains(['/', '\\', '=', '[']) => Ok(Findings::default()),
        Err(error) => Err(error),
    }
}

/// The Cargo book, "Configuration": what of it says nothing about what a look at a project runs, reads or asks.
const CARGO_HARMLESS: &str = "alias build.jobs build.target build.target-dir build.build-dir build.incremental build.rustflags build.rustdocflags \
    build.dep-info-basedir cargo-new doc future-incompat-report term profile patch net.retry net.offline install.root \
    cargo-install resolver cache registries.crates-io.protocol net.git-fetch-with-cli http.timeout http.multiplexing http.low-speed-limit http.check-revoke \
    http.user-agent unstable lints";

/// `.cargo/config.toml`: everything but what is known to be harmless. `[target.X]` may name a linker and a runner,
/// which only a build runs.
pub(in super::super) fn cargo(text: &str) -> FindResult {
    those(toml(text)?, |setting| {
        let name = setting.name();
        let is_listed =
            |entry: &str| name == entry || name.strip_prefix(entry).is_some_and(|rest| rest.starts_with('.'));
        let harmless = CARGO_HARMLESS.split_ascii_whitespace().any(is_listed);
        // A registry by its name is asked only when something names it.
        let registry = setting.key(0) == "registries" && setting.key(2) == "index";
        let target = setting.key(0) == "target";
        let variable = setting.key(0) == "env" && !super::environment::decides(setting.key(1));
        let build_target = name == "build.target" && setting.value().contains(['/', '\\']);
        // Flags that make the compiler load a library, or read more of them.
        let loads = name.ends_with("flags")
            && ["codegen-backend", "sysroot", "@"].iter().any(|flag| setting.value().contains(flag));
        build_target || loads || !(harmless || registry || target || variable)
    })
}

/// "Go Toolchains" (go.dev/doc/toolchain): a name with a suffix is searched for in PATH.
pub(in super::super) fn go_toolchain(text: &str) -> FindResult {
    let named = text.lines().filter_map(|line| line.trim_start().strip_prefix("toolchain"));
    let runs = |name: &&str| name.contains(['-', '/', '\\', '(', '`']);
    Ok(Findings { names: named.filter(runs).map(|_| "toolchain".to_owned()).collect(), further: Vec::new() })
}

/// Gradle 8, "Build Environment": the Java that is run, and its options.
pub(in super::super) fn gradle(text: &str) -> FindResult {
    const OPTIONS: &[&str] = &[
        "agentlib",
        "agentpath",
        "javaagent",
        "onerror",
        "onoutofmemory",
        "vmoptionsfile",
        "flags=",
        "@",
        "bootclasspath",
    ];
    those(properties(text)?, |setting| {
        let (name, value) = (setting.key(0).to_lowercase(), setting.value().to_lowercase());
        name.contains("java.home")
            || name.contains("java.installations.paths")
            || (name.contains("jvmargs") && OPTIONS.iter().any(|option| value.contains(option)))
            || (name.starts_with("systemprop.") && (name.contains("proxy") || name.contains("java.")))
    })
}

/// ".NET", "global.json overview": `paths` says where the SDK is.
pub(in super::super) fn dotnet(text: &str) -> FindResult {
    match json(text) {
        Ok(settings) => those(settings, |setting| setting.keys.iter().any(|key| key.eq_ignore_ascii_case("paths"))),
        // It may have comments.
        Err(_) if !text.to_lowercase().contains("paths") && !text.contains('\\') => Ok(Findings::default()),
        Err(error) => Err(error),
    }
}

/// Composer 2, "Setting up and using plugins": installed ones are loaded for every command.
pub(in super::super) fn composer_plugins(text: &str) -> FindResult {
    those(json(text)?, |setting| {
        setting.keys.last().is_some_and(|key| key == "type") && setting.value() == "composer-plugin"
    })
}

/// Composer 2, "Scripts": these events are fired for every command; `vendor-dir` moves the plugins.
pub(in super::super) fn composer(text: &str) -> FindResult {
    const EVENTS: &str = "init command pre-command-run pre-file-download post-file-download pre-pool-create";
    let runs = |setting: &Setting| {
        let (first, second) = (setting.key(0), setting.key(1));
        (first == "scripts" && listed(EVENTS, second))
            || (first == "config" && second == "vendor-dir" && (leaves(setting.value()) || setting.value() != "vendor"))
    };
    those(json(text)?, runs)
}

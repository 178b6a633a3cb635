//! What programs make of variables of the environment.

/// Endings of the names of variables whose value is a program, or a command line, that other programs run: environ(7);
/// git(1), "Environment Variables"; man(1); less(1), LESSOPEN; rsync(1); svn; crash(8), CRASHPAGER; make manual,
/// "Implicit Variables".
const PROGRAMS: &[&str] = &[
    "PAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "_COMMAND",
    "EXTERNAL_DIFF",
    "ASKPASS",
    "_RSH",
    "_SSH",
    "LESSOPEN",
    "LESSCLOSE",
    "LESSEDIT",
    "MAILER",
    "CONNECT_PROG",
    "HGMERGE",
    "TEXEDIT",
];

/// Names, or with `*` the beginnings of names, of variables whose value is a file or a folder that is written: git(1);
/// The Cargo Book, "Environment Variables"; go(1), "Environment variables"; npm-config(7); pip(1), "Configuration"; uv and
/// Terraform documentation, "Environment variables"; environ(7); XDG Base Directory Specification; tar(1); ld.so(8); gcc(1), "Environment Variables Affecting GCC"; make manual,
/// "DESTDIR"; coverage.py, Node.js, LLVM and Python manuals.
const WRITTEN: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "GIT_TRACE*",
    "TMPDIR",
    "TEMP",
    "TMP",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "TAPE",
    "INSTALL_MOD_PATH",
    "SSLKEYLOGFILE",
    "MALLOC_TRACE",
    "LD_PROFILE_OUTPUT",
    "GMON_OUT_PREFIX",
    "CPUPROFILE",
    "HEAPPROFILE",
    "LESSHISTFILE",
    "PSQL_HISTORY",
    "MYSQL_HISTFILE",
    "SQLITE_HISTORY",
    "NODE_REPL_HISTORY",
    "GDBHISTFILE",
    "ANSIBLE_LOG_PATH",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "GOPATH",
    "GOMODCACHE",
    "GOCACHE",
    "GOENV",
    "GEM_HOME",
    "BUNDLE_PATH",
    "COMPOSER_HOME",
    "DENO_DIR",
    "DENO_INSTALL_ROOT",
    "BUN_INSTALL",
    "PNPM_HOME",
    "npm_config_cache",
    "npm_config_globalconfig",
    "npm_config_userconfig",
    "NPM_CONFIG_CACHE",
    "NPM_CONFIG_USERCONFIG",
    "YARN_CACHE_FOLDER",
    "PIP_CACHE_DIR",
    "UV_CACHE_DIR",
    "CCACHE_DIR",
    "SCCACHE_DIR",
    "CARGO_TARGET_DIR",
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_INSTALL_ROOT",
    "GOBIN",
    "GOTMPDIR",
    "GOCOVERDIR",
    "npm_config_prefix",
    "NPM_CONFIG_PREFIX",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_LOG",
    "PYTHONUSERBASE",
    "PYTHONPYCACHEPREFIX",
    "UV_PROJECT_ENVIRONMENT",
    "UV_TOOL_BIN_DIR",
    "PIPX_BIN_DIR",
    "TF_LOG_PATH",
    "TF_DATA_DIR",
    "LD_DEBUG_OUTPUT",
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
    "GCOV_PREFIX",
    "LLVM_PROFILE_FILE",
    "DESTDIR",
    "COVERAGE_FILE",
    "NODE_V8_COVERAGE",
    "NODE_COMPILE_CACHE",
    "PRE_COMMIT_HOME",
];

/// Names, or with `*` the beginnings of names, of variables that say which settings a program obeys that runs, writes or
/// sends what they say: git(1), "GIT_CONFIG_GLOBAL"; git-config(1), "ENVIRONMENT"; curl(1), "Config file"; wget(1), "Wgetrc
/// Location".
const SETTINGS: &[&str] = &[
    "GIT_CONFIG",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_KEY_*",
    "CURL_HOME",
    "WGETRC",
    "SYSTEM_WGETRC",
];

/// Whether `setting`, as `NAME=value`, says which settings a program obeys. Without a file there are none.
pub(crate) fn names_settings(setting: &str) -> bool {
    let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
    !matches!(value, "" | "/dev/null") && is_listed(SETTINGS, name)
}

/// Whether the variable called `name` holds a program, or a command line, that other programs run.
pub(crate) fn names_program(name: &str) -> bool {
    PROGRAMS.iter().any(|end| name.ends_with(end)) || name == "GIT_SSH"
}

/// Whether the variable called `name` holds a file or a folder that is written.
pub fn names_written(name: &str) -> bool {
    is_listed(WRITTEN, name)
}

fn is_listed(list: &[&str], name: &str) -> bool {
    list.iter().any(|listed| match listed.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *listed,
    })
}

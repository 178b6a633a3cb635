//! The caches of tools, by name. All are read-only unless the walls name them: what is put into one is run later by
//! builds without walls.

/// The cache of one tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// What the walls call it.
    pub name: &'static str,
    /// Its files and folders, relative to the home folder.
    pub places: &'static [&'static str],
}

/// Every cache that can be made writable. What of the tool's folders holds settings or credentials is not in it.
pub const CACHES: &[Cache] = &[
    // The Cargo Book, "Cargo Home"; the lock files are those of cargo's `util/cache_lock.rs`.
    Cache {
        name: "cargo",
        places: &[
            ".cargo/registry",
            ".cargo/git",
            ".cargo/.package-cache",
            ".cargo/.package-cache-mutate",
            ".cargo/.global-cache",
        ],
    },
    // go help environment: GOMODCACHE, GOCACHE.
    Cache { name: "go", places: &["go/pkg", ".cache/go-build"] },
    // docs.npmjs.com, "folders" and "config": cache.
    Cache { name: "npm", places: &[".npm/_cacache", ".npm/_logs", ".npm/_npx", ".npm/_prebuilds"] },
    // pnpm.io, settings: storeDir, cacheDir.
    Cache { name: "pnpm", places: &[".local/share/pnpm/store", ".cache/pnpm"] },
    // classic.yarnpkg.com, "yarn cache"; yarnpkg.com, configuration: globalFolder.
    Cache { name: "yarn", places: &[".cache/yarn", ".yarn/berry/cache"] },
    // bun.sh, "Global cache".
    Cache { name: "bun", places: &[".bun/install/cache"] },
    // docs.deno.com, DENO_DIR.
    Cache { name: "deno", places: &[".cache/deno"] },
    // pip.pypa.io, "Caching".
    Cache { name: "pip", places: &[".cache/pip"] },
    // docs.astral.sh/uv, "Caching".
    Cache { name: "uv", places: &[".cache/uv"] },
    // python-poetry.org, configuration: cache-dir.
    Cache { name: "poetry", places: &[".cache/pypoetry"] },
    // docs.gradle.org, "Directory Layout". Not `gradle.properties`, `init.d`, `init.gradle`. In `workers` its workers start.
    Cache {
        name: "gradle",
        places: &[".gradle/caches", ".gradle/wrapper", ".gradle/native", ".gradle/notifications", ".gradle/workers"],
    },
    // maven.apache.org, settings: localRepository. Not `settings.xml`.
    Cache { name: "maven", places: &[".m2/repository"] },
    // learn.microsoft.com, "Managing the global packages folder".
    Cache { name: "nuget", places: &[".nuget/packages", ".local/share/NuGet"] },
    // ccache.dev, "cache_dir".
    Cache { name: "ccache", places: &[".cache/ccache", ".ccache"] },
    // github.com/mozilla/sccache, docs/Local.md.
    Cache { name: "sccache", places: &[".cache/sccache"] },
    // playwright.dev, "Managing browser binaries".
    Cache { name: "playwright", places: &[".cache/ms-playwright"] },
    // pre-commit.com, "Managing cache".
    Cache { name: "pre-commit", places: &[".cache/pre-commit"] },
    // ziglang.org, `zig env`: global_cache_dir.
    Cache { name: "zig", places: &[".cache/zig"] },
];

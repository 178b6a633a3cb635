//! Commands that look for files by the names that credentials have.

use super::invocation::Invocation;
use crate::command_line::Part;
use crate::path::{ends_like_source, is_credential_name, may_hold, may_match};
use crate::programs;

/// Options of find(1) and fd(1) whose value is a pattern of names.
const NAME_OPTIONS: &[&str] = &["-name", "-iname", "-path", "-ipath", "-wholename", "-regex"];

/// The name of the credentials that `find` looks for, in a folder that is not below the one it runs in.
pub(super) fn searches_credentials(part: &Part) -> Option<String> {
    let invocation = Invocation::of(part)?;
    let words = &invocation.words;
    let elsewhere = |text: &str| text.starts_with(['/', '~', '$']) || text.split('/').any(|part| part == "..");
    let in_folders = |pattern: Option<&str>| {
        let pattern = pattern.filter(|pattern| is_for_credentials(pattern))?;
        let there = part.folders.iter().any(|folder| elsewhere(folder));
        (there || words.iter().any(|word| *word != pattern && elsewhere(word))).then(|| pattern.to_owned())
    };
    match programs::called_like(invocation.program) {
        // fd(1): the pattern comes first. ripgrep(1): `--files` lists names, those of `-g` alone.
        "fd" => in_folders(words.iter().find(|word| !word.starts_with('-')).copied()),
        "rg" => {
            let is_glob = |option: &str| matches!(option, "-g" | "--glob" | "--iglob");
            let next = words.iter().zip(words.iter().skip(1)).find(|(option, _)| is_glob(option));
            let glued = || words.iter().find_map(|word| word.strip_prefix("--glob=").or(word.strip_prefix("-g")));
            in_folders(next.map(|(_, value)| *value).or_else(glued))
        }
        "find" => {
            let mut roots = words.iter().take_while(|word| !word.starts_with(['-', '(', '!']));
            let there = part.folders.iter().any(|folder| elsewhere(folder));
            let kept = roots.clone().find(|root| elsewhere(root) && may_hold(root)).map(|root| (*root).to_owned());
            if kept.is_some() || !(there || roots.any(|root| elsewhere(root))) {
                return kept;
            }
            let pairs = words.iter().zip(words.iter().skip(1));
            let mut patterns = pairs.filter(|(option, _)| NAME_OPTIONS.contains(option)).map(|(_, value)| *value);
            patterns.find(|pattern| is_for_credentials(pattern)).map(str::to_owned)
        }
        "locate" => words.iter().find(|word| is_for_credentials(word)).map(|word| (*word).to_owned()),
        _ => None,
    }
}

/// Whether a pattern of text, as grep(1) takes it, is meant to leave the names of files that hold credentials.
pub(super) fn names_credential(pattern: &str) -> bool {
    let plain = pattern.to_lowercase().replace(['\\', '^', '$'], "");
    let pieces = || plain.split(['|', '(', ')']);
    let ends = |piece: &str| [".pem", ".kdbx", ".ppk", ".p12", ".pfx"].contains(&piece);
    let is_name = |piece: &str| piece.len() > 3 && !piece.starts_with('-') && is_for_credentials(piece);
    // `id_(rsa|ed25519)`: a key of ssh by half of its name.
    plain.contains("id_(") || pieces().any(|piece| ends(piece) || is_name(piece))
}

/// Whether `part` looks into a folder that is not below the one it runs in.
pub(super) fn looks_beyond(part: &Part) -> bool {
    let elsewhere = |text: &str| text.starts_with(['/', '~', '$']) || text.split('/').any(|part| part == "..");
    part.folders.iter().any(|folder| elsewhere(folder)) || part.words.iter().skip(1).any(|word| elsewhere(&word.text))
}

/// Whether a pattern of names is meant to find files that hold credentials: `id_rsa`, `*/.aws/credentials`, `.env*`.
fn is_for_credentials(pattern: &str) -> bool {
    // What people look for who want to log in as somebody else: keys and stores of passwords, by name and by ending.
    const KNOWN: &[&str] = &[
        ".env",
        "id_rsa",
        "id_ed25519",
        "credentials",
        ".netrc",
        ".git-credentials",
        ".pgpass",
        "authorized_keys",
        "shadow",
        "accesstokens.json",
        "access_tokens.db",
        "azureprofile.json",
        "login data",
    ];
    const ENDINGS: &[&str] = &[".pem", ".gpg", ".pgp", ".asc"];
    const WORDS: &[&str] =
        &["passw", "secret", "credential", "private_key", "privatekey", "keychain", "api_key", "apikey"];
    const FOLDERS: &[&str] = &[".ssh", ".aws", ".gnupg", ".kube", ".azure", ".mozilla", ".password-store"];
    // `.*/\.ssh/.*`, as find(1) `-regex` takes it.
    let pattern = pattern.replace('\\', "").to_lowercase();
    let last = pattern.rsplit('/').next().unwrap_or(&pattern);
    let literal = last.trim_matches('*');
    let is_folder = |name: &str| {
        FOLDERS.iter().any(|folder| name == *folder || name.len() > 4 && name.contains('*') && may_match(name, folder))
    };
    // `*` alone finds everything, and one letter in front of an ending is a name.
    let named = is_credential_name(literal) || is_credential_name(&last.replace('*', "x"));
    // `*.json` says what kind of file, and not which: of the known names it means none.
    let is_ending = last.starts_with('*') && literal.starts_with('.');
    let is_known = |name: &&str| if is_ending { *name == literal } else { may_match(last, name) };
    let found = literal.len() > 3 && KNOWN.iter().any(is_known);
    let ends = ENDINGS.contains(&literal);
    let says = WORDS.iter().any(|word| literal.contains(word)) && !ends_like_source(last);
    pattern.split('/').any(is_folder) || named || found || ends || says
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::{CommandLine, Shell};

    fn found(line: &str) -> Option<String> {
        CommandLine::analyse(line, Shell::Bash).parts.iter().find_map(searches_credentials)
    }

    #[test]
    fn a_search_for_credentials_counts_beyond_the_folder_only() {
        for line in [
            "find / -name id_rsa",
            "find .. -name '.env*'",
            "cd / && find . -name credentials",
            "find $HOME -iname '*credentials*'",
            "find ~/.aws -name x",
            "find / -path '*/.ssh/*'",
            "find / -regex '.*/\\.ssh/.*'",
            "find / -name '*.pem'",
            "find /home -name '*.key' -o -name '*.txt'",
            "find / -name accessTokens.json",
            "find / -type d -name '*aws*'",
            "find / -iname '*passw*'",
            "fd id_rsa /",
            "fd -H credentials ..",
            "cd / && fd shadow",
            "rg --files / -g id_rsa",
            "rg --files --glob='*.pem' ~",
            "locate shadow",
        ] {
            assert!(found(line).is_some(), "{line}");
        }
        for line in [
            "find . -name .env",
            "find / -name '*.rs'",
            "find src -name credentials.ts",
            "find / -name '*'",
            "find ~/app -name '*.json'",
            "cd /srv/app && rg -n a -g '*.json*' src",
            "find .. -name '*Password*.tsx'",
            "find /usr -name 'lib*'",
            "fd id_rsa",
            "fd main /usr/include",
            "rg secret ..",
            "rg --files -g '*.rs' /usr/share",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}

//! Names that mean the same: of programs, of sub-commands, of what they work on.
//!
//! Sources: The Cargo Book, "Cargo Commands" (built-in aliases); npm's own `lib/utils/cmd-list.js`; the reference pages
//! of pnpm, yarn, Bun, Docker, kubectl (`kubectl api-resources`), helm and gh; git(1), git-remote(1), git-stash(1);
//! pip(1); brew(1); Composer documentation; svn(1), hg(1); dnf(8), zypper(8); the packages `nodejs`, `fd-find`,
//! `bat` of Debian and `coreutils` of Homebrew and Ubuntu, which have other names for the programs.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::command_line::{Word, WordKind};
use super::super::vetoes::uses;
use super::super::wrapper::base_name;
use super::options::takes_next;
use super::synonyms;

/// Programs under their first name.
const PROGRAMS: &[&str] = &[
    "python python3 python2 py",
    "pip pip3 pip2",
    "node nodejs",
    "awk gawk mawk nawk original-awk",
    "grep egrep fgrep rgrep ggrep",
    "sed gsed",
    "tar gtar bsdtar",
    "find gfind",
    "xargs gxargs",
    "make gmake",
    "fd fdfind",
    "bat batcat",
    "apt-get apt",
    "dnf yum dnf5 microdnf",
    "pwsh powershell",
    "mysql mariadb",
    "yarn yarnpkg yarn.js yarn.cjs",
    "npm npm-cli.js",
    "npx npx-cli.js",
    "pnpm pnpm.js pnpm.cjs",
    "nvim neovim",
    "sudo sudo-rs",
    "doas doas-rs",
    "nc ncat netcat nc.openbsd nc.traditional",
    "vim vim.basic vim.tiny vim.nox vim.gtk3",
    "wget wget2",
    "perl perl5",
    "7z 7za 7zr 7zz",
    "kubectl microk8s.kubectl kubecolor oc",
    "terraform tofu terragrunt",
    "aws awslocal",
    "git hub yadm",
];

static FIRST_NAMES: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let first = |names: &'static str| names.split(' ').next().unwrap_or_default();
    PROGRAMS.iter().flat_map(|names| names.split(' ').map(move |name| (name, first(names)))).collect()
});

/// Programs that have a version at the end of their name: `pip3.12`, `ruby2.7`, `php8.3`.
const VERSIONED: &str = "python pip pypy ruby gem perl php lua node clang gcc java go rake irb bundle erl";

/// Programs that some systems install with `g`, `gnu` or `uu_` in front, and zsh has with `zf_` (zshmodules(1), "zsh/files").
const COREUTILS: &str = "rm rmdir unlink mv cp ln install dd tee truncate touch mkdir mkfifo mknod mktemp chmod chown chgrp shred \
    split csplit cat ls kill timeout nice nohup env stdbuf chroot date sort head tail sync";

/// Another program's sub-command: `npx x` is `npm exec x`.
const SHORT: &[(&str, &[&str])] = &[
    ("npx", &["npm", "exec"]),
    ("pnpx", &["pnpm", "dlx"]),
    ("bunx", &["bun", "x"]),
    ("uvx", &["uv", "tool", "run"]),
    ("docker-compose", &["docker", "compose"]),
    ("podman-compose", &["podman", "compose"]),
];

/// Programs whose sub-commands are programs of their own: `git-push` (git(1), "--exec-path"), `cargo-clippy`.
const HYPHENATED: &str = "git cargo docker kubectl gh hg";

/// Sub-commands that are the same, the first name first; the names of one are separated by `|`, its words by blanks.
const SUB_COMMANDS: &[(&str, &[&str])] = &[
    (
        "docker podman nerdctl",
        &[
            "rm|container rm|container remove",
            "rmi|image rm|image remove",
            "ps|container ls|container list|container ps",
            "images|image ls|image list",
            "run|container run",
            "exec|container exec",
            "create|container create",
            "start|container start",
            "stop|container stop",
            "restart|container restart",
            "kill|container kill",
            "pause|container pause",
            "attach|container attach",
            "commit|container commit",
            "cp|container cp",
            "export|container export",
            "logs|container logs",
            "rename|container rename",
            "update|container update",
            "wait|container wait",
            "push|image push",
            "pull|image pull",
            "build|image build|buildx build|builder build",
            "load|image load",
            "import|image import",
            "save|image save",
            "tag|image tag",
            "history|image history",
            "info|system info",
            "events|system events",
            "volume rm|volume remove",
            "volume ls|volume list",
            "network rm|network remove",
            "network ls|network list",
            "context rm|context remove",
            "secret rm|secret remove",
            "config rm|config remove",
            "service rm|service remove",
            "stack rm|stack remove|stack down",
            "stack deploy|stack up",
            "node rm|node remove",
            "plugin rm|plugin remove",
            "compose rm|compose remove",
        ],
    ),
    (
        "npm",
        &[
            "install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add",
            "uninstall|unlink|remove|rm|r|un",
            "run|run-script|rum|urn",
            "exec|x",
            "publish|pub",
            "update|up|upgrade|udpate",
            "view|info|show|v",
            "ci|clean-install|ic|install-clean|isntall-clean",
            "install-test|it",
            "install-ci-test|cit|clean-install-test|sit",
            "test|tst|t",
            "create|init|innit",
            "ls|list|ll|la",
            "dedupe|ddp",
            "rebuild|rb",
            "search|s|se|find",
            "link|ln",
            "config|c",
            "adduser|add-user",
            "dist-tag|dist-tags",
            "owner|author",
            "org|ogr",
            "token|tokens",
            "docs|home",
            "bugs|issues",
            "explain|why",
            "help|hlep",
        ],
    ),
    (
        "pnpm",
        &[
            "install|i",
            "add|install-pkg",
            "remove|rm|uninstall|un",
            "update|up|upgrade",
            "run|run-script",
            "list|ls",
            "unlink|dislink",
            "exec|x",
        ],
    ),
    (
        "yarn",
        &[
            "add|npm add",
            "publish|npm publish",
            "run|run-script",
            "upgrade|up",
            "unpublish|npm unpublish",
            "tag|npm tag",
        ],
    ),
    ("bun", &["add|a", "install|i", "remove|rm", "run|r", "create|c", "x|exec"]),
    ("cargo", &["build|b", "check|c", "doc|d", "test|t", "run|r", "remove|rm"]),
    (
        "git",
        &[
            "remote remove|remote rm",
            "add|stage",
            "stash push|stash save",
            "blame|annotate",
            "push|subtree push|for-each-repo push|submodule foreach push|send-pack",
        ],
    ),
    (
        "gh",
        &[
            "pr list|pr ls",
            "pr create|pr new",
            "pr checkout|co|pr co",
            "issue list|issue ls",
            "issue create|issue new",
            "repo list|repo ls",
            "repo create|repo new",
            "release list|release ls",
            "release create|release new",
            "gist list|gist ls",
            "gist create|gist new",
            "run list|run ls",
            "workflow list|workflow ls",
            "codespace|cs",
            "ruleset|rs",
            "extension|extensions|ext",
            "attestation|at",
            "secret delete|secret remove",
            "variable delete|variable remove",
            "secret list|secret ls",
        ],
    ),
    (
        "helm",
        &[
            "uninstall|delete|del|un",
            "list|ls",
            "repo remove|repo rm",
            "repo list|repo ls",
            "plugin uninstall|plugin remove|plugin rm",
            "dependency|dep|dependencies",
        ],
    ),
    ("brew", &["uninstall|remove|rm", "install|instal", "list|ls", "home|homepage", "doctor|dr"]),
    ("composer", &["require|r", "install|i", "update|u|upgrade", "remove|rm|uninstall"]),
    (
        "svn",
        &[
            "delete|del|remove|rm",
            "commit|ci",
            "checkout|co",
            "copy|cp",
            "move|mv|rename|ren",
            "switch|sw",
            "update|up",
            "status|stat|st",
            "revert",
        ],
    ),
    ("hg", &["commit|ci", "update|up|checkout|co", "remove|rm", "copy|cp", "rename|move|mv"]),
    ("dnf", &["remove|erase|rm", "install|in", "upgrade|update|up"]),
    ("zypper", &["install|in", "remove|rm", "update|up", "dist-upgrade|dup"]),
    ("conda mamba micromamba", &["remove|uninstall", "update|upgrade", "env remove|env rm"]),
    ("apk", &["del|delete"]),
    ("gem", &["uninstall", "install|i"]),
    ("asdf mise rtx", &["exec|x", "install|i", "uninstall|remove|rm", "use|u"]),
    ("ollama", &["list|ls"]),
    (
        "terraform",
        &["apply|run-all apply|run apply|run -- apply", "destroy|run-all destroy|run destroy|run -- destroy"],
    ),
];

/// Kinds of objects of Kubernetes that are the same (`kubectl api-resources`).
const KINDS: &[&str] = &[
    "pod pods po",
    "service services svc",
    "deployment deployments deploy",
    "namespace namespaces ns",
    "configmap configmaps cm",
    "secret secrets",
    "node nodes no",
    "persistentvolume persistentvolumes pv",
    "persistentvolumeclaim persistentvolumeclaims pvc",
    "replicaset replicasets rs",
    "replicationcontroller replicationcontrollers rc",
    "statefulset statefulsets sts",
    "daemonset daemonsets ds",
    "ingress ingresses ing",
    "job jobs",
    "cronjob cronjobs cj",
    "serviceaccount serviceaccounts sa",
    "event events ev",
    "endpoints endpoint ep",
    "customresourcedefinition customresourcedefinitions crd crds",
    "horizontalpodautoscaler horizontalpodautoscalers hpa",
    "networkpolicy networkpolicies netpol",
    "storageclass storageclasses sc",
    "role roles",
    "rolebinding rolebindings",
    "clusterrole clusterroles",
    "clusterrolebinding clusterrolebindings",
    "resourcequota resourcequotas quota",
    "limitrange limitranges limits",
    "poddisruptionbudget poddisruptionbudgets pdb",
];

/// Programs that take the beginning of a sub-command's name: `npm help`, gem(1), hg(1), ip(8), bundler (Thor).
const ABBREVIATING: &str = "npm gem hg bundle ip nmcli tc rails thor";

/// The most operands at which a sub-command may stand behind options that may have a value.
const MAX_PLACES: usize = 4;

fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == name)
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
    let base = if plain.len() < base.len() && listed(VERSIONED, plain) { plain } else { base };
    let bare = ["g", "gnu", "uu_", "uu-", "zf_"].iter().filter_map(|start| base.strip_prefix(start));
    let base = bare.into_iter().find(|name| listed(COREUTILS, name)).unwrap_or(base);
    FIRST_NAMES.get(base).copied().unwrap_or(base).to_owned()
}

/// Whether the beginning of the name of a sub-command is enough for `program`.
pub(super) fn abbreviates(program: &str) -> bool {
    listed(ABBREVIATING, program)
}

/// Whether `text` may be short for `sub_command` of `program`, and has no other meaning that is known.
pub(super) fn may_be_short_for(program: &str, text: &str, sub_command: &str) -> bool {
    let is_name = |text: &str| groups(program).any(|group| group.split(['|', ' ']).any(|name| name == text));
    abbreviates(program) && !text.is_empty() && text != sub_command && sub_command.starts_with(text) && !is_name(text)
}

/// Whether `text` is the kind `kind` of objects of Kubernetes, or names one of them: `pods`, `po/x`, `deploy.apps`.
pub(super) fn is_kind(program: &str, text: &str, kind: &str) -> bool {
    let of = |name: &str| KINDS.iter().position(|names| listed(names, name));
    let names = || text.split(',').map(|name| name.split(['/', '.']).next().unwrap_or_default().to_ascii_lowercase());
    matches!(program, "kubectl" | "oc")
        && of(&kind.to_ascii_lowercase()).is_some_and(|kind| names().any(|name| of(&name) == Some(kind)))
}

fn groups(program: &str) -> impl Iterator<Item = &'static str> + '_ {
    SUB_COMMANDS
        .iter()
        .filter(move |(programs, _)| listed(programs, program))
        .flat_map(|(_, groups)| groups.iter().copied())
}

/// Whether `first` is the first word of a sub-command that has another name.
fn has_second(program: &str, first: &str) -> bool {
    let names = groups(program).flat_map(|group| group.split('|'));
    names.into_iter().any(|name| name.split_once(' ').is_some_and(|(word, _)| word == first))
}

/// The first name of the sub-command that `words` begin with, and how many of them it takes.
fn sub_command<'a>(program: &str, words: &[&str]) -> Option<(&'a str, usize)> {
    let mut best: Option<(&str, usize)> = None;
    for group in groups(program) {
        let first = group.split('|').next().unwrap_or_default();
        for name in group.split('|') {
            let parts = name.split(' ').count();
            let is = words.len() >= parts && name.split(' ').eq(words.iter().take(parts).copied());
            if is && best.is_none_or(|(_, longest)| parts > longest) {
                best = Some((first, parts));
            }
        }
    }
    best.filter(|(first, parts)| {
        *parts != first.split(' ').count() || !first.split(' ').eq(words.iter().take(*parts).copied())
    })
}

/// The words that stand for the program with the first name `name`: `npm exec` for `npx`, `git push` for `git-push`.
pub(super) fn longer(name: &str) -> Option<Vec<String>> {
    if let Some((_, long)) = SHORT.iter().find(|(short, _)| *short == name) {
        return Some(long.iter().map(|word| (*word).to_owned()).collect());
    }
    let (program, sub) = name.split_once('-')?;
    (listed(HYPHENATED, program) && !sub.is_empty()).then(|| vec![program.to_owned(), sub.to_owned()])
}

/// The beginning of a pattern under first names: see [`readings`].
pub(super) fn of_pattern(words: &[&str]) -> Option<(Vec<String>, usize)> {
    let long = longer(&canonical(words.first()?));
    let is_longer = long.is_some();
    let mut first = long.unwrap_or_else(|| words.iter().take(1).map(|word| (*word).to_owned()).collect());
    first.extend(words.iter().skip(1).map(|word| (*word).to_owned()));
    let program = canonical(first.first()?);
    let behind: Vec<&str> = first.iter().skip(1).map(String::as_str).collect();
    let renamed = sub_command(&program, &behind);
    if let Some((name, parts)) = renamed {
        let mut all: Vec<String> = first.iter().take(1).cloned().collect();
        all.extend(name.split(' ').map(str::to_owned));
        all.extend(first.iter().skip(1 + parts).cloned());
        return Some((all, words.len()));
    }
    is_longer.then_some((first, words.len()))
}

/// The same command under first names, in every way in which it may be read: `docker container rm` as `docker rm`,
/// `npm x` as `npm exec`, `git-push` as `git push`, `cargo +nightly publish` as `cargo publish`.
pub(crate) fn readings(words: &[Word]) -> Vec<Vec<Word>> {
    let Some(program) = words.first().filter(|word| word.kind != WordKind::Varies) else { return Vec::new() };
    let exact = |text: &str| Word { text: text.to_owned(), kind: WordKind::Exact };
    let mut found = Vec::new();
    let mut words: Cow<'_, [Word]> = Cow::Borrowed(words);
    if let Some(first) = longer(&canonical(&program.text)) {
        let all: Vec<Word> = first.iter().map(|text| exact(text)).chain(words.iter().skip(1).cloned()).collect();
        found.push(all.clone());
        words = Cow::Owned(all);
    }
    let name = words.first().map(|word| canonical(&word.text)).unwrap_or_default();
    if let Some(rest) = without_release(&name, &words) {
        found.push(rest.clone());
        words = Cow::Owned(rest);
    }
    found.extend(by_option(&name, &words));
    found.extend(by_alias(&name, &words));
    found.extend(synonyms::by_signal(&name, &words));
    found.extend(synonyms::by_mode(&name, &words));
    if let Some(other) = synonyms::by_option(&name, &words) {
        found.push(other.clone());
        words = Cow::Owned(other);
    }
    if groups(&name).next().is_none() {
        return found;
    }
    for start in places(&name, &words) {
        // Options may stand between the words of a sub-command.
        let plain: Vec<usize> = (start..words.len())
            .filter(|index| words.get(*index).is_some_and(|word| !word.text.starts_with('-')))
            .take(3)
            .collect();
        let texts: Vec<&str> =
            plain.iter().filter_map(|index| words.get(*index)).map(|word| word.text.as_str()).collect();
        // `docker container $x`: it may be any.
        let varies = |at: usize| {
            plain.get(at).and_then(|index| words.get(*index)).is_some_and(|word| word.kind == WordKind::Varies)
        };
        if varies(1) && texts.first().is_some_and(|first| has_second(&name, first)) {
            let behind = plain.get(1).map_or(words.len(), |index| index + 1);
            let mut all: Vec<Word> = words.iter().take(start).cloned().collect();
            all.push(Word::unknown());
            all.extend(words.iter().skip(behind).cloned());
            found.push(all);
        }
        let Some((first, parts)) = sub_command(&name, &texts) else { continue };
        let taken: Vec<usize> = plain.into_iter().take(parts).collect();
        let mut all: Vec<Word> = words.iter().take(start).cloned().collect();
        all.extend(first.split(' ').map(exact));
        let rest = words.iter().enumerate().skip(start).filter(|(index, _)| !taken.contains(index));
        all.extend(rest.map(|(_, word)| word.clone()));
        found.push(all);
    }
    found
}

/// Sub-commands of git that only its own scripts and servers use, beside those whose operands are known.
const GIT_OTHERS: &str = "config submodule filter-branch credential credential-cache credential-store svn p4 daemon instaweb hook shell \
    http-backend http-fetch http-push upload-pack upload-archive receive-pack multi-pack-index prune-packed mailsplit \
    get-tar-commit-id imap-send bugreport diagnose update-server-info cvsserver cvsimport cvsexportcommit archimport quiltimport \
    merge-one-file merge-recursive merge-resolve merge-octopus merge-ours sh-setup sh-i18n web--browse for-each-repo refs \
    replay range-diff fsmonitor--daemon";

/// A sub-command of git or gh that is not known, and so may be an alias of any other (git-config(1), `alias.*`,
/// `help.autoCorrect`; `gh alias`).
fn by_alias(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    let place = *places(name, words).first().filter(|_| matches!(name, "git" | "gh"))?;
    let sub = words.get(place).filter(|word| word.kind == WordKind::Exact)?.text.as_str();
    let known =
        uses::is_sub_command(name, sub) || name == "git" && listed(GIT_OTHERS, sub) || name == "gh" && sub == "alias";
    (!known).then(|| replaced(words, place))
}

/// Variables that hold options of a program, or aliases (git-config(1), "Environment"; Terraform, "Environment Variables").
const HOLD_WORDS: &[&str] =
    &["GIT_CONFIG", "CARGO_ALIAS_", "TF_CLI_ARGS", "npm_config_", "NPM_CONFIG_", "DOCKER_OPTS", "HELM_OPTS"];

/// `words` with a word of which nothing is known behind the program, where `assignments` may add one.
pub(crate) fn with_added(assignments: &[String], words: &[Word]) -> Option<Vec<Word>> {
    let adds = |assignment: &String| HOLD_WORDS.iter().any(|start| assignment.starts_with(start));
    assignments.iter().any(adds).then(|| replaced(words, 1))
}

/// `words` with one of which nothing is known in the place of that at `place`.
fn replaced(words: &[Word], place: usize) -> Vec<Word> {
    let behind = words.iter().skip(place + 1).cloned();
    words.iter().take(place).cloned().chain([Word::unknown()]).chain(behind).collect()
}

/// A sub-command that an option makes another one: `terraform apply -destroy` (Terraform documentation, "destroy").
fn by_option(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    let is_option = |word: &Word| matches!(word.text.trim_start_matches('-').split('=').next(), Some("destroy"));
    let sub = words.iter().position(|word| word.text == "apply")?;
    let option = words.iter().position(|word| word.text.starts_with('-') && is_option(word))?;
    matches!(name, "terraform" | "tofu" | "terragrunt").then(|| {
        let renamed = |(index, word): (usize, &Word)| match index {
            index if index == sub => Some(Word { text: "destroy".to_owned(), kind: WordKind::Exact }),
            index if index == option => None,
            _ => Some(word.clone()),
        };
        words.iter().enumerate().filter_map(renamed).collect()
    })
}

/// Where a sub-command may stand: the first word that is surely no value of an option, and those in front of it.
fn places(name: &str, words: &[Word]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut index = 1;
    let mut behind_option = false;
    while let Some(word) = words.get(index).filter(|_| places.len() < MAX_PLACES) {
        let text = word.text.as_str();
        if text.starts_with('-') && text.len() > 1 {
            let takes = takes_next(name, text);
            behind_option = !takes && !text.contains('=');
            index += if takes { 2 } else { 1 };
            continue;
        }
        places.push(index);
        if !behind_option {
            break;
        }
        behind_option = false;
        index += 1;
    }
    places
}

/// Words in front of a sub-command that say which release of the program is meant: `cargo +nightly`, `gcloud beta`
/// (The rustup book, "Overrides"; gcloud reference).
fn without_release(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    let is_release = |index: &usize| {
        let text = words.get(*index).map_or("", |word| word.text.as_str());
        match name {
            "cargo" | "rustc" | "rustup" => *index == 1 && text.starts_with('+'),
            "gcloud" => matches!(text, "alpha" | "beta" | "preview"),
            _ => false,
        }
    };
    let index = places(name, words).into_iter().find(is_release)?;
    Some(words.iter().take(index).chain(words.iter().skip(index + 1)).cloned().collect())
}

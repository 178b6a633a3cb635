//! Which settings of a repository make git run a program, and for which commands.
//!
//! Sources: git-config(1), gitattributes(5), githooks(5), gitremote-helpers(7) of git 2.47, and
//! git-lfs-config(5). Settings that only git's system-wide or user-level files may hold (`safe.*`,
//! `uploadpack.packObjectsHook`) count all the same: it costs nothing.

use crate::facts::GitSetting;

/// Which git commands are reached by a setting that runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReachedCommands {
    /// All that open the repository.
    All,
    /// Those that talk to another repository, and all in a partial clone, which fetches when it needs to.
    Network,
    /// The one that is called so.
    Named,
    /// Those that change something: hooks, editors, merge drivers.
    Change,
    /// Those that merge again in order to show what a merge changed.
    Remerge,
    /// Those that bring files of a branch: what a setting names may be one of these by then.
    Branch,
    /// Those that look at a repository that is not the project's own: missing objects are fetched from where it
    /// says. In the project's own that is the server that it was cloned from.
    PartialClone,
}

/// Commands that talk to another repository.
const NETWORK: &str = "clone fetch pull push ls-remote remote submodule archive fetch-pack send-pack lfs svn p4 send-email bundle \
    maintenance backfill http-fetch http-push";
/// Hooks that run when a command only looks: githooks(5), "post-index-change" and "fsmonitor-watchman".
const HOOKS_OF_ALL: &str = "post-index-change";
/// All others.
const HOOKS: &str = "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg \
    post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update \
    reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate p4-changelist p4-prepare-changelist \
    p4-post-changelist p4-pre-submit";
/// Credential helpers that come with git or with a system: gitcredentials(7).
const CREDENTIAL_HELPERS: &str = "cache store osxkeychain manager manager-core manager-ui wincred libsecret gnome-keyring netrc oauth \
    !gh !glab";
/// Filters that many repositories name, as programs of the person's own search path: git-lfs-install(1),
/// git-crypt's README.
const FILTERS: &[&str] = &[
    "git-lfs clean -- %f",
    "git-lfs smudge -- %f",
    "git-lfs smudge --skip -- %f",
    "git-lfs filter-process",
    "git-lfs filter-process --skip",
    "git lfs clean -- %f",
    "git lfs smudge -- %f",
    "\"git-crypt\" clean",
    "\"git-crypt\" smudge",
    "\"git-crypt\" diff",
    "git-crypt clean",
    "git-crypt smudge",
    "git-crypt diff",
    "cat",
];
const PAGERS: &str = "cat less more most delta bat diff-so-fancy diff-highlight";
/// Words of a key that sound like a program, in sections that are not known here.
const LIKE_A_PROGRAM: &[&str] = &["command", "cmd", "exec", "program", "hook", "helper", "driver", "script", "editor"];
/// Sections in which such words mean none: git-config(1).
const HARMLESS_SECTIONS: &str = "advice branch user author committer color gitflow gui gitk";

/// Options of git-merge(1) that name nothing.
const HARMLESS_MERGE: &str = "--ff --no-ff --ff-only --squash --no-squash --commit --no-commit --edit --no-edit --log --no-log --stat \
    --no-stat -n --signoff --no-signoff -q --quiet -v --verbose";

/// Settings of `http.*` that only say how git talks.
const HARMLESS_HTTP: &str = "postbuffer lowspeedlimit lowspeedtime version useragent maxrequests minsessions noepsv sslversion \
    sslcipherlist ssltry sslbackend extraheader emptyauth keepaliveidle keepaliveinterval keepalivecount maxretries retryafter \
    maxretrytime proactiveauth sslcertpasswordprotected";

impl GitSetting {
    /// The name as git writes it, such as `diff.word.textconv`.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.subsection {
            Some(subsection) => format!("{}.{subsection}.{}", self.section, self.key),
            None => format!("{}.{}", self.section, self.key),
        }
    }

    /// The file that is read in this place, if it is an `include.path` or `includeIf.….path`.
    #[must_use]
    pub fn included(&self) -> Option<&str> {
        let includes = ["include", "includeif"].contains(&self.section.as_str()) && self.key == "path";
        self.value.as_deref().filter(|_| includes)
    }

    /// Where the hooks are, if it says so.
    #[must_use]
    pub fn hooks_path(&self) -> Option<&str> {
        let is = self.section == "core" && self.subsection.is_none() && self.key == "hookspath";
        self.value.as_deref().filter(|_| is)
    }

    /// Whether git may run a program because of it, or fetch what is missing.
    #[must_use]
    pub fn may_run(&self) -> bool {
        self.reach().is_some()
    }

    fn value(&self) -> &str {
        self.value.as_deref().unwrap_or("true")
    }

    pub(super) fn reach(&self) -> Option<ReachedCommands> {
        self.runs().or_else(|| self.shows()).or_else(|| self.loses())
    }

    /// What git may do because of it: the words before and after the setting.
    pub(super) fn deed(&self) -> [&'static str; 2] {
        match (self.shows(), self.loses()) {
            (Some(_), _) => ["may show what", "names"],
            (_, Some(_)) => ["may lose what", "lets it remove"],
            (None, None) => ["may run what", "says"],
        }
    }

    /// Files are read because of it, of which git shows lines.
    fn shows(&self) -> Option<ReachedCommands> {
        let value = self.value();
        match (self.section.as_str(), self.key.as_str()) {
            // A message shows a line: git-blame(1), git-fsck(1).
            ("blame", "ignorerevsfile") | ("fsck" | "fetch" | "receive", "skiplist") => {
                leads_out(value).then_some(ReachedCommands::All)
            }
            // git-check-attr(1), git-check-ignore(1), git-check-mailmap(1).
            ("core", "attributesfile" | "excludesfile") | ("mailmap", "file") => {
                (!value.is_empty()).then_some(ReachedCommands::All)
            }
            _ => None,
        }
    }

    /// Git removes because of it what nobody told it to.
    fn loses(&self) -> Option<ReachedCommands> {
        let value = self.value();
        match (self.section.as_str(), self.key.as_str()) {
            // git-fetch(1), "PRUNING": it removes what the other side has not, here where a person's own branches and tags lie.
            ("remote" | "fetch", "prunetags") => (!is_off(value)).then_some(ReachedCommands::Network),
            ("remote", "fetch") => {
                let to = value.split_once(':').map_or("", |(_, to)| to);
                (to.starts_with("refs/heads/") || to.starts_with("refs/tags/") || to == "refs/*")
                    .then_some(ReachedCommands::Network)
            }
            // git-gc(1), which runs behind others: what nothing names any more, as a dropped stash, is kept for a while.
            ("gc", "pruneexpire" | "reflogexpire" | "reflogexpireunreachable") => {
                (value != "never").then_some(ReachedCommands::Change)
            }
            _ => None,
        }
    }

    /// Programs are run because of it, or files of the project get a say in that.
    fn runs(&self) -> Option<ReachedCommands> {
        let value = self.value();
        let subsection = self.subsection.as_deref();
        let program = (!is_boolean(value)).then_some(());
        match (self.section.as_str(), self.key.as_str()) {
            ("core", "fsmonitor") => program.map(|()| ReachedCommands::All),
            ("core", "pager") | ("pager", _) => {
                (!is_boolean(value) && !is_pager(value)).then_some(ReachedCommands::All)
            }
            ("core", "sshcommand") => (!is_plain_ssh(value)).then_some(ReachedCommands::Network),
            ("core", "gitproxy" | "askpass" | "alternaterefscommand") => Some(ReachedCommands::Network),
            ("core", "editor") | ("sequence", "editor") | ("interactive", "difffilter") => {
                Some(ReachedCommands::Change)
            }
            // What they name lies among the files that a branch brings, unless it is in git's own folder or in the home folder.
            ("core", "hookspath") => {
                (!value.starts_with(".git/") && !value.starts_with('~')).then_some(ReachedCommands::Branch)
            }
            ("include" | "includeif", "path") => {
                (leads_out(value) && !value.starts_with('~')).then_some(ReachedCommands::Branch)
            }
            ("http", key) => (!is_harmless_http(key, value)).then_some(ReachedCommands::Network),
            // delta(1), "Configuration": it reads the repository's settings, too.
            ("delta", "pager") => (!is_pager(value)).then_some(ReachedCommands::All),
            // git-config(1), `branch.<name>.remote`: the name of a remote, or an address.
            ("branch", "remote" | "pushremote") | ("remote", "pushdefault") => {
                is_helper_address(value).then_some(ReachedCommands::Network)
            }
            ("remote", "proxy") => (!value.is_empty()).then_some(ReachedCommands::Network),
            ("extensions", "partialclone") => Some(ReachedCommands::PartialClone),
            ("extensions", _) => None,
            ("remote", "promisor") => Some(ReachedCommands::PartialClone),
            ("remote", "uploadpack" | "receivepack" | "vcs") => Some(ReachedCommands::Network),
            ("remote", "url" | "pushurl") => is_helper_address(value).then_some(ReachedCommands::Network),
            ("remote", _) => None,
            // git-merge(1): `-F` names a file, `-s` a program.
            ("branch", "mergeoptions") => {
                let known = value.split_ascii_whitespace().all(|option| listed(HARMLESS_MERGE, option));
                (!known).then_some(ReachedCommands::Change)
            }
            ("url", _) => subsection.is_some_and(is_helper_address).then_some(ReachedCommands::Network),
            ("protocol", "allow") => (value != "never").then_some(ReachedCommands::Network),
            ("uploadpack", "packobjectshook") => Some(ReachedCommands::Network),
            ("credential", "helper") => (!is_known_helper(value)).then_some(ReachedCommands::Network),
            ("diff", "external") => program.map(|()| ReachedCommands::All),
            ("diff", "command") => Some(ReachedCommands::All),
            // What a submodule holds is shown by a git that runs in it, also where the index names none.
            ("diff", "submodule") => (value == "diff").then_some(ReachedCommands::All),
            ("diff", "textconv") | ("filter", "clean" | "smudge" | "process") => {
                (!FILTERS.contains(&value) && !value.is_empty()).then_some(ReachedCommands::All)
            }
            ("gpg", "program" | "defaultkeycommand") => Some(ReachedCommands::All),
            ("gc", "recentobjectshook") | ("hook", "command") => Some(ReachedCommands::All),
            ("lfs", key) => {
                let runs = subsection.is_some_and(|name| {
                    let name = name.to_ascii_lowercase();
                    name.starts_with("extension.") || name.starts_with("customtransfer.")
                });
                (runs || key == "standalonetransferagent" || is_like_a_program(key)).then_some(ReachedCommands::All)
            }
            ("alias", _) => Some(ReachedCommands::Named),
            ("submodule", "update") => value.starts_with('!').then_some(ReachedCommands::Change),
            ("merge", "driver") => Some(ReachedCommands::Remerge),
            // git-log(1), `--diff-merges`: merges are done again, with their drivers.
            ("log", "diffmerges") => ["remerge", "r"].contains(&value).then_some(ReachedCommands::All),
            ("mergetool" | "difftool" | "guitool" | "man" | "browser", "cmd" | "path") => Some(ReachedCommands::Change),
            ("trailer", "command" | "cmd") | ("tar", "command") | ("init", "templatedir") => {
                Some(ReachedCommands::Change)
            }
            ("sendemail" | "imap" | "instaweb" | "web" | "help", _) => {
                is_like_a_program(&self.key).then_some(ReachedCommands::Change)
            }
            (section, _) if listed(HARMLESS_SECTIONS, section) => None,
            (_, key) => is_like_a_program(key).then_some(ReachedCommands::All),
        }
    }
}

/// What is known about a call of git.
#[derive(Clone, Copy, Debug)]
pub(super) struct GitCall<'a> {
    /// The sub-command.
    pub(super) command: &'a str,
    /// It is known only to look.
    pub(super) only_looks: bool,
    /// The repository fetches what is missing.
    pub(super) is_partial: bool,
    /// It may put files of a branch into the working folder.
    pub(super) brings: bool,
    /// It does merges again: git-log(1), `--remerge-diff`.
    pub(super) remerges: bool,
    /// The repository is the one that the project is.
    pub(super) is_own: bool,
    /// Whoever allowed the command means what that repository has it run, too.
    pub(super) means_own: bool,
}

impl GitCall<'_> {
    /// Whether a setting with this name and reach makes this call run something that nobody meant.
    ///
    /// A person who allows `git commit *` in a project means its hooks, too; not those of another
    /// repository that lies in it.
    pub(super) fn is_reached(self, name: &str, reach: ReachedCommands) -> bool {
        match reach {
            ReachedCommands::All => true,
            ReachedCommands::Network => {
                listed(NETWORK, self.command) || (self.is_partial && self.only_looks) || !self.is_own
            }
            ReachedCommands::Named => {
                name.rsplit('.').next().is_some_and(|alias| alias.eq_ignore_ascii_case(self.command))
                    || name.to_ascii_lowercase() == format!("alias.{}.command", self.command.to_ascii_lowercase())
            }
            ReachedCommands::Change => self.changes_unmeant() && may_run_hook(self.command, name),
            ReachedCommands::Remerge => self.remerges || self.changes_unmeant(),
            ReachedCommands::Branch => self.brings && self.changes_unmeant(),
            ReachedCommands::PartialClone => self.only_looks && !self.is_own,
        }
    }

    /// It changes something, and nobody meant what the repository has it run then.
    fn changes_unmeant(self) -> bool {
        let is_meant = self.is_own && self.means_own;
        !self.only_looks && !is_meant
    }
}

/// Sub-commands that run no hooks but these: githooks(5).
const RUN_ONLY: &[(&str, &str)] = &[
    ("add stage", ""),
    ("restore", "post-checkout"),
    ("branch tag stash", "reference-transaction"),
    // It packs what has come when there is much of it: git-fetch(1), "--auto-gc".
    ("fetch", "reference-transaction pre-auto-gc"),
    ("switch checkout worktree", "reference-transaction post-checkout"),
    ("commit", "pre-commit prepare-commit-msg commit-msg post-commit post-rewrite pre-auto-gc reference-transaction"),
    ("push", "pre-push reference-transaction"),
];

/// Whether the sub-command `command` may run a hook called `name`. What is no hook is none of those that it does not run.
fn may_run_hook(command: &str, name: &str) -> bool {
    let only = RUN_ONLY.iter().find(|(commands, _)| listed(commands, command)).map(|(_, hooks)| hooks);
    !listed(HOOKS, name) || only.is_none_or(|hooks| listed(hooks, name))
}

/// Whether git runs a file of this name as a hook.
pub(crate) fn is_hook(name: &str) -> bool {
    reach_of_hook(name).is_some()
}

/// Which commands a hook with this name is run by; `None`: it is none, as `pre-commit.sample`.
pub(super) fn reach_of_hook(name: &str) -> Option<ReachedCommands> {
    match name {
        name if listed(HOOKS_OF_ALL, name) => Some(ReachedCommands::All),
        name if listed(HOOKS, name) => Some(ReachedCommands::Change),
        _ => None,
    }
}

/// Whether a path leads out of the folder that it is relative to.
fn leads_out(path: &str) -> bool {
    path.starts_with(['/', '~']) || path.split('/').any(|component| component == "..")
}

/// git-config(1), "Values".
fn is_off(value: &str) -> bool {
    ["false", "no", "off", "0"].contains(&value.to_ascii_lowercase().as_str())
}

fn is_boolean(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    ["", "true", "yes", "on", "false", "no", "off"].contains(&value.as_str()) || value.parse::<i64>().is_ok()
}

fn is_pager(value: &str) -> bool {
    let mut words = value.split_ascii_whitespace();
    let known = words.next().is_some_and(|program| listed(PAGERS, program));
    // less(1): `-k`, `-o` and `+` name files or run commands.
    known
        && words
            .all(|word| word.strip_prefix('-').is_some_and(|flags| flags.chars().all(|c| "FRXSMiKQeEnNg".contains(c))))
}

/// ssh(1) with nothing but a key: `-i` names it, `IdentitiesOnly` uses no other.
fn is_plain_ssh(value: &str) -> bool {
    let mut words = value.split_ascii_whitespace();
    if words.next() != Some("ssh") {
        return false;
    }
    let is_plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "/~._-@+".contains(c));
    while let Some(word) = words.next() {
        let known = match word {
            "-i" => words.next().is_some_and(|file| !file.starts_with('-') && is_plain(file)),
            "-o" => words.next().is_some_and(|option| option.eq_ignore_ascii_case("IdentitiesOnly=yes")),
            "-F" => words.next() == Some("/dev/null"),
            "-oIdentitiesOnly=yes" | "-4" | "-6" | "-q" | "-v" | "-a" | "-x" => true,
            _ => false,
        };
        if !known {
            return false;
        }
    }
    true
}

/// gitremote-helpers(7), "INVOCATION": `helper::address` runs `git-remote-helper`; `ext::` runs a command.
fn is_helper_address(address: &str) -> bool {
    address
        .split_once("::")
        .is_some_and(|(helper, _)| helper.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c)))
        || address.starts_with('-')
}

/// git-config(1), `http.*`: whether the setting neither names a file (`cookieFile` is written, `sslKey` shown to the
/// server), nor another machine, nor makes git believe one.
fn is_harmless_http(key: &str, value: &str) -> bool {
    let off = ["", "false", "no", "off", "0"].contains(&value.to_ascii_lowercase().as_str());
    match key {
        "savecookies" => off,
        "sslverify" | "schannelcheckrevoke" => is_boolean(value) && !off,
        "followredirects" => value == "initial" || is_boolean(value),
        _ => listed(HARMLESS_HTTP, key),
    }
}

fn is_known_helper(value: &str) -> bool {
    let mut words = value.split_ascii_whitespace();
    let Some(first) = words.next() else { return true };
    let rest: Vec<&str> = words.collect();
    let name = first.strip_prefix("!/usr/bin/").map_or_else(|| first.to_owned(), |name| format!("!{name}"));
    if name.starts_with('!') {
        return listed(CREDENTIAL_HELPERS, &name) && rest == ["auth", "git-credential"];
    }
    listed(CREDENTIAL_HELPERS, &name) && rest.iter().all(|word| word.starts_with("--timeout="))
}

fn is_like_a_program(key: &str) -> bool {
    LIKE_A_PROGRAM.iter().any(|word| key.contains(word))
}

fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == name)
}

#[cfg(test)]
mod tests {
    use super::super::read_git_config;
    use super::*;

    fn reach(text: &str) -> Option<ReachedCommands> {
        let settings = read_git_config(text).unwrap();
        let [setting] = settings.as_slice() else { panic!("{text}") };
        setting.reach()
    }

    #[test]
    fn what_runs_a_program_is_known() {
        for text in [
            "[core] fsmonitor = ./x",
            "[core] pager = sh -c ./x",
            "[core] pager = less -kx",
            "[pager] status = ./x",
            "[diff] external = ./x",
            "[diff \"a\"] command = ./x",
            "[diff \"a\"] textconv = ./x",
            "[diff] submodule = diff",
            "[filter.x \"y\"] clean = ./x",
            "[filter \"a\"] clean = ./x",
            "[filter \"lfs\"] process = git-lfs filter-process; ./x",
            "[gpg] program = ./x",
            "[gpg \"ssh\"] program = ./x",
            "[lfs \"extension.a\"] clean = ./x",
            "[lfs \"customtransfer.a\"] path = ./x",
            "[hook \"a\"] command = ./x",
            "[core] attributesFile = ~/.netrc",
            "[core] excludesFile = ../x",
            "[mailmap] file = /x",
            "[sometool] runCommand = ./x",
        ] {
            let text = text.replace("; ./x", " ./x");
            assert_eq!(reach(&text), Some(ReachedCommands::All), "{text}");
        }
        for text in [
            "[core] sshCommand = ssh -o ProxyCommand=./x",
            "[core] sshCommand = ./x",
            "[credential] helper = !./x",
            "[credential \"https://a\"] helper = /tmp/x",
            "[remote \"o\"] uploadpack = ./x",
            "[remote.x \"y\"] uploadpack = ./x",
            "[remote \"o\"] url = ext::sh -c ./x",
            "[url \"ext::x \"] insteadOf = https://",
            "[protocol \"ext\"] allow = always",
            "[http] cookieFile = ~/.profile",
            "[http] saveCookies = true",
            "[http \"https://a.example\"] cookieFile = x",
            "[http] proxy = http://a.example:1",
            "[http] curloptResolve = github.com:443:192.0.2.1",
            "[http] sslVerify = false",
            "[http] sslKey = ~/.ssl/k.pem",
            "[http] sslCAInfo = ./ca.pem",
            "[http] newThing = x",
            "[remote \"origin\"] proxy = http://a.example:1",
            "[branch \"main\"] remote = foo::x",
            "[remote] pushDefault = foo::x",
        ] {
            assert_eq!(reach(text), Some(ReachedCommands::Network), "{text}");
        }
    }

    #[test]
    fn what_loses_work_or_is_brought_by_a_branch_is_known() {
        for text in [
            "[gc] pruneExpire = now",
            "[gc \"refs/stash\"] reflogExpire = now",
            "[gc] reflogExpireUnreachable = 1.second",
            "[branch \"main\"] mergeOptions = --no-ff -F /x",
            "[branch \"main\"] mergeOptions = -s x",
        ] {
            assert_eq!(reach(text), Some(ReachedCommands::Change), "{text}");
        }
        for text in
            ["[core] hooksPath = .githooks", "[include] path = ../.gitconfig", "[includeIf \"gitdir:x\"] path = /x"]
        {
            assert_eq!(reach(text), Some(ReachedCommands::Branch), "{text}");
        }
        for text in [
            "[gc] pruneExpire = never",
            "[gc] auto = 0",
            "[branch \"main\"] mergeOptions = --no-ff",
            "[include] path = own.config",
            "[include] path = ~/.gitconfig-work",
            "[core] hooksPath = .git/hooks",
        ] {
            assert_eq!(reach(text), None, "{text}");
        }
    }

    #[test]
    fn an_ordinary_clone_runs_nothing() {
        for text in [
            "[core] repositoryformatversion = 0",
            "[core] filemode = true",
            "[core] bare = false",
            "[core] fsmonitor = true",
            "[core] pager = less -FRX",
            "[core] sshCommand = ssh -i ~/.ssh/id_work -o IdentitiesOnly=yes",
            "[remote \"origin\"] url = git@github.com:a/b.git",
            "[remote \"origin\"] fetch = +refs/heads/*:refs/remotes/origin/*",
            "[branch \"main\"] remote = origin",
            "[branch \"main\"] vscode-merge-base = origin/main",
            "[user] name = Ann",
            "[credential] helper = store",
            "[credential \"https://github.com\"] helper = !/usr/bin/gh auth git-credential",
            "[filter \"lfs\"] process = git-lfs filter-process",
            "[lfs \"https://x.org/info/lfs\"] access = basic",
            "[url \"git@github.com:\"] insteadOf = https://github.com/",
            "[submodule \"a\"] active = true",
            "[http] postBuffer = 524288000",
            "[http] sslVerify = true",
            "[http \"https://github.com/\"] extraheader = AUTHORIZATION: basic x",
            "[branch \"main\"] pushRemote = fork",
            "[remote] pushDefault = origin",
        ] {
            assert_eq!(reach(text), None, "{text}");
        }
    }

    #[test]
    fn a_partial_clone_reaches_what_talks_to_another_repository() {
        let look = GitCall {
            command: "log",
            only_looks: true,
            is_partial: false,
            brings: false,
            remerges: false,
            is_own: true,
            means_own: true,
        };
        assert!(!look.is_reached("core.sshcommand", ReachedCommands::Network));
        assert!(GitCall { is_partial: true, ..look }.is_reached("core.sshcommand", ReachedCommands::Network));
        assert!(
            GitCall { command: "fetch", only_looks: false, ..look }
                .is_reached("core.sshcommand", ReachedCommands::Network)
        );
        assert!(!look.is_reached("alias.co", ReachedCommands::Named));
        assert!(!look.is_reached("merge.x.driver", ReachedCommands::Remerge));
        assert!(GitCall { remerges: true, ..look }.is_reached("merge.x.driver", ReachedCommands::Remerge));
        assert!(!look.is_reached("extensions.partialclone", ReachedCommands::PartialClone));
        assert!(GitCall { is_own: false, ..look }.is_reached("extensions.partialclone", ReachedCommands::PartialClone));
        let switch = GitCall { command: "switch", only_looks: false, brings: true, means_own: false, ..look };
        assert!(switch.is_reached("core.hookspath", ReachedCommands::Branch));
        assert!(!GitCall { brings: false, ..switch }.is_reached("core.hookspath", ReachedCommands::Branch));
        assert!(GitCall { command: "whatchanged", ..look }.is_reached("alias.whatchanged", ReachedCommands::Named));
    }
}

//! Programs with sub-commands: which of them take names and texts only.
//!
//! Sources: git(1), "GIT COMMANDS"; `npm help`, pnpm, yarn and Bun documentation; The Cargo Book, "Cargo Commands"; the
//! reference pages of Docker, Compose, kubectl, helm, gh, gcloud and aws; pip(1), uv and Poetry documentation; apt(8),
//! brew(1), systemctl(1), `go help`, Terraform documentation, "Commands".

use super::super::super::command_line::Word;
use super::super::options;
use crate::programs::effect::Effect;
use crate::programs::spec::Spec;

use super::{Uses, generic, lenient, table, takes_next, text};

/// Sub-commands of which no operand is run.
const DATA: &[(&str, &str)] = &[
    (
        "git",
        "add stage am annotate apply archive blame branch bundle cat-file check-attr check-ignore check-mailmap \
        check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph \
        commit-tree count-objects describe diff diff-files diff-index diff-tree fast-export fast-import fetch \
        fetch-pack fmt-merge-msg for-each-ref format-patch fsck gc grep gui hash-object help index-pack init interpret-trailers \
        lfs log ls-files ls-remote ls-tree mailinfo maintenance merge merge-base merge-file merge-index merge-tree mktag \
        mktree mv name-rev notes pack-objects pack-refs patch-id prune pull push range-diff read-tree rebase reflog remote \
        repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog show \
        show-branch show-index show-ref sparse-checkout stash status stripspace subtree switch symbolic-ref tag \
        unpack-file unpack-objects update-index update-ref var verify-commit verify-pack verify-tag version whatchanged worktree \
        write-tree bisect gitk difftool mergetool",
    ),
    (
        "npm pnpm yarn bun",
        "access add adduser audit author bugs cache ci clean-install completion create dedupe deprecate diff \
        dist-tag docs doctor edit explain find-dupes fund get help hook i in info init install install-ci-test \
        install-test issues la link list ll ln login logout ls org outdated owner pack ping prefix profile prune \
        publish query r rb rebuild remove repo restart rm root run run-script s sbom se search shrinkwrap star \
        stars start stop t team test token tst un uninstall unlink unpublish unstar up update upgrade v version view \
        whoami why workspaces patch store import build lint dev why pm",
    ),
    (
        "cargo",
        "add b bench build c check clean clippy d doc expand fetch fix fmt generate-lockfile help info init install \
        locate-project login logout metadata new nextest owner package pkgid publish remove report rm search t test \
        tree uninstall update vendor verify-project version yank machete udeps audit deny outdated llvm-cov",
    ),
    (
        "docker podman nerdctl",
        "attach build builder buildx checkpoint commit config context cp diff events export history image \
        images import info inspect kill load login logout logs manifest network node pause plugin port ps pull push \
        rename restart rm rmi save search secret service stack start stats stop swarm system tag top trust unpause \
        update version volume wait container compose",
    ),
    (
        "docker-compose podman-compose",
        "build config cp create down events images kill logs ls pause port ps pull push restart rm start stop top \
        unpause up version wait watch attach stats",
    ),
    (
        "kubectl oc",
        "annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion config \
        cordon cp create delete describe diff drain edit events explain expose get kustomize label logs options patch \
        port-forward proxy replace rollout scale set taint top uncordon version wait",
    ),
    (
        "gh",
        "attestation auth browse cache gist gpg-key issue label org pr project release repo ruleset run search \
        secret ssh-key status variable workflow api completion help version config",
    ),
    ("glab tea", "auth ci issue issues label mr pr pulls release repo user variable api"),
    (
        "pip pip3",
        "install download uninstall freeze inspect list show check config search cache index wheel hash debug help",
    ),
    ("uv", "add remove sync lock export tree venv build publish cache self version init python help pip"),
    (
        "poetry",
        "add remove install lock update build publish show check init new env cache config self version search about",
    ),
    (
        "apt apt-get apt-cache aptitude dnf dnf5 yum microdnf zypper apk choco scoop winget port",
        "install remove purge update upgrade full-upgrade dist-upgrade autoremove list show search policy depends \
        rdepends build-dep source download changelog clean autoclean check info erase reinstall add del in rm se whyprovides \
        provides repoquery showpkg madison satisfy fix",
    ),
    (
        "brew",
        "install uninstall remove rm upgrade update list ls info search outdated deps uses leaves config doctor tap \
        untap pin unpin link unlink reinstall cleanup services fetch desc home cat log formulae casks autoremove",
    ),
    (
        "systemctl",
        "start stop restart reload status enable disable mask unmask is-active is-enabled is-failed show cat kill \
        list-units list-unit-files daemon-reload reset-failed list-timers try-restart",
    ),
    (
        "helm",
        "install uninstall delete del un upgrade list ls get repo template lint status history show search pull push package rollback test dependency dep registry",
    ),
    (
        "terraform tofu",
        "apply destroy plan init validate fmt show output state import taint untaint workspace providers graph get refresh force-unlock login logout test",
    ),
    ("go", "build clean doc env fix fmt get install list mod work test version vet bug telemetry"),
    (
        "aws",
        "s3 s3api ec2 iam lambda ecr ecs eks sts logs cloudformation dynamodb rds sqs sns route53 kms secretsmanager configure",
    ),
    (
        "gcloud az",
        "compute storage container run functions projects config auth iam sql pubsub group vm aks acr account",
    ),
    (
        "conda mamba micromamba",
        "install remove uninstall create list search update upgrade env config info clean activate deactivate",
    ),
    (
        "gem",
        "install uninstall list search info push yank update outdated build fetch owner which specification contents cleanup",
    ),
    ("composer", "install i require r remove rm update u upgrade show search outdated validate why depends info init"),
    ("snap flatpak", "install remove uninstall list info search refresh update find"),
    (
        "hg svn jj",
        "add commit ci push pull update up checkout co log diff status st revert rm remove delete del mv copy move merge resolve branch tag describe new edit show bookmark rebase squash abandon undo",
    ),
    ("rustup", "update install uninstall show default toolchain target component override self doc which"),
    ("ollama", "pull push rm list ls show stop ps cp create"),
    ("pre-commit prek", "run install uninstall autoupdate clean gc"),
    ("dotnet", "build test restore list add remove publish pack clean new sln nuget format"),
    ("nix", "search profile store flake build eval log hash registry path-info"),
    (
        "tmux screen",
        "ls list-sessions attach attach-session kill-session kill-server has-session capture-pane list-panes list-windows",
    ),
];

/// Whether the sub-commands of `name` are listed here.
pub(super) fn is_listed(name: &str) -> bool {
    DATA.iter().any(|(names, _)| names.split(' ').any(|listed| listed == name))
}

pub(super) fn only_data(name: &str, sub: &str) -> bool {
    let listed = |list: &str, name: &str| list.split_ascii_whitespace().any(|listed| listed == name);
    DATA.iter().any(|(names, subs)| listed(names, name) && listed(subs, sub))
}

/// The first word from `from` on that is neither an option nor the value of one.
pub(super) fn position(name: &str, words: &[Word], from: usize) -> Option<usize> {
    let mut index = from;
    loop {
        let text = words.get(index)?.text.as_str();
        let toolchain = name == "cargo" && text.starts_with('+');
        index += match text {
            _ if takes_next(name, text) => 2,
            _ if text.starts_with('-') || toolchain => 1,
            _ => return Some(index),
        };
    }
}

/// Options in front of a sub-command that run their value: git(1); `npm help config`.
const RUNNING_GLOBALS: &[&str] = &["-c", "--config", "--config-env", "--exec-path", "--script-shell", "--shell"];

/// Letters behind a sub-command that run their value, or set what is run: git-rebase(1), git-difftool(1),
/// git-clone(1), git-grep(1); docker-create(1).
const RUNNING_LETTERS: &[(&str, &str)] = &[("git", "xcuO"), ("docker", "e"), ("podman", "e"), ("npm", "c")];

impl<'a> Uses<'a> {
    pub(super) fn add_sub_command(&mut self, name: &str, specs: &[&'static [Spec]], words: &'a [Word], depth: usize) {
        let found = position(name, words, 1);
        self.add_globals(name, words.get(..found.unwrap_or(words.len())).unwrap_or_default());
        if matches!(name, "git" | "cargo") {
            self.add_alias(words);
        }
        let Some(index) = found else { return };
        let own = words.get(index..).unwrap_or_default();
        let sub = own.first().map(|word| word.text.as_str()).unwrap_or_default();
        if let Some((spec, start)) = options::find_from(specs, own) {
            return self.add_listed(name, spec, own, start);
        }
        // `uv pip install`: another program's sub-commands.
        if (name, sub) == ("uv", "pip") {
            self.add(own, false, false);
            return self.add_command(own, depth + 1);
        }
        // The words of a program of the project's own.
        if name == "cargo" && matches!(sub, "run" | "r") {
            let behind = own.iter().position(|word| word.text == "--").map_or(own.len(), |index| index + 1);
            return self.add(own.get(behind..).unwrap_or_default(), true, false);
        }
        let enters = |word: &&Word| matches!(word.text.as_str(), "ssh" | "exec" | "shell");
        let is_data = only_data(name, sub) && own.get(1).filter(enters).is_none();
        if name == "git" {
            // git-remote-ext(1): the address is a command.
            own.iter().filter(|word| word.text.contains("ext::")).for_each(|word| self.add_text(&word.text));
        }
        if is_data {
            let runs = |option: &str| {
                let by_letter = RUNNING_LETTERS.iter().any(|(listed, letters)| {
                    let given = option.strip_prefix('-').filter(|given| !given.starts_with('-'));
                    *listed == name && given.is_some_and(|given| given.starts_with(|first| letters.contains(first)))
                });
                let by_name = generic::effect(option) == Some(Effect::Runs)
                    || ["pack", "cmd", "entrypoint", "renderer", "config"].iter().any(|part| option.contains(part));
                !table::is_data(option) && (by_letter || option.starts_with("--") && by_name)
            };
            return self.add_options(name, own, 1, runs);
        }
        self.add(own, true, false);
        own.iter().for_each(|word| self.add_value(&word.text));
    }

    fn add_globals(&mut self, name: &str, words: &'a [Word]) {
        for (index, word) in words.iter().enumerate().skip(1) {
            let text = word.text.as_str();
            let option = text.split('=').next().unwrap_or(text);
            if !text.starts_with('-') {
                continue;
            }
            let runs = RUNNING_GLOBALS.contains(&option) || generic::effect(option) == Some(Effect::Runs);
            let glued_setting = name == "git" && text.starts_with("-c") && text.len() > 2;
            if runs || glued_setting {
                self.add_value(text);
                let value = words.get(index + 1).filter(|_| option.len() == text.len());
                value.into_iter().for_each(|value| self.add_text(&value.text));
            }
        }
    }

    /// `git -c alias.x=push x`, `git config alias.x push`, `cargo --config 'alias.x="publish"' x`: what it stands for
    /// is a sub-command (git-config(1), "alias.*"; The Cargo Book, "Configuration", `[alias]`).
    fn add_alias(&mut self, words: &'a [Word]) {
        let is_alias = |word: &Word| {
            let text = word.text.to_ascii_lowercase();
            text.contains("alias.") || text.contains("alias") && text.contains('{')
        };
        let Some(index) = words.iter().position(is_alias) else { return };
        let rest: Vec<&str> = words.iter().skip(index).take(8).map(|word| word.text.as_str()).collect();
        let rest = rest.join(" ");
        let Some((_, value)) = rest.split_once(['{', '=', ' ']) else { return };
        // Within braces each has a name of its own.
        let value = value.split_once('=').filter(|_| rest.contains('{')).map_or(value, |(_, value)| value);
        let Some(program) = words.first() else { return };
        for behind in [lenient::flat_words(value), text::words(value)] {
            self.add(std::iter::once(program.clone()).chain(behind).collect::<Vec<_>>(), false, false);
        }
        if text::is_script(value) {
            self.add_text(value);
        }
    }
}

//! What is worth saying about the files that a call writes: that they lie out of the project, or act beyond the moment
//! in which somebody looks at it.
//! Some files run by themselves later, or say what other programs run.

use std::sync::LazyLock;

use crate::{Request, RiskLevel, ToolClass, WrittenPath, written_paths};
use handraise_display::{FindingKind, line};
use handraise_shell::path::{Places, components, is_within, lexical};

/// Longest path in a sentence, in characters; the rest is counted.
const MAX_PATH_LENGTH: usize = 200;
/// Most files that are named; one is reason enough to look.
const MAX_FILES: usize = 5;

/// What is worth saying about the files that `request`, of the risk `level`, writes: each as a sentence.
/// Of a command the files that it may write count, but being outside of the project does not: all of a
/// command can be seen in its line.
#[must_use]
pub fn written_findings(request: &Request, level: RiskLevel) -> Vec<(FindingKind, String)> {
    match request.class {
        ToolClass::Shell => {
            let written = written_paths(request).into_iter().filter_map(|written| match written {
                WrittenPath::Named(path) => resolved(request, &path),
                WrittenPath::Found { .. } => None,
            });
            without_doubles(written.filter_map(|path| later(request, &path)))
        }
        ToolClass::FileRead => Vec::new(),
        _ if level == RiskLevel::ReadOnly => Vec::new(),
        class => {
            let named: Vec<String> = request.named_paths().iter().filter_map(|text| resolved(request, text)).collect();
            if named.is_empty() && class == ToolClass::FileWrite {
                return vec![(FindingKind::Outside, "It cannot be told which file is written.".to_owned())];
            }
            without_doubles(named.iter().flat_map(|path| [later(request, path), outside(request, path)]).flatten())
        }
    }
}

fn without_doubles(found: impl Iterator<Item = (FindingKind, String)>) -> Vec<(FindingKind, String)> {
    let mut told = Vec::new();
    for one in found {
        if !told.contains(&one) {
            told.push(one);
        }
        if told.len() == MAX_FILES {
            break;
        }
    }
    told
}

fn later(request: &Request, path: &str) -> Option<(FindingKind, String)> {
    let why = acts_later(path, request.home.as_deref())?;
    Some((FindingKind::ActsLater, why.sentence(&line(path, MAX_PATH_LENGTH))))
}

fn outside(request: &Request, path: &str) -> Option<(FindingKind, String)> {
    let shown = line(path, MAX_PATH_LENGTH);
    match &request.project {
        Some(project) if is_within(path, project) => None,
        Some(_) => Some((FindingKind::Outside, format!("{shown} is outside of the project."))),
        None => Some((FindingKind::Outside, format!("No project is known that {shown} belongs to."))),
    }
}

fn resolved(request: &Request, text: &str) -> Option<String> {
    let found = request.paths.get(text).map(|resolved| resolved.path.clone());
    found.or_else(|| lexical(text, request.cwd.as_deref(), request.home.as_deref()))
}

/// Why a file is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Shell,
    Login,
    Timer,
    Git,
    Ssh,
    Program,
    Command,
}

impl Why {
    fn sentence(self, file: &str) -> String {
        match self {
            Self::Shell => format!("A shell runs {file} whenever one starts."),
            Self::Login => format!("{file} is run or read at login."),
            Self::Timer => format!("{file} is run at set times or when the machine starts."),
            Self::Git => format!("{file} says what git runs."),
            Self::Ssh => format!("{file} says who may log in by SSH, or what ssh runs."),
            Self::Program => format!("A program obeys {file} when it starts."),
            Self::Command => format!("{file} lies where commands are looked for by their names."),
        }
    }
}

/// Endings of paths, in small letters. One that ends with `/` is a folder and stands for all that is in it.
/// They count wherever they lie: in another home folder, or in a folder of settings that is linked from there.
///
/// From the manuals: bash(1) "INVOCATION", zsh(1) "STARTUP/SHUTDOWN FILES", fish(1), tcsh(1), dash(1),
/// Xsession(5), environment.d(5), pam_env(8), systemd.unit(5) "UNIT FILE LOAD PATH", systemd-user unit
/// paths, the Desktop Application Autostart Specification, cron(8), crontab(5), git-config(1) "FILES",
/// githooks(5), ssh_config(5), sshd(8) "AUTHORIZED_KEYS" and "SSHRC", vim(1), emacs(1), gdb(1), lldb(1),
/// tmux(1), screen(1), readline(3), npmrc(5), pip "Configuration", cargo "Configuration", direnv(1),
/// mailcap(5), Python's `site`, R's `Startup`, perl5db, irb, less(1) "LESSKEY", curl(1), wget(1), psql(1).
const TABLE: &[(Why, &str)] = &[
    (
        Why::Shell,
        ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin \
         .zlogout .kshrc .mkshrc .shrc .cshrc .tcshrc .login .logout .shinit .inputrc .config/fish/ \
         .config/nushell/ .config/powershell/ .oh-my-zsh/ .config/zsh/ .bashrc.d/ .bash_completion \
         .local/share/bash-completion/ /etc/profile /etc/profile.d/ /etc/bash.bashrc /etc/bashrc /etc/zsh/ \
         /etc/zshenv /etc/zshrc /etc/fish/ /etc/inputrc /etc/environment",
    ),
    (
        Why::Login,
        ".config/autostart/ .config/autostart-scripts/ .config/environment.d/ .config/plasma-workspace/ \
         .pam_environment .xprofile .xinitrc .xsession .xsessionrc .xserverrc .xresources .xmodmap \
         .config/openbox/ .config/i3/ .i3/ .config/sway/ .config/hypr/ .config/niri/ .config/awesome/ \
         .config/labwc/ .config/river/ .local/share/applications/ .local/share/dbus-1/ .config/dconf/ \
         /etc/xdg/autostart/ /etc/x11/ library/launchagents/ library/launchdaemons/",
    ),
    (
        Why::Timer,
        ".config/systemd/ .local/share/systemd/ /etc/systemd/ /etc/init.d/ /etc/rc.local /etc/crontab /etc/cron.d/ \
         /etc/cron.hourly/ /etc/cron.daily/ /etc/cron.weekly/ /etc/cron.monthly/ /etc/anacrontab \
         /var/spool/cron/ /var/spool/at/ /etc/udev/ /lib/systemd/ /usr/lib/systemd/",
    ),
    (
        Why::Git,
        ".gitconfig .gitmodules .gitattributes .config/git/ .git/config .git/config.worktree .git/hooks/ \
         .git/info/attributes .git/modules/ .husky/ .githooks/ /etc/gitconfig .hgrc .hg/hgrc",
    ),
    (Why::Ssh, ".ssh/ /etc/ssh/"),
    (
        Why::Program,
        ".vimrc .gvimrc .exrc .vim/ .config/nvim/ .emacs .emacs.el .emacs.d/ .config/emacs/ .config/doom/ .nanorc \
         .gdbinit .config/gdb/ .lldbinit .tmux.conf .config/tmux/ .screenrc .npmrc .yarnrc .yarnrc.yml \
         .pnpmfile.cjs .pypirc .pip/pip.conf .config/pip/ .cargo/config .cargo/config.toml .gemrc .bundle/config \
         .irbrc .pryrc .rprofile .perldb .pythonrc .pythonstartup sitecustomize.py usercustomize.py .envrc \
         .config/direnv/ .mise.toml mise.toml .asdfrc .tool-versions .mailcap .lesskey .lessfilter .curlrc \
         .wgetrc .psqlrc .sqliterc .my.cnf .docker/config.json .aws/config .kube/config .config/mise/ \
         .vscode/tasks.json .vscode/settings.json .config/code/user/ .idea/ .editorrc .config/containers/ \
         /etc/hosts /etc/sudoers /etc/sudoers.d/ /etc/ld.so.preload /etc/ld.so.conf.d/ /etc/pam.d/ /etc/apt/",
    ),
    (
        Why::Command,
        ".local/bin/ .cargo/bin/ .npm-global/bin/ .bun/bin/ .deno/bin/ .yarn/bin/ .pyenv/shims/ .rbenv/shims/ \
         .asdf/shims/ .nvm/ go/bin/ /usr/bin/ /usr/sbin/ /bin/ /sbin/ /usr/local/bin/ /usr/local/sbin/ /opt/bin/ \
         /snap/bin/",
    ),
];

static PLACES: LazyLock<Places<Why>> = LazyLock::new(|| {
    TABLE.iter().flat_map(|(why, list)| list.split_ascii_whitespace().map(move |place| (place, *why))).collect()
});

/// Whether a change of the file at the absolute path `path` acts later and by itself.
pub(crate) fn acts_by_itself(path: &str, home: Option<&str>) -> bool {
    acts_later(path, home).is_some()
}

/// What of a repository says what git runs in it, and is part of no commit: gitrepository-layout(5), hg(1) "FILES". The
/// folder itself counts, since it can be replaced as a whole.
const OF_REPOSITORIES: &str = ".git .git/config .git/config.worktree .git/hooks/ .git/info/attributes .git/commondir .git/modules/ \
     .git/worktrees/*/config.worktree .git/worktrees/*/commondir .hg .hg/hgrc .hg/hgrc-not-shared .hg/sharedpath";

static REPOSITORY_PLACES: LazyLock<Places<()>> =
    LazyLock::new(|| OF_REPOSITORIES.split_ascii_whitespace().map(|place| (place, ())).collect());

/// Whether the file at the absolute path `path` says what git or Mercurial runs in one repository, and no commit shows it.
pub(crate) fn is_read_by_git(path: &str) -> bool {
    let path = path.to_lowercase();
    let parts: Vec<&str> = components(&path).collect();
    REPOSITORY_PLACES.find(&parts).is_some()
}

/// Why a change of the file at the absolute path `path` acts later and by itself; `None`: it is not known to.
fn acts_later(path: &str, home: Option<&str>) -> Option<Why> {
    let path = path.to_lowercase();
    let own_commands = home.is_some_and(|home| path.starts_with(&format!("{}/bin/", home.to_lowercase())));
    let parts: Vec<&str> = components(&path).collect();
    PLACES.find(&parts).copied().or(own_commands.then_some(Why::Command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::request;
    use crate::{PathFacts, ResolvedPath, Subject};
    use handraise_shell::{CommandLine, Shell};

    const HOME: &str = "/home/ann";
    const PROJECT: &str = "/home/ann/app";

    fn in_project(request: Request) -> Request {
        Request { cwd: Some(PROJECT.into()), project: Some(PROJECT.into()), home: Some(HOME.into()), ..request }
    }

    fn write(path: &str) -> Request {
        let subject = Subject::Write { path: path.into(), content: "x".into() };
        in_project(Request { class: ToolClass::FileWrite, subject, ..request("Write", "{}") })
    }

    fn shell(line: &str) -> Request {
        in_project(Request {
            class: ToolClass::Shell,
            subject: Subject::Command { line: line.into() },
            command: Some(CommandLine::analyse(line, Shell::Bash)),
            ..request("Bash", "{}")
        })
    }

    fn kinds(request: &Request) -> Vec<FindingKind> {
        written_findings(request, RiskLevel::Write).into_iter().map(|(kind, _)| kind).collect()
    }

    #[test]
    fn a_file_is_told_that_lies_outside_or_acts_later() {
        assert_eq!(written_findings(&write("src/main.rs"), RiskLevel::Write), []);
        assert_eq!(kinds(&write("/tmp/notes.txt")), [FindingKind::Outside]);
        assert_eq!(kinds(&write("../other/x")), [FindingKind::Outside]);
        assert_eq!(kinds(&write("~/.bashrc")), [FindingKind::ActsLater, FindingKind::Outside]);
        assert_eq!(kinds(&write(".git/hooks/pre-commit")), [FindingKind::ActsLater]);
        assert_eq!(kinds(&Request { project: None, ..write("src/main.rs") }), [FindingKind::Outside]);
    }

    #[test]
    fn a_link_counts_as_what_it_leads_to() {
        let real = ("notes.txt".to_owned(), ResolvedPath::new("/home/ann/.bashrc"));
        let linked = Request { paths: PathFacts::from_iter([real]), ..write("notes.txt") };
        assert_eq!(kinds(&linked), [FindingKind::ActsLater, FindingKind::Outside]);
    }

    #[test]
    fn a_tool_that_names_no_file_may_write_any() {
        let patch = Request { class: ToolClass::FileWrite, subject: Subject::Arguments, ..request("patch", "{}") };
        assert_eq!(kinds(&in_project(patch)), [FindingKind::Outside]);
    }

    #[test]
    fn a_command_is_told_that_writes_what_acts_later() {
        for line in [
            "echo 'curl x | sh' >> ~/.bashrc",
            "tee -a /home/ann/.profile < x",
            "cp x ~/.config/autostart/x.desktop",
            "ln -s /tmp/x ~/.local/bin/git",
            "cd ~ && install -m 755 x bin/x",
        ] {
            assert_eq!(kinds(&shell(line)), [FindingKind::ActsLater], "{line}");
        }
        for line in ["cat ~/.bashrc", "/usr/bin/make all", "touch /tmp/x", "echo x > notes.txt"] {
            assert_eq!(kinds(&shell(line)), [], "{line}");
        }
    }

    #[test]
    fn what_runs_by_itself_later_is_known() {
        for path in [
            "/home/ann/.bashrc",
            "/home/ann/dotfiles/.zshrc",
            "/home/ann/.config/fish/conf.d/x.fish",
            "/home/ann/.config/autostart/x.desktop",
            "/home/ann/.config/systemd/user/x.service",
            "/var/spool/cron/crontabs/ann",
            "/etc/cron.d/x",
            "/srv/app/.git/config",
            "/srv/app/.git/hooks/pre-commit",
            "/home/ann/.gitconfig",
            "/home/ann/.ssh/config",
            "/home/ann/.SSH/authorized_keys",
            "/home/ann/.local/bin/ls",
            "/home/ann/bin/ls",
            "/usr/local/bin/git",
            "/srv/app/.envrc",
        ] {
            assert!(acts_later(path, Some(HOME)).is_some(), "{path}");
        }
    }

    #[test]
    fn an_ordinary_file_is_none_of_them() {
        for path in [
            "/srv/app/src/main.rs",
            "/srv/app/bin/run",
            "/srv/app/profile",
            "/srv/app/.github/workflows/x.yml",
            "/srv/app/git/config",
            "/home/ann/ssh/config",
            "/srv/etc/profile",
            "/srv/app/.bashrc.md",
        ] {
            assert_eq!(acts_later(path, Some(HOME)), None, "{path}");
        }
    }
}

use std::process::Command;

use super::*;

/// A project in a home folder, with git's own folder.
struct Project {
    _folder: tempfile::TempDir,
    home: PathBuf,
    root: PathBuf,
}

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap().join("ann");
        let root = home.join("p");
        std::fs::create_dir_all(&root).unwrap();
        let project = Self { _folder: folder, home, root };
        project.git(&["init", "-q"]);
        project
    }

    fn put(&self, file: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn named(&self) -> Vec<PathBuf> {
        named(&self.root, &folder(&self.root), std::slice::from_ref(&self.home))
    }

    /// What git says; nothing where it gives up.
    fn git(&self, arguments: &[&str]) -> Vec<u8> {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(&self.root).env_clear().env("HOME", &self.home);
        git.env("PATH", std::env::var_os("PATH").unwrap()).env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap().stdout
    }

    /// Where git looks for a hook.
    fn hook_of_git(&self) -> PathBuf {
        let said = self.git(&["rev-parse", "--git-path", "hooks/pre-commit"]);
        lexical(&self.root.join(path_of(said.strip_suffix(b"\n").unwrap_or_default())))
    }

    /// What git reads in `text` and this reader does not.
    fn missed(&self, text: &[u8]) -> Option<String> {
        self.put("settings", text);
        let ours = settings(text);
        let listed = self.git(&["config", "--file", "settings", "--list", "-z"]);
        for entry in listed.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
            let at = entry.iter().position(|byte| *byte == b'\n').unwrap_or(entry.len());
            let (name, value) = entry.split_at(at);
            let name = String::from_utf8_lossy(name);
            let (section, key) = (name.split('.').next().unwrap(), name.rsplit('.').next().unwrap());
            let value = value.strip_prefix(b"\n").unwrap_or_default();
            let is_it =
                |one: &Setting| one.section.split('.').next() == Some(section) && one.key == key && one.value == value;
            if !ours.iter().any(is_it) {
                return Some(format!("{:?}: {:?}", String::from_utf8_lossy(text), String::from_utf8_lossy(entry)));
            }
        }
        None
    }
}

/// Each names a folder of hooks that git takes.
const SPELLINGS: &[&str] = &[
    "[core]\n\thooksPath = tools/hooks\n",
    "[core]\n\thooksPath = tools/hooks # ours\n",
    "[core]\n\thooksPath = tools/hooks ; ours\n",
    "[core]\n\thooksPath = tools/hooks#ours\n",
    "[core]\n\thooksPath = tools/hooks \t \n",
    "[core]\n\thooksPath = \"tools/hooks\"\n",
    "[core]\n\thooksPath = \"tools\"/hooks\n",
    "[core]\n\thooksPath = to\"ol\"s/hooks # \"x\"\n",
    "[core]\n\thooksPath = \"tools#1/ho;oks\" # \"x\n",
    "[core]\n\thooksPath = \" tools/hooks \"\n",
    "[core]\n\thooksPath = tools  of ours/hooks\n",
    "[core]\n\thooksPath = tools/\\\"hooks\\\"\n",
    "[core]\n\thooksPath = tools/\\\\hooks\n",
    "[core]\n\thooksPath = tools/\\thooks\\b\n",
    "[core]\n\thooksPath = tools/\\nhooks\n",
    "[core]\n\thooksPath = tools/\\\nhooks\n",
    "[core]\n\thooksPath = \\\n\t  tools/\\\r\nhooks\r\n",
    "[core]\n\thooksPath = \"tools/\\\nhooks\"\n",
    "[core]\n\thooksPath = ~/p/tools/hooks\n",
    "[core]\n\thooksPath = \"~/p\"/tools/hooks\n",
    "[core]\n\thooksPath = ../p/./tools/hooks/\n",
    "[core]\n\thooksPath = tools/x]y/hooks\n",
    "[core]\n\thooksPath = tools/x=y/hooks\n",
    "[core] hooksPath = tools/hooks\n",
    "[core]hooksPath=tools/hooks",
    "[core]\n\tbare\n\tHOOKSPATH=tools/hooks\n",
    "[CORE]\n\thookspath\t=\ttools/hooks\n",
    "[core]\r\n\thooksPath = tools/hooks\r\n",
    "\u{feff}[core]\n\thooksPath = tools/hooks\n",
    "\u{feff}# settings\n; more\n\n[core] # the\n\thooksPath = tools/hooks\n",
    "[branch \"a]b\"] merge = x\n[core] hooksPath = tools/hooks\n",
    "[branch \"a\\\"] hooksPath = no\"] merge = x\n[core] hooksPath = tools/hooks\n",
    "[branch \"a\\\\\"] merge = x\n[core]hooksPath = tools/hooks\n",
    "[branch \"#a;\"]merge=x\n[branch.b]\nx-1y = 2\n[core]hooksPath = tools/hooks\n",
    "[core] bare = no # ] \\\n hooksPath = tools/hooks\n",
    "[core]\n\thooksPath = tools/h\u{e9}oks\n",
    "[core]\n\thooksPath = other\n\thooksPath = tools/hooks\n",
    "[include] path = ../more # ours\n",
    "[include] path = ~/p/mo\"re\"\n",
    "[includeIf \"gitdir:~/p/\"] path = ../more\n",
    "[includeIf \"gitdir:**/p/.git\"]\n\tpath = \"../more\"; x\n",
    "[extensions] worktreeConfig\n[core] repositoryFormatVersion = 1\n",
];

#[test]
fn hooks_are_found_where_git_finds_them() {
    let mut missed = Vec::new();
    for text in SPELLINGS {
        let project = Project::new();
        project.put("more", "[core] hooksPath = more/hooks ; x\n");
        if text.starts_with("[extensions]") {
            project.put(".git/config.worktree", "[core]hooksPath=own/hooks#x");
        }
        project.put(".git/config", text);
        let hook = project.hook_of_git();
        assert!(hook.ends_with("pre-commit") && !hook.starts_with(project.root.join(".git")), "{text:?}: {hook:?}");
        if !project.named().contains(&hook) {
            missed.push(text);
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn hooks_that_settings_of_the_person_name_are_found() {
    for file in [".gitconfig", ".config/git/config"] {
        for text in ["[core]hooksPath=~/p/tools/hooks", "[include] path = \"~/p/more\" # x", "[core]\n\thooksPath=own"]
        {
            let project = Project::new();
            project.put("more", "[core] hooksPath = more/hooks ; x\n");
            project.put(&format!("../{file}"), text);
            let hook = project.hook_of_git();
            assert!(!hook.starts_with(project.root.join(".git")), "{hook:?}");
            assert!(project.named().contains(&hook), "{file}: {text}");
        }
    }
}

#[test]
fn homes_of_others_are_known_by_name() {
    let homes = ["/home/ann".into()];
    for (value, place) in
        [("~/p/x", "/home/ann/p/x"), ("~ann/p/x", "/home/ann/p/x"), ("~bob//p/x", "/home/bob/p/x"), ("~", "/home/ann")]
    {
        assert!(places(Path::new("/p"), value.as_bytes(), &homes).contains(&place.into()), "{value}");
    }
}

#[test]
fn all_that_git_reads_is_read() {
    let project = Project::new();
    let missed: Vec<String> = SPELLINGS.iter().filter_map(|text| project.missed(text.as_bytes())).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Settings put together of what has a meaning in them; mostly whole lines, so that git reads far.
#[test]
fn whatever_git_reads_of_random_settings_is_read() {
    const PIECES: &[&[u8]] = &[
        b"a",
        b"Z-9",
        b"/",
        b" ",
        b"\t",
        b"\"",
        b"\"b c\"",
        b"\\\\",
        b"\\\"",
        b"\\n",
        b"\\t",
        b"\\b",
        b"\\\n",
        b"\\\r\n",
        b"#",
        b";",
        b"]",
        b"[",
        b"=",
        b"~/",
        b"\r",
        b"\xff",
        b"\xc3\xa9",
        b"\"#\"",
        b"\"; ]\"",
        b"\x0b",
    ];
    const SECTIONS: &[&[u8]] = &[b"[a]", b"[A.b-1]", b"[a \"x]y\"]", b"[a \"\\\"\\\\]#\"]", b"[a\t\"\"]"];
    const ENDS: &[&[u8]] = &[b"\n", b"\r\n", b" # x\n", b";\\\n", b"\n\n\t"];
    let project = Project::new();
    // Marsaglia, "Xorshift RNGs" (2003): the same settings each time.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(limit).unwrap()).unwrap()
    };
    let mut missed = Vec::new();
    for _ in 0..150 {
        let mut text = Vec::new();
        for line in 0..6 {
            if line == 0 || below(3) == 0 {
                text.extend(SECTIONS[below(SECTIONS.len())]);
            }
            text.extend([&b"\tk-1"[..], b" Key =", b"p= ", b"x\t="][below(4)]);
            for _ in 0..below(6) {
                text.extend(PIECES[below(PIECES.len())]);
            }
            text.extend(ENDS[below(ENDS.len())]);
        }
        missed.extend(project.missed(&text));
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn what_settings_name_is_found() {
    let project = Project::new();
    project.put(
        ".git/config",
        "[core]\n\thooksPath = tools/hooks\n[include]\n\tpath = ../.gitsettings\n[user] name = x\n",
    );
    project.put(
        ".gitsettings",
        "[include \"x\"] path = \"more/settings\"\n[filter \"x\"]\n\tclean = ./tools/clean %f\n[core] worktree = ../q ; x\n",
    );
    project.put("tools/clean", "");
    project.put("more/settings", "[alias]\n\tst = !sh tools/status.sh --all\n[core]\nattributesFile=attributes # x\n");
    project.put("tools/status.sh", "");
    project.put("a", "");
    let found = project.named();
    for file in [
        "tools/hooks/pre-commit",
        ".gitsettings",
        "more/settings",
        "tools/clean",
        "tools/status.sh",
        "attributes",
        "q/tools/hooks/pre-push",
    ] {
        assert!(found.contains(&lexical(&project.root.join(file))), "{file}: {found:?}");
    }
    assert!(!found.contains(&project.root) && !found.contains(&project.root.join("a")), "{found:?}");
}

#[test]
fn programs_are_found_among_the_words() {
    let project = Project::new();
    for file in ["x.sh", "tools/x.sh", "tools/my x.sh"] {
        project.put(file, "");
    }
    for (value, file) in [
        ("fsmonitor = sh x.sh", "x.sh"),
        ("fsmonitor = x.sh # ours", "x.sh"),
        ("fsmonitor = \"sh -c 'sh x.sh; true'\"", "x.sh"),
        ("pager = x.sh|less", "x.sh"),
        ("pager = less<x.sh", "x.sh"),
        ("editor = e --config=tools/x.sh", "tools/x.sh"),
        ("editor = e -c \\\"a=b=tools/x.sh\\\"", "tools/x.sh"),
        ("editor = to'ol's/x\\\\.sh", "tools/x.sh"),
        ("editor = 'tools/my x.sh'", "tools/my x.sh"),
        ("editor = tools/my\\\\ x.sh", "tools/my x.sh"),
        ("program = tools/my x.sh", "tools/my x.sh"),
        ("path = tools/my x.sh", "tools/my x.sh"),
        ("sshCommand = ~/p/tools/x.sh", "tools/x.sh"),
        ("sshCommand = \"\\\"$HOME\\\"/p/tools/x.sh\"", "tools/x.sh"),
        ("st = !sh \\\"$(git rev-parse --show-toplevel)/tools/x.sh\\\"", "tools/x.sh"),
        ("url = ext::tools/x.sh %S", "tools/x.sh"),
        ("st = !x.sh", "x.sh"),
    ] {
        project.put(".git/config", format!("[core]\n{value}\n"));
        let found = project.named();
        assert!(found.contains(&project.root.join(file)), "{value}: {found:?}");
    }
}

#[test]
fn what_git_and_the_project_write_themselves_is_not_kept() {
    let project = Project::new();
    for file in [".gitignore", ".git/refs/heads/main", ".git/index", "main", ".git/x.sh"] {
        project.put(file, "");
    }
    project.put(
        ".git/config",
        "[alias]\nx = !cat .git/HEAD .git/index\nundo = reset HEAD^ HEAD\n[branch \"main\"]\nmerge = refs/heads/main\n\
         [core]\nexcludesFile = .gitignore\npager = sh .git/x.sh\n[init]\ndefaultBranch = main\n",
    );
    assert!(project.root.join(".git/HEAD").is_file());
    let git = project.root.join(".git");
    assert_eq!(programs_found(&project.named(), &project.root), [".git/x.sh"]);
    let in_git = named(&git, &git, &[]);
    assert_eq!(programs_found(&in_git, &project.root), Vec::<String>::new());
}

fn programs_found(found: &[PathBuf], root: &Path) -> Vec<String> {
    let files = found.iter().filter(|path| path.is_file()).filter_map(|path| path.strip_prefix(root).ok()?.to_str());
    let mut files: Vec<String> = files.map(str::to_owned).collect();
    files.dedup();
    files
}

#[test]
fn links_on_the_way_are_followed() {
    let project = Project::new();
    project.put("dotfiles/gitconfig", "[core] hooksPath = ~/link/hooks\n");
    project.put("tools/hooks/pre-commit", "");
    project.put("checks/push", "");
    std::os::unix::fs::symlink("p/dotfiles/gitconfig", project.home.join(".gitconfig")).unwrap();
    std::os::unix::fs::symlink("p/tools", project.home.join("link")).unwrap();
    std::os::unix::fs::symlink("../../checks/push", project.root.join("tools/hooks/pre-push")).unwrap();
    let found = project.named();
    for file in ["dotfiles/gitconfig", "tools/hooks/pre-commit", "checks/push"] {
        assert!(found.contains(&project.root.join(file)), "{file}: {found:?}");
    }
}

#[test]
fn settings_that_name_each_other_are_read_once() {
    let project = Project::new();
    let both = "[include] path = a\n[include] path = b\n[include] path = ../p/a\n";
    project.put("a", both.repeat(200));
    project.put("b", format!("{}[core] hooksPath = tools", both.repeat(200)));
    project.put(".git/config", "[include] path = ../a\n");
    assert!(project.named().contains(&project.root.join("tools/pre-commit")));
}

#[test]
fn a_file_leads_to_the_repository() {
    let project = tempfile::tempdir().unwrap();
    let root = project.path();
    assert_eq!(folder(root), root.join(".git"));
    std::fs::write(root.join(".git"), "gitdir: ../main/.git/worktrees/topic\n").unwrap();
    assert_eq!(folder(root), root.parent().unwrap().join("main/.git/worktrees/topic"));
}

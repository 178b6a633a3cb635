//! What a project makes a command run: files and settings that lie in a project decide what a program does
//! that otherwise only looks, so that `git status` in somebody else's folder runs somebody else's program.
//!
//! One table ([`families`] and [`git_settings`]) says which files and settings those are. The gate names what it
//! would like to know ([`Request::project_questions`]), its owner looks on the disk, and the gate decides.
//! What nobody has looked up, or what could not be read or understood, counts as running something.
//!
//! Not asked about is what a build or a test runs ([`meaning`]): whoever allows `npm test *` means that. Every other
//! command of a program in the table is looked up, whether it is known only to look or a rule allows it. Settings in
//! the person's own home folder are the person's own.

mod content;
mod families;
mod files;
mod git_config;
mod git_settings;
mod meaning;
mod python;
mod settings;

pub use crate::facts::{
    CodeSetting, CodeSource, FoundCode, GitSetting, ProjectAnswer, ProjectFacts, ProjectQuestion, ProjectSubject,
};
pub(crate) use content::runs_mise_template;
use families::FAMILIES;
pub use files::{Content, FileLocation, Find, Findings, FurtherFile, ProjectFile};
pub use git_config::{MalformedGitConfig, read_git_config};
pub(crate) use git_settings::is_hook;
use git_settings::{GitCall, ReachedCommands, reach_of_hook};
pub use settings::NotUnderstood;

use std::cell::LazyCell;

use crate::path::working_folder;
use crate::risk::classify_part;
use crate::{Request, RiskLevel};
use handraise_display::line;
use handraise_shell::path::{components, is_named};
use handraise_shell::{Part, Word, WordKind, unknown_program_asked_for_help};

/// Most questions of one call. A call with more is not looked up whole, and so is asked about.
pub const MAX_QUESTIONS: usize = 32;
/// Longest name of a file or a setting in a sentence, in characters.
const MAX_NAME: usize = 120;
/// Commands of git that leave the files of the working tree as they are, or only take some away. What is not here, and no
/// look, may bring others: an alias may.
const LEAVE_FILES: &str = "add stage commit push fetch ls-remote tag branch remote notes gc prune repack maintenance init config rm update-ref symbolic-ref";
/// Options of git in front of the sub-command that take a word of their own: git(1), "OPTIONS".
const VALUED: &str =
    "-c --config-env --exec-path --git-dir --work-tree --namespace --super-prefix --attr-source --list-cmds";
/// Those that say where the repository is, or what is in its settings.
const ELSEWHERE: &str = "--git-dir --work-tree --bare -c --config-env --exec-path --namespace";

/// The files that are meant by [`ProjectSubject::Files`].
#[must_use]
pub fn project_files(name: &str) -> &'static [ProjectFile] {
    FAMILIES.iter().find(|family| family.name == name).map_or(&[], |family| family.files)
}

/// Where a project has programs of its own, and what belongs to them. Many a program that is installed for all hands over to
/// the one of the project before it reads its words (`import-local`; `nest` of @nestjs/cli). `NAME` is that of the program.
///
/// Sources: npm ("folders"), Composer ("Vendor binaries"), Bundler ("bundle-binstubs"), venv.
const OWN_PROGRAMS: &[(&str, FileLocation)] = &[
    ("node_modules/NAME*", FileLocation::Upwards),
    ("node_modules/.bin/NAME*", FileLocation::Upwards),
    ("node_modules/@NAME*", FileLocation::Upwards),
    ("node_modules/@*/NAME*", FileLocation::Upwards),
    ("vendor/NAME", FileLocation::Upwards),
    ("vendor/bin/NAME*", FileLocation::Upwards),
    (".venv/bin/NAME", FileLocation::Upwards),
    // Further up it may be one of the system's.
    ("bin/NAME", FileLocation::Here),
];

/// The files that are meant by [`ProjectSubject::OwnProgram`], and where they are looked for. One `*` in a component stands for
/// any characters.
#[must_use]
pub fn own_program_files(program: &str) -> Vec<(String, FileLocation)> {
    OWN_PROGRAMS.iter().map(|(file, place)| (file.replace("NAME", program), *place)).collect()
}

/// The settings in `text`, which the file `name` of the family holds, that make its programs run something.
pub(crate) fn settings_that_run(family: &str, name: &str, text: &str) -> Result<Vec<String>, NotUnderstood> {
    let file = project_files(family).iter().find(|file| file.name == name);
    match file.map(|file| file.content) {
        Some(Content::Found(find)) => find(text).map(|findings| findings.names),
        Some(Content::Any | Content::Named(_)) => Ok(vec![name.to_owned()]),
        None => Ok(Vec::new()),
    }
}

/// The names at the top of the YAML `text`.
pub(crate) fn yaml_names(text: &str) -> Result<Vec<String>, NotUnderstood> {
    Ok(settings::yaml(text)?.iter().map(|setting| setting.key(0).to_owned()).collect())
}

/// Whether a file at `path` is one of those that may make a program run something.
pub(crate) fn names_project_code(path: &str) -> bool {
    let parts: Vec<&str> = components(path).collect();
    FAMILIES.iter().flat_map(|family| family.files).any(|file| file.is_at(&parts))
}

impl Request {
    /// What the gate would like to know about the projects in which the commands of this call run, each once;
    /// at most one more than [`MAX_QUESTIONS`], so that its owner sees that there are too many.
    #[must_use]
    pub fn project_questions(&self) -> Vec<ProjectQuestion> {
        let mut questions = Vec::new();
        for part in self.command.iter().flat_map(|line| &line.parts) {
            for question in project_questions_of(part) {
                if !questions.contains(&question) && questions.len() <= MAX_QUESTIONS {
                    questions.push(question);
                }
            }
        }
        questions
    }

    /// The facts of a project in which nothing runs anything, and whose folder is a repository that brings no settings: for
    /// what is decided without a disk.
    #[must_use]
    pub fn in_plain_project(self) -> Self {
        let nothing = |question: ProjectQuestion| {
            let repository = self.project.clone().filter(|_| question.about == ProjectSubject::Git);
            (question, ProjectAnswer::Looked(FoundCode { repository, ..FoundCode::default() }))
        };
        let project_code = self.project_questions().into_iter().map(nothing).collect();
        Self { project_code, checkouts: crate::CheckoutFacts::default(), ..self }
    }
}

/// Whether `part` is known only to look, but for what a project makes of it.
fn is_look(part: &Part) -> bool {
    classify_part(&part.without_writes()).level == RiskLevel::ReadOnly
}

/// Programs that ask git about the repository that they are in, or read its settings themselves: gh(1), glab(1),
/// git-lfs(1), delta(1), beads and workmux, command references.
const ASK_GIT: &str = "git gh hub glab git-lfs delta bd beads workmux";

/// The questions about the projects that `part` is reached by, whose folder is known.
pub(crate) fn project_questions_of(part: &Part) -> Vec<ProjectQuestion> {
    let subjects = subjects(part, &|| is_look(part)).into_iter();
    subjects.filter_map(|about| folder(part, &about).map(|folder| ProjectQuestion { folder, about })).collect()
}

/// Whether `path` is one of the files that the project has for `program`, or lies in one; of a `tree`, whether it may hold one,
/// too.
pub(crate) fn is_own_program_file(program: &str, path: &[&str], is_tree: bool) -> bool {
    own_program_files(program).iter().any(|(file, _)| {
        let ends_above = path.len() < components(file).count();
        (!ends_above || is_tree) && components(file).zip(path).all(|(wanted, part)| is_named(wanted, part))
    })
}

/// The same of the files of the family called `name`. `is_here`: it is seen from the folder in which the command runs, and from
/// none above.
pub(crate) fn is_project_file(name: &str, path: &[&str], is_here: bool, is_tree: bool) -> bool {
    let counts = |file: &&ProjectFile| is_here || file.place == FileLocation::Upwards;
    project_files(name).iter().filter(counts).any(|file| file.is_on(path, is_tree))
}

/// What `part` may be reached by.
fn subjects(part: &Part, only_looks: &dyn Fn() -> bool) -> Vec<ProjectSubject> {
    let program = program(part);
    let words: Vec<&str> = part.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let files = families::of(program, &words, part, only_looks).map(|family| ProjectSubject::Files(family.name));
    // `go help buildvcs`: these ask git for the state of the files.
    let is_built = program == "go" && words.first().is_some_and(|verb| listed("build vet list", verb));
    let asks = listed(ASK_GIT, program) || is_built;
    let git = asks && !says_version(part);
    let own = unknown_program_asked_for_help(part).map(|program| ProjectSubject::OwnProgram(program.to_owned()));
    git.then_some(ProjectSubject::Git).into_iter().chain(own).chain(files).collect()
}

/// Programs whose operands name code that they run: `import` and `include` of jq(1) read a module, which may show
/// the environment.
fn operands_run(program: &str, words: &[&str]) -> Option<&'static str> {
    match program {
        "jq" if words.iter().any(|word| word.contains("import") || word.contains("include")) => Some("a module of jq"),
        _ => None,
    }
}

/// `git --version` opens no repository.
fn says_version(part: &Part) -> bool {
    matches!(part.words.get(1), Some(word) if ["--version", "version", "-v", "check-ref-format"].contains(&word.text.as_str()))
}

/// The program's name without its folder, and Python's without its version.
fn program(part: &Part) -> &str {
    let name = part.program().map_or("", |program| program.rsplit('/').next().unwrap_or(program));
    let is_python =
        |version: &str| version.starts_with("3.") && version.bytes().skip(2).all(|byte| byte.is_ascii_digit());
    if name.strip_prefix("python").is_some_and(is_python) { "python3" } else { name }
}

/// The folder that a question about `part` starts in; `None` when nobody here can tell.
fn folder(part: &Part, about: &ProjectSubject) -> Option<String> {
    if *about != ProjectSubject::Git || program(part) != "git" {
        return working_folder(part);
    }
    let settled = part.settled();
    let part = settled.as_ref().unwrap_or(part);
    let mut folders = part.folders.clone();
    let mut words = part.words.iter().skip(1);
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        let name = text.split('=').next().unwrap_or(text);
        if word.kind == WordKind::Varies {
            return None;
        }
        if text == "-C" {
            folders.push(words.next().filter(|folder| folder.kind != WordKind::Varies).map(Word::as_folder)?);
        } else if listed(ELSEWHERE, name) {
            return None;
        } else if listed(VALUED, text) {
            words.next();
        } else if !text.starts_with('-') {
            break;
        }
    }
    working_folder(&Part { folders, ..part.clone() })
}

/// The sub-command of git.
fn git_command(part: &Part) -> &str {
    git_words(part).map_or("", |(command, _)| command)
}

/// The sub-command of git, and the words behind it.
pub(crate) fn git_words(part: &Part) -> Option<(&str, &[Word])> {
    let mut rest = part.words.get(1..)?;
    while let Some((word, behind)) = rest.split_first() {
        let valued = ["-C", "-c"].contains(&&*word.text) || listed(VALUED, &word.text);
        rest = match word.text.starts_with('-') {
            true if valued => behind.get(1..)?,
            true => behind,
            false => return Some((&word.text, behind)),
        };
    }
    None
}

/// Whether `git command rest` puts no file into the working tree.
pub(crate) fn leaves_files(command: &str, rest: &[Word]) -> bool {
    let texts: Vec<&str> =
        rest.iter().map(|word| word.text.as_str()).filter(|text| !listed("-q --quiet", text)).collect();
    let has = |list: &str| texts.iter().any(|text| listed(list, text));
    match command {
        // A new branch at the commit that is checked out.
        "switch" | "checkout" => matches!(texts.as_slice(), [option, _] if listed("-c -b --create", option)),
        "reset" => !texts.iter().any(|text| text.starts_with("--") && !listed("--mixed --soft --", text)),
        "restore" => has("--staged -S") && !has("--worktree -W"),
        "worktree" => texts.first().is_some_and(|verb| listed("prune remove lock unlock repair", verb)),
        command => listed(LEAVE_FILES, command),
    }
}

/// Whether what the settings of a repository name may come with a branch: hooks, and settings that are included.
pub(crate) fn reads_files_of_branches(found: &FoundCode) -> bool {
    found.sources.iter().any(|source| source.what.reach() == Some(ReachedCommands::Branch))
}

/// Why `part` of `request` may run something that lies in a project and that nobody has named, as a clause.
pub(crate) fn foreign_code(request: &Request, part: &Part) -> Option<ForeignCode> {
    let only_looks = LazyCell::new(|| is_look(part));
    let clause = clause(request, part, &|| *only_looks, Means::OwnHooks)?;
    Some(ForeignCode { clause, only_looks: *only_looks })
}

/// The same, with what the person's own repository makes git run: its hooks, which a rule of a person's for
/// `git commit *` means, and a rule of a preset does not.
pub(crate) fn own_code(request: &Request, part: &Part) -> Option<String> {
    clause(request, part, &|| false, Means::Nobodys)
}

/// Something in a project that a command may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForeignCode {
    /// What, as a clause.
    pub(crate) clause: String,
    /// But for that the command is known only to look.
    pub(crate) only_looks: bool,
}

/// Which hooks whoever allowed the command means with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Means {
    /// Those of the project's own repository.
    OwnHooks,
    /// None.
    Nobodys,
}

fn clause(request: &Request, part: &Part, only_looks: &dyn Fn() -> bool, means: Means) -> Option<String> {
    let program = program(part);
    let shown = line(program, MAX_NAME);
    let words: Vec<&str> = part.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    if let Some(what) = operands_run(program, &words).filter(|_| only_looks()) {
        return Some(format!("`{shown}` may run {what}"));
    }
    subjects(part, only_looks).into_iter().find_map(|about| {
        let Some(folder) = folder(part, &about) else {
            return Some(format!("`{shown}` may run what a project says, and its folder is not known"));
        };
        match request.project_code.get(&ProjectQuestion { folder, about }) {
            None => Some(format!("`{shown}` may run what the project says, which could not be looked up")),
            Some(ProjectAnswer::Unknown(why)) => {
                Some(format!("`{shown}` may run what the project says: {}", line(why, 200)))
            }
            Some(ProjectAnswer::Looked(found)) => reached(request, part, found, only_looks(), means),
        }
    })
}

/// git-log(1), `--remerge-diff`, `--diff-merges=remerge`, or an abbreviation of one of them.
fn asks_for_remerge(text: &str) -> bool {
    let Some(option) = text.strip_prefix("--") else { return ["remerge", "r"].contains(&text) };
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    (name.len() > 3 && "remerge-diff".starts_with(name)) || (name.starts_with("diff-m") && value.starts_with('r'))
}

/// The first source that `part` is reached by.
fn reached(request: &Request, part: &Part, found: &FoundCode, only_looks: bool, means: Means) -> Option<String> {
    let program = program(part);
    let shown = line(program, MAX_NAME);
    let is_partial = found.sources.iter().any(|source| source.what.reach() == Some(ReachedCommands::PartialClone));
    let call = GitCall {
        // What another program has git do is not known: it may fetch.
        command: match program {
            "git" => git_command(part),
            _ if only_looks || ["go", "delta"].contains(&program) => "",
            _ => "fetch",
        },
        only_looks,
        is_partial,
        brings: reads_files_of_branches(found)
            && !is_look(part)
            && (program != "git" || git_words(part).is_none_or(|(command, rest)| !leaves_files(command, rest))),
        remerges: part.words.iter().any(|word| asks_for_remerge(&word.text)),
        is_own: found.repository.is_some() && found.repository == request.project,
        means_own: means == Means::OwnHooks,
    };
    let counts = |source: &&CodeSource| match (&source.what, source.what.reach()) {
        (CodeSetting::Presence | CodeSetting::Named(_), _) => true,
        (CodeSetting::Git(setting), Some(reach)) => call.is_reached(&setting.name(), reach),
        (CodeSetting::Hook(name), Some(reach)) => call.is_reached(name, reach),
        (CodeSetting::Git(_) | CodeSetting::Hook(_), None) => false,
    };
    let source = found.sources.iter().find(counts)?;
    let file = line(&source.file, MAX_NAME);
    Some(match &source.what {
        CodeSetting::Presence => format!("`{shown}` may run what `{file}` says"),
        CodeSetting::Named(name) => format!("`{shown}` may run what `{}` in `{file}` says", line(name, MAX_NAME)),
        CodeSetting::Git(setting) => {
            let [does, because] = setting.deed();
            format!("`{shown}` {does} `{}` in `{file}` {because}", line(&setting.name(), MAX_NAME))
        }
        CodeSetting::Hook(_) => format!("`{shown}` runs the hook `{file}`"),
    })
}

impl CodeSetting {
    /// Whether it is a hook that git knows, and no sample of one.
    #[must_use]
    pub fn is_hook_that_runs(&self) -> bool {
        matches!(self, Self::Hook(_)) && self.reach().is_some()
    }

    fn reach(&self) -> Option<ReachedCommands> {
        match self {
            Self::Presence | Self::Named(_) => None,
            Self::Git(setting) => setting.reach(),
            Self::Hook(name) => reach_of_hook(name),
        }
    }
}

fn listed(list: &str, name: &str) -> bool {
    list.split(|c: char| c.is_ascii_whitespace() || c == '|').any(|entry| entry == name)
}

#[cfg(test)]
mod tests;

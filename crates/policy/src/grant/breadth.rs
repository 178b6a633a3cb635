//! How much a person's answer covers.

use std::collections::BTreeMap;

use super::prefixes::fixed_words;
use super::{CommandMatcher, FolderMatcher, Matcher};
use crate::path::seen_from_project;
use crate::project_task::{leaves_operands_open, pins};
use crate::rules::{MAX_COMMAND_LINE, PolicyDecision};
use crate::{Request, RiskLevel, Scope, TaskPin, ToolClass};
use handraise_display::has_hidden;
use handraise_shell::{CommandPattern, Part};

/// How much of what was asked an answer covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Breadth {
    /// Exactly this call.
    #[default]
    Exact,
    /// The same commands with any operands; for command lines.
    Prefix,
    /// Every file in the same folder and below it; for file tools.
    Folder,
    /// Every call of the tool.
    Tool,
}

/// How much of what was asked an answer covers, and which simple commands of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coverage<'a> {
    /// How much.
    pub breadth: Breadth,
    /// With [`Breadth::Prefix`]: positions in the command line's parts of those that it covers; `None`: each that a person
    /// is asked about.
    pub commands: Option<&'a [usize]>,
}

impl From<Breadth> for Coverage<'_> {
    fn from(breadth: Breadth) -> Self {
        Self { breadth, commands: None }
    }
}

/// Whether an approval of this breadth and scope is narrow enough for what was asked. What destroys is
/// approved exactly as it was asked, and not beyond its session.
pub fn is_offered(breadth: Breadth, scope: Scope, request: &Request, policy: &PolicyDecision) -> bool {
    if policy.risk.level == RiskLevel::Destructive {
        return breadth == Breadth::Exact && !matches!(scope, Scope::Project | Scope::Always);
    }
    // What else a shell can do was never put before anybody.
    breadth != Breadth::Tool || request.class != ToolClass::Shell
}

/// The matcher for `request`; `None` when this breadth does not fit it.
pub fn matcher(coverage: Coverage<'_>, request: &Request, policy: &PolicyDecision) -> Option<Matcher> {
    match coverage.breadth {
        Breadth::Exact => Some(Matcher::exact(request)),
        Breadth::Tool => Some(Matcher::tool(request)),
        Breadth::Prefix => {
            let patterns = prefix_patterns(request, policy, coverage.commands)?.into_keys().collect();
            Some(Matcher::Command(CommandMatcher { patterns, project: request.project.clone() }))
        }
        Breadth::Folder => Some(Matcher::Folder(FolderMatcher { class: request.class, folder: folder(request)? })),
    }
}

/// What the tasks run that an approval of this coverage covers, as far as that is known.
#[must_use]
pub fn tasks(coverage: Coverage<'_>, request: &Request, policy: &PolicyDecision) -> Vec<TaskPin> {
    let Some(line) = &request.command else { return Vec::new() };
    match coverage.breadth {
        Breadth::Prefix => {
            let is_covered = |index: &usize| coverage.commands.is_none_or(|commands| commands.contains(index));
            let covered = policy.asked_commands(line).filter(|(index, _)| is_covered(index));
            pins(request, covered.map(|(_, part)| part))
        }
        Breadth::Exact => pins(request, line.parts.iter()),
        Breadth::Folder | Breadth::Tool => Vec::new(),
    }
}

/// Patterns with open operands for the simple commands that a person was asked about, or for these `commands` of them,
/// each with those commands; `None` when one of them must not be left open, or was not asked about.
pub(super) fn prefix_patterns<'a>(
    request: &'a Request,
    policy: &'a PolicyDecision,
    commands: Option<&[usize]>,
) -> Option<BTreeMap<String, Vec<&'a Part>>> {
    let line = request.understood_command()?;
    let mut asked: BTreeMap<usize, &Part> = policy.asked_commands(line).collect();
    if let Some(commands) = commands {
        commands.iter().all(|index| asked.contains_key(index)).then_some(())?;
        asked.retain(|index, _| commands.contains(index));
    }
    let mut patterns: BTreeMap<String, Vec<&Part>> = BTreeMap::new();
    for part in asked.into_values() {
        patterns.entry(open_pattern(request, part)?).or_default().push(part);
    }
    (!patterns.is_empty()).then_some(patterns)
}

/// The pattern of `part` with open operands; `None` when it must not be left open.
pub(super) fn open_pattern(request: &Request, part: &Part) -> Option<String> {
    let words = fixed_words(part)?;
    let pattern = format!("{} *", CommandPattern::spell(&words));
    let covers = CommandPattern::parse(&pattern).ok()?.covers(&seen_from_project(request, part));
    (covers && leaves_operands_open(request, part)).then_some(pattern)
}

/// What "exactly this" means for a command line.
pub(super) enum ExactCommand {
    /// Its only simple command, as a pattern.
    Pattern(String),
    /// The whole line: a rule for one part of it would let that part pass alone, or beside others.
    Line(String),
}

/// Exactly the command line of `request`; `None` when not all of it was understood, or when no rule
/// can say it.
pub(super) fn exact_command(request: &Request) -> Option<ExactCommand> {
    let line = request.understood_command()?;
    if let [part] = line.parts.as_slice()
        && part.writes.is_empty()
        && part.reads.is_empty()
    {
        let words: Vec<&str> = part.exact_words().collect();
        let pattern = CommandPattern::spell(&words);
        let covers = CommandPattern::parse(&pattern).ok()?.covers(&seen_from_project(request, part));
        return covers.then_some(ExactCommand::Pattern(pattern));
    }
    let sayable = !line.parts.is_empty()
        && !line.inserts_output()
        && line.text.len() <= MAX_COMMAND_LINE
        && !has_hidden(&line.text);
    sayable.then(|| ExactCommand::Line(line.text.clone()))
}

/// The folder of the file that an agent's own file tool names; never a whole home folder or disk.
pub(super) fn folder(request: &Request) -> Option<String> {
    if request.server.is_some() || !matches!(request.class, ToolClass::FileRead | ToolClass::FileWrite) {
        return None;
    }
    let (folder, _) = request.paths.get(request.subject.path()?)?.path.rsplit_once('/')?;
    let holds_home =
        request.home.as_deref().is_none_or(|home| home == folder || home.starts_with(&format!("{folder}/")));
    (!folder.is_empty() && !holds_home).then(|| folder.to_owned())
}

/// The file that a call is about, symbolic links resolved.
pub(super) fn exact_file(request: &Request) -> Option<&str> {
    Some(request.paths.get(request.subject.path()?)?.path.as_str())
}

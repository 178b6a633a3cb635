//! What must hold for a rule to apply: every condition of it.

mod area;
mod argument;
mod expiry;
mod glob;
mod path;
mod program;
mod tasks;
mod tool;
mod undo;

use jiff::Timestamp;

use super::situation::{Situation, Target};
use crate::rules::action::Action;
use crate::rules::applies::{Applies, Miss};
use crate::{RiskLevel, TaskPin, ToolClass};
use handraise_shell::{CommandPattern, Fact, Part, RuleMatch, has_fact};

pub(super) use area::{Area, PathCondition};
pub(super) use argument::{Argument, check_pointer};
pub(super) use expiry::Expiry;
pub(super) use glob::Glob;
pub use glob::InvalidPattern;
pub(super) use path::{Base, PathGlob};
pub(super) use program::ProgramCondition;
pub(super) use tool::{CLASSES, Pattern, Tool, class_word};
use tool::{PatternMatch, name_matches};
pub(super) use undo::Undo;

/// The conditions of one rule. What is `None` or empty is no condition; of a list, one is enough.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Conditions {
    pub(super) pattern: Option<Pattern>,
    pub(super) tool: Option<Tool>,
    pub(super) class: Option<ToolClass>,
    pub(super) server: Option<Glob>,
    pub(super) arguments: Vec<Argument>,
    pub(super) command: Option<CommandPattern>,
    /// What is known of the program.
    pub(super) program: Option<ProgramCondition>,
    /// Nothing is lost with what it changes.
    pub(super) undo: Option<Undo>,
    /// The whole command line, as it is written.
    pub(super) command_line: Option<String>,
    /// What the tasks run that the commands name; none: whatever they run.
    pub(super) tasks: Vec<TaskPin>,
    pub(super) path: PathCondition,
    pub(super) agents: Vec<Glob>,
    pub(super) users: Vec<Glob>,
    pub(super) projects: Vec<PathGlob>,
    pub(super) risk: Vec<RiskLevel>,
    pub(super) tags: Vec<Glob>,
    pub(super) expires: Option<Expiry>,
}

impl Conditions {
    /// Whether a rule with these conditions and `action` applies; the cheap conditions first.
    pub(super) fn apply(&self, action: Action, situation: &Situation<'_>) -> Applies {
        if let Some(miss) = self.miss_of_call(action, situation) {
            return Applies::No(miss);
        }
        match self.path.apply(action, situation) {
            Applies::Yes => self.apply_commands(action, situation),
            Applies::Perhaps => match self.apply_commands(action, situation) {
                Applies::Yes => Applies::Perhaps,
                other => other,
            },
            no => no,
        }
    }

    /// Whether `expires` is over at the time `now`.
    pub(super) fn has_expired(&self, now: Timestamp) -> bool {
        self.expires.as_ref().is_some_and(|expiry| expiry.is_over(now))
    }

    fn miss_of_call(&self, action: Action, situation: &Situation<'_>) -> Option<Miss> {
        let call = situation.call;
        let request = call.request;
        let server_named = self.server.is_some();
        let tightens_by_path = action >= Action::Ask && !self.path.is_empty();
        if self.has_expired(call.now) {
            return Some(Miss::Expired);
        }
        if let Some(tool) = &self.tool {
            let matches = match tool {
                Tool::Class(class) => situation.is_of_class(*class, tightens_by_path),
                Tool::Name(glob) => name_matches(glob, call, action, server_named),
            };
            if !matches {
                return Some(Miss::Tool);
            }
        }
        if self.class.is_some_and(|class| !situation.is_of_class(class, tightens_by_path)) {
            return Some(Miss::Class);
        }
        if let Some(glob) = &self.server
            && !request.server.as_deref().is_some_and(|server| glob.matches(server))
        {
            return Some(Miss::Server);
        }
        if !is_one_of(&self.users, request.user.as_deref()) {
            return Some(Miss::User);
        }
        if let Some(miss) = self.miss_of_agent(situation) {
            return Some(miss);
        }
        if !self.tags.is_empty() && !request.tags.iter().any(|tag| self.tags.iter().any(|glob| glob.matches(tag))) {
            return Some(Miss::Tag);
        }
        if !self.risk.is_empty() && !self.risk.contains(&situation.risk.level) {
            return Some(Miss::Risk);
        }
        if !self.projects.is_empty() && !self.is_in_project(action, situation) {
            return Some(Miss::Project);
        }
        self.miss_of_arguments(action, situation)
    }

    fn miss_of_agent(&self, situation: &Situation<'_>) -> Option<Miss> {
        if self.agents.is_empty() {
            return None;
        }
        let agent = situation.call.request.agent.as_ref();
        if !is_one_of(&self.agents, agent.map(|agent| agent.name.as_str())) {
            return Some(Miss::Agent);
        }
        (!situation.call.agent_counts).then_some(Miss::ClaimedAgent)
    }

    fn miss_of_arguments(&self, action: Action, situation: &Situation<'_>) -> Option<Miss> {
        let call = situation.call;
        let by_glob = |glob: &Glob| !glob.is_exact();
        // A glob over a command line is a hole: `git *` would cover `git status; rm -rf ~`.
        let no_command = self.command.is_none() && self.command_line.is_none();
        let no_glob = action < Action::Ask && situation.is_shell() && no_command;
        if let Some(pattern) = &self.pattern {
            match pattern.matches(call, action, self.server.is_some()) {
                PatternMatch::Name => {}
                PatternMatch::Arguments if no_glob && pattern.arguments().is_some_and(by_glob) => {
                    return Some(Miss::GlobOverCommand);
                }
                PatternMatch::Arguments => {}
                PatternMatch::NoName => return Some(Miss::Pattern),
                PatternMatch::NoArguments => return Some(Miss::PatternArguments),
            }
        }
        for (position, argument) in self.arguments.iter().enumerate() {
            if !argument.matches(&call.request.arguments, action) {
                return Some(Miss::Argument(position));
            }
            if no_glob && by_glob(argument.glob()) {
                return Some(Miss::GlobOverCommand);
            }
        }
        None
    }

    fn is_in_project(&self, action: Action, situation: &Situation<'_>) -> bool {
        let request = situation.call.request;
        let home = request.home.as_deref();
        let known = request.project.as_deref();
        // The working folder as it is written is good for tightening only.
        let claimed = request.cwd.as_deref().filter(|_| action >= Action::Ask);
        let matches = |path: &str| self.projects.iter().any(|glob| glob.matches(path, home, None));
        known.into_iter().chain(claimed).any(matches)
    }

    /// The first of these that does not surely hold.
    fn apply_commands(&self, action: Action, situation: &Situation<'_>) -> Applies {
        let conditions: [fn(&Self, Action, &Situation<'_>) -> Applies; 5] = [
            Self::apply_command_line,
            Self::apply_program,
            Self::apply_command,
            |own, _, situation| own.apply_undo(situation),
            |own, _, situation| own.apply_tasks(situation),
        ];
        let told = conditions.into_iter().map(|condition| condition(self, action, situation));
        told.into_iter().find(|applies| *applies != Applies::Yes).unwrap_or(Applies::Yes)
    }

    /// The reader lets no rule have it but one that allows: what cannot be told is never said to be undone.
    fn apply_undo(&self, situation: &Situation<'_>) -> Applies {
        match self.undo {
            Some(undo) if !undo.holds(situation) => Applies::No(Miss::CannotBeUndone),
            _ => Applies::Yes,
        }
    }

    /// A rule that allows covers this very text and only where all of it was understood; one that tightens
    /// covers it with other blanks as well.
    fn apply_command_line(&self, action: Action, situation: &Situation<'_>) -> Applies {
        let Some(wanted) = &self.command_line else { return Applies::Yes };
        let line = situation.call.request.command.as_ref().filter(|_| situation.is_shell());
        let Some(line) = line else { return Applies::No(Miss::NoCommand) };
        if action >= Action::Ask {
            let matches = wanted.split_whitespace().eq(line.text.split_whitespace());
            return if matches { Applies::Yes } else { Applies::No(Miss::CommandLine) };
        }
        match wanted.trim() == line.text.trim() {
            true if line.obstacle.is_some() => Applies::No(Miss::NotUnderstood),
            true => Applies::Yes,
            false => Applies::No(Miss::CommandLine),
        }
    }

    /// What only looks is known well enough, and what destroys is asked about. A rule that allows never means a program by
    /// what is known of it: whoever wants that names it.
    fn apply_program(&self, action: Action, situation: &Situation<'_>) -> Applies {
        let Some(program) = self.program else { return Applies::Yes };
        let is_meant = match situation.target {
            Target::Command(part) => situation.risk.level == RiskLevel::Write && program.holds(situation.bare(part)),
            Target::Line(_) if action >= Action::Ask => return Applies::Perhaps,
            Target::Line(_) => return Applies::No(Miss::NotUnderstood),
            Target::Call | Target::Write(..) | Target::Read(..) => return Applies::No(Miss::NoCommand),
        };
        if is_meant && action != Action::Allow { Applies::Yes } else { Applies::No(Miss::Program) }
    }

    fn apply_command(&self, action: Action, situation: &Situation<'_>) -> Applies {
        let Some(pattern) = &self.command else { return Applies::Yes };
        // Of which not even the text is known may run anything.
        let meant = || situation.may_run().map_or(RuleMatch::Yes, |may_run| pattern.touch(may_run));
        let touch = match (situation.target, action) {
            (Target::Command(part), Action::Allow) if situation.is_covered(pattern, part) => RuleMatch::Yes,
            (Target::Command(_), Action::Allow) => RuleMatch::No,
            (Target::Command(part), Action::Confine) => touch_confined(pattern, situation.bare(part), meant),
            (Target::Line(_), Action::Allow | Action::Confine) => return Applies::No(Miss::NotUnderstood),
            (Target::Command(_) | Target::Line(_), _) => meant(),
            (Target::Call | Target::Write(..) | Target::Read(..), _) => return Applies::No(Miss::NoCommand),
        };
        match touch {
            RuleMatch::Yes => Applies::Yes,
            RuleMatch::Perhaps => Applies::Perhaps,
            RuleMatch::No => Applies::No(Miss::Command),
        }
    }

    /// It has no condition but a name or a class that fits everything.
    pub(super) fn is_everything(&self) -> bool {
        let everything = self.pattern.as_ref().is_none_or(Pattern::is_everything)
            && self.tool.as_ref().is_none_or(Tool::is_everything);
        let names = Self { pattern: self.pattern.clone(), tool: self.tool.clone(), ..Self::default() };
        everything && *self == names
    }
}

/// Whether a rule that confines means `part`: the program of the pattern itself, as this user and here. Walls hold
/// whatever other options and operands it has, and whatever lies in the folder that stands in front of its name, so that
/// no more has to be known. `meant`: whether one that asks means it.
pub(super) fn touch_confined(pattern: &CommandPattern, part: &Part, meant: impl FnOnce() -> RuleMatch) -> RuleMatch {
    let is_elsewhere =
        |wrapper: &String| has_fact(wrapper, Fact::AsAnotherUser) || has_fact(wrapper, Fact::RunsElsewhere);
    let is_itself = pattern.program().zip(part.program()).is_some_and(|(program, given)| {
        let folder = given.strip_suffix(program);
        folder.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
    });
    match pattern.covers(part) {
        true => RuleMatch::Yes,
        false if is_itself && !part.wrappers.iter().any(is_elsewhere) => meant(),
        false => RuleMatch::No,
    }
}

/// Without a condition, everything; otherwise what one of `globs` matches.
fn is_one_of(globs: &[Glob], name: Option<&str>) -> bool {
    globs.is_empty() || name.is_some_and(|name| globs.iter().any(|glob| glob.matches(name)))
}
/// The words for the risk levels in the file.
pub(super) const RISKS: &[(&str, RiskLevel)] =
    &[("read_only", RiskLevel::ReadOnly), ("write", RiskLevel::Write), ("destructive", RiskLevel::Destructive)];

/// The word for `level`.
pub(super) fn risk_word(level: RiskLevel) -> &'static str {
    RISKS.iter().find(|(_, known)| *known == level).map_or("write", |(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use handraise_shell::{CommandLine, MayRun, Shell};

    #[test]
    fn walls_are_put_around_no_program_that_runs_elsewhere_or_as_somebody_else() {
        let pattern = CommandPattern::parse("make *").unwrap();
        let bare = CommandLine::analyse("make --frob test", Shell::Bash).parts.into_iter().next().unwrap();
        let by = |wrapper: &str| {
            let part = Part { wrappers: vec![wrapper.to_owned()], ..bare.clone() };
            touch_confined(&pattern, &part, || pattern.touch(&MayRun::of_part(&part)))
        };
        for wrapper in ["timeout", "nice", "env", "/usr/bin/nohup"] {
            assert_eq!(by(wrapper), RuleMatch::Yes, "{wrapper}");
        }
        for (program, expected) in [
            ("/usr/bin/make", RuleMatch::Yes),
            ("~/.local/bin/make", RuleMatch::Yes),
            ("$HOME/bin/make", RuleMatch::Yes),
            ("./tools/make", RuleMatch::Yes),
            ("/usr/bin/cmake", RuleMatch::No),
            ("/usr/bin/make/x", RuleMatch::No),
        ] {
            let line = CommandLine::analyse(&format!("{program} --frob test"), Shell::Bash);
            let part = line.parts.first().unwrap();
            let touch = touch_confined(&pattern, part, || pattern.touch(&MayRun::of_part(part)));
            assert_eq!(touch, expected, "{program}");
        }
        for wrapper in [
            "sudo",
            "/usr/bin/sudo",
            "sudo-rs",
            "doas",
            "doas-rs",
            "dzdo",
            "gosu",
            "su-exec",
            "run0",
            "pkexec",
            "su",
            "runuser",
            "ssh",
            "chroot",
            "nsenter",
            "unshare",
            "systemd-run",
            "docker",
        ] {
            assert_eq!(by(wrapper), RuleMatch::No, "{wrapper}");
        }
    }
}

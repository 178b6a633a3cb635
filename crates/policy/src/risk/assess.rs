//! The level of a call from everything that is known about it.

use serde_json::{Map, Value};

use super::{Annotations, Classification, Risk, RiskBasis, RiskLevel, classify_arguments, classify_command};
use crate::ToolClass;
use handraise_shell::CommandLine;

/// What is known about a call.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// Level declared by the requester.
    pub declared: Option<RiskLevel>,
    /// Hints of the tool's server.
    pub annotations: Annotations,
    /// Level from the table of the agents' known tools.
    pub tool_table: Option<RiskLevel>,
    /// The command line, when the call runs one.
    pub command: Option<&'a CommandLine>,
    /// The arguments as they will be used.
    pub arguments: &'a Map<String, Value>,
    /// Kind of tool.
    pub class: ToolClass,
    /// A person has marked the tool's server as trusted, so that its `readOnlyHint` counts.
    pub server_trusted: bool,
}

/// A risk with the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssessedRisk {
    /// Level and source.
    pub risk: Risk,
    /// Why, as one clause: "`rm -r` removes whole folders". `None`: the source is all there is to say.
    pub because: Option<String>,
}

/// The highest level of what is known; nothing known means writing.
///
/// The tool of a shell has the level of its command line, since the tools' table knows only that it
/// is a shell. Anywhere else a command line or SQL can raise the level but not lower it.
#[must_use]
pub fn assess(sources: &Sources<'_>) -> AssessedRisk {
    let is_shell = sources.class == ToolClass::Shell;
    let command = sources.command.map(classify_command);
    let of_shell = command.as_ref().filter(|_| is_shell);
    // A shell without a command line that could be looked at may run anything.
    let least = (is_shell && command.is_none()).then_some(RiskLevel::Write);
    let hinted = match (sources.annotations.destructive_hint, sources.annotations.read_only_hint) {
        (Some(true), _) => Some(RiskLevel::Destructive),
        (_, Some(true)) if sources.server_trusted => Some(RiskLevel::ReadOnly),
        _ => None,
    };
    let known = [
        (least, RiskBasis::Unknown),
        (of_shell.map(|found| found.level), RiskBasis::Command),
        (sources.tool_table.filter(|_| of_shell.is_none()), RiskBasis::ToolTable),
        (hinted, RiskBasis::Annotations),
        (sources.declared, RiskBasis::Declared),
    ];
    let known = known
        .into_iter()
        .filter_map(|(level, basis)| Some(Risk { level: level?, basis }))
        // `max_by_key` keeps the last of equals: a declared level outranks an inferred one.
        .max_by_key(|risk| risk.level)
        .unwrap_or(Risk { level: RiskLevel::Write, basis: RiskBasis::Unknown });

    let statement = classify_arguments(sources.arguments);
    let found = [(command, RiskBasis::Command), (statement, RiskBasis::Statement)];
    let start = AssessedRisk { risk: known, because: None };
    found.into_iter().filter_map(|(found, basis)| Some((found?, basis))).fold(start, AssessedRisk::or_raised)
}

impl AssessedRisk {
    /// This, or what a look at more than the part has `found` where that is higher.
    pub(crate) fn or_raised(self, (found, basis): (Classification, RiskBasis)) -> Self {
        let explains = found.level == self.risk.level && self.because.is_none();
        if found.level > self.risk.level {
            Self { risk: Risk { level: found.level, basis }, because: Some(found.because) }
        } else if explains {
            Self { because: Some(found.because), ..self }
        } else {
            self
        }
    }

    /// One sentence for the person who decides.
    #[must_use]
    pub fn sentence(&self) -> String {
        if let Some(because) = &self.because {
            return match self.risk.level {
                RiskLevel::ReadOnly => format!("Only looks: {because}."),
                RiskLevel::Write => format!("May change something: {because}."),
                RiskLevel::Destructive => format!("Destructive: {because}."),
            };
        }
        let does = match self.risk.level {
            RiskLevel::ReadOnly => "only looks",
            RiskLevel::Write => "changes something",
            RiskLevel::Destructive => "removes, overwrites or publishes something for good",
        };
        match self.risk.basis {
            RiskBasis::Declared => format!("The requester says that the call {does}."),
            RiskBasis::Annotations => format!("The tool's server says that the call {does}."),
            RiskBasis::ToolTable => format!("This is a known tool that {does}."),
            RiskBasis::Command => format!("The command {does}."),
            RiskBasis::Statement => format!("The statement {does}."),
            RiskBasis::Unknown => "Nothing is known about this tool; it may change something.".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use handraise_shell::{Part, Word, WordKind};

    fn line(text: &str) -> CommandLine {
        let word = |text: &str| Word { text: text.to_owned(), kind: WordKind::Exact };
        let words = text.split_whitespace().map(word).collect();
        let part = Part { words, text: text.to_owned(), ..Part::default() };
        CommandLine { text: text.to_owned(), parts: vec![part], flat: Vec::new(), obstacle: None }
    }

    fn sources(arguments: &Map<String, Value>) -> Sources<'_> {
        Sources {
            declared: None,
            annotations: Annotations::default(),
            tool_table: None,
            command: None,
            arguments,
            class: ToolClass::Mcp,
            server_trusted: false,
        }
    }

    #[test]
    fn nothing_known_means_write() {
        let none = Map::new();
        let assessed = assess(&sources(&none));
        assert_eq!(assessed.risk, Risk { level: RiskLevel::Write, basis: RiskBasis::Unknown });
        assert_eq!(assessed.sentence(), "Nothing is known about this tool; it may change something.");
    }

    #[test]
    fn a_read_only_hint_counts_only_for_a_trusted_server() {
        let none = Map::new();
        let annotations = Annotations { read_only_hint: Some(true), ..Annotations::default() };
        let hinted = Sources { annotations, ..sources(&none) };
        assert_eq!(assess(&hinted).risk.level, RiskLevel::Write);
        let trusted = assess(&Sources { server_trusted: true, ..hinted });
        assert_eq!(trusted.risk, Risk { level: RiskLevel::ReadOnly, basis: RiskBasis::Annotations });
        let declared = Sources { server_trusted: true, declared: Some(RiskLevel::Write), ..hinted };
        assert_eq!(assess(&declared).risk, Risk { level: RiskLevel::Write, basis: RiskBasis::Declared });
    }

    #[test]
    fn a_command_line_takes_the_place_of_the_table_for_a_shell() {
        let none = Map::new();
        let status = line("git status");
        let shell = Sources {
            class: ToolClass::Shell,
            command: Some(&status),
            tool_table: Some(RiskLevel::Destructive),
            ..sources(&none)
        };
        let assessed = assess(&shell);
        assert_eq!(assessed.risk, Risk { level: RiskLevel::ReadOnly, basis: RiskBasis::Command });
        assert_eq!(assessed.sentence(), "Only looks: `git status` changes nothing.");
        let mcp = assess(&Sources { class: ToolClass::Mcp, ..shell });
        assert_eq!(mcp.risk, Risk { level: RiskLevel::Destructive, basis: RiskBasis::ToolTable });
    }

    #[test]
    fn a_declared_level_never_lowers_what_the_command_does() {
        let none = Map::new();
        let push = line("git push --force");
        let shell = Sources {
            class: ToolClass::Shell,
            command: Some(&push),
            declared: Some(RiskLevel::ReadOnly),
            ..sources(&none)
        };
        let assessed = assess(&shell);
        assert_eq!(assessed.risk, Risk { level: RiskLevel::Destructive, basis: RiskBasis::Command });
        assert_eq!(
            assessed.sentence(),
            "Destructive: `git push --force` overwrites or removes what the other side has."
        );
    }

    #[test]
    fn a_shell_without_a_command_line_may_write() {
        let none = Map::new();
        let shell = Sources { class: ToolClass::Shell, tool_table: Some(RiskLevel::ReadOnly), ..sources(&none) };
        assert_eq!(assess(&shell).risk.level, RiskLevel::Write);
    }

    #[test]
    fn sql_raises_and_never_lowers() {
        let looks = json!({"sql": "SELECT 1"});
        assert_eq!(assess(&sources(looks.as_object().unwrap())).risk.level, RiskLevel::Write);
        let drops = json!({"sql": "DROP TABLE users"});
        let declared = Sources { declared: Some(RiskLevel::ReadOnly), ..sources(drops.as_object().unwrap()) };
        let assessed = assess(&declared);
        assert_eq!(assessed.risk, Risk { level: RiskLevel::Destructive, basis: RiskBasis::Statement });
        assert_eq!(assessed.sentence(), "Destructive: `DROP` removes a part of the database.");
    }

    #[test]
    fn a_declared_level_is_said_to_be_declared() {
        let none = Map::new();
        let declared = Sources { declared: Some(RiskLevel::Write), ..sources(&none) };
        assert_eq!(assess(&declared).sentence(), "The requester says that the call changes something.");
    }
}

//! One request, in full.

use handraise_protocol::{
    Action, Approval, ArgumentRow, CommandSubject, Consequence, DiffLine, DiffSign, FindingView, PartKind, Piece,
    RiskBasis, RiskLevel, SubjectView, TaskView, Widening,
};

use super::provenance::{self, contradictions, provenance_summary};
use super::text::{Line, MARGIN, Tone, lines};

/// Most that is offered to be opened: there are as many keys.
const MAX_OFFERED: usize = 9;

/// Longest line of a table of the policy that is shown, in characters.
const MAX_RULE: usize = 2_000;

/// Longest denial of walls that is shown, in characters; the rest is counted.
const MAX_DENIAL: usize = 200;

/// The risk in one word.
pub(crate) fn risk_word(level: RiskLevel) -> &'static str {
    match level {
        RiskLevel::ReadOnly => "reads",
        RiskLevel::Write => "writes",
        RiskLevel::Destructive => "DESTROYS",
    }
}

/// The risk in one word, as a cell of a table.
pub(crate) fn risk_cell(level: RiskLevel) -> Line {
    let tone = if level == RiskLevel::Destructive { Tone::Warning } else { Tone::Plain };
    Line::new(tone, risk_word(level))
}

/// The agent and its project on one line.
pub(crate) fn who(approval: &Approval) -> String {
    let title = approval.agent_title.as_deref().or(approval.agent.as_deref());
    let who = named(title, approval.agent_verified, approval.project.as_deref());
    let mark = if contradictions(approval).is_empty() { "" } else { " (WARNING: see where it comes from)" };
    format!("{who}{mark}")
}

/// An agent and its project on one line.
pub(super) fn named(agent: Option<&str>, is_verified: bool, project: Option<&str>) -> String {
    let claimed = if agent.is_some() && !is_verified { " (says it is)" } else { "" };
    let project = project.map(|project| format!(" in {project}"));
    format!("{}{claimed}{}", agent.unwrap_or("an unnamed program"), project.unwrap_or_default())
}

/// All that there is to know about `approval`.
pub(crate) fn approval(approval: &Approval) -> Vec<Line> {
    let mut shown = vec![
        Line::new(Tone::Strong, approval.title.clone()),
        Line::new(Tone::Label, "Asked by  ").with(Tone::Plain, who(approval)),
    ];
    if let Some(summary) = provenance_summary(approval) {
        shown.push(Line::new(Tone::Label, "From      ").with(Tone::Plain, summary));
    }
    shown.extend([
        tool(approval),
        risk(approval),
        Line::new(Tone::Label, "Effect    ").with(Tone::Plain, approval.effect.sentence.clone()),
        Line::new(Tone::Label, "Because   ").with(Tone::Plain, approval.explanation.clone()),
    ]);
    approval.consequences.iter().for_each(|one| consequence(&mut shown, one));
    shown.extend(walls(approval));
    shown.extend(approval.findings.iter().map(finding));
    section(&mut shown, "Folder", &approval.cwd);
    subject(&mut shown, approval);
    approval.tasks.iter().for_each(|task| self::task(&mut shown, task));
    arguments(&mut shown, &approval.arguments);
    section(&mut shown, "The agent says why (a claim)", &approval.intent);
    section(&mut shown, "The agent's summary (a claim)", &approval.summary);
    section(&mut shown, "The agent's description (a claim)", &approval.description);
    shown.extend(approval.provenance.iter().flat_map(provenance::lines));
    shown
}

/// What the call would do to what is there.
fn consequence(shown: &mut Vec<Line>, one: &Consequence) {
    let tone = if one.loses { Tone::Warning } else { Tone::Plain };
    let mut line = Line::new(Tone::Label, "Would     ");
    if !one.command.is_empty() {
        line = line.with(Tone::Label, format!("{}: ", one.command));
    }
    shown.push(line.with(tone, one.sentence.clone()));
    let names = one.names.iter().map(|name| Line::new(Tone::Label, MARGIN).with(Tone::Plain, name.clone()));
    shown.extend(names);
    if one.more > 0 {
        shown.push(Line::new(Tone::Label, format!("{MARGIN}and {} more", one.more)));
    }
}

/// A finding as a warning; one that cannot deceive where markup is not read is only told.
pub(super) fn finding(finding: &FindingView) -> Line {
    let tone = if finding.misleads { Tone::Warning } else { Tone::Label };
    Line::new(tone, format!("{}: {}", finding.field, finding.sentence))
}

fn tool(approval: &Approval) -> Line {
    let line = Line::new(Tone::Label, "Tool      ").with(Tone::Plain, approval.tool.clone());
    match &approval.server {
        Some(server) => line.with(Tone::Label, " of the server ").with(Tone::Plain, server.clone()),
        None => line,
    }
}

/// What can be opened to the walls of the call, each by a key of its own: `1` for the first.
pub(crate) fn widenings(approval: &Approval) -> &[Widening] {
    let all = approval.confinement.as_ref().map_or(&[][..], |confinement| &confinement.widenings);
    all.get(..MAX_OFFERED).unwrap_or(all)
}

/// What the call may do inside walls, and what these have denied it before.
fn walls(approval: &Approval) -> Vec<Line> {
    let denied = approval.denied_by_walls.iter().map(|denied| handraise_display::line(denied, MAX_DENIAL));
    let mut shown: Vec<Line> =
        denied.map(|denied| Line::new(Tone::Warning, "Its walls denied it ").with(Tone::Plain, denied)).collect();
    shown.extend(approval.confinement.as_ref().map(|confinement| {
        Line::new(Tone::Label, "Confined  ").with(Tone::Plain, format!("{}.", confinement.walls.sentence))
    }));
    for (index, widening) in widenings(approval).iter().enumerate() {
        let opens = format!("Confined, and {} open to this project from now on: ", widening.opens);
        let number = Line::new(Tone::Label, format!("{:>4}  ", index + 1));
        shown.push(number.with(Tone::Plain, opens).with(Tone::Label, format!("{}.", widening.walls.sentence)));
        let rule = widening.rule.lines().filter(|line| !line.is_empty());
        shown.extend(
            rule.map(|row| Line::new(Tone::Label, MARGIN).with(Tone::Plain, handraise_display::line(row, MAX_RULE))),
        );
    }
    shown
}

fn risk(approval: &Approval) -> Line {
    let tone = if approval.risk.level == RiskLevel::Destructive { Tone::Warning } else { Tone::Plain };
    let basis = match approval.risk.basis {
        RiskBasis::Declared => " (declared by the requester)",
        RiskBasis::Annotations => " (as the tool's server hints)",
        RiskBasis::ToolTable => " (a known tool)",
        RiskBasis::Command => " (as the command shows)",
        RiskBasis::Statement => " (as the SQL in the arguments shows)",
        RiskBasis::Unknown => " (nothing is known about the tool)",
    };
    Line::new(Tone::Label, "Risk      ").with(tone, risk_word(approval.risk.level)).with(Tone::Label, basis)
}

pub(super) fn section(shown: &mut Vec<Line>, heading: &str, pieces: &[Piece]) {
    if !pieces.is_empty() {
        shown.push(Line::new(Tone::Label, heading));
        shown.extend(lines(pieces, MARGIN, Tone::Plain));
    }
}

fn subject(shown: &mut Vec<Line>, approval: &Approval) {
    match &approval.subject {
        SubjectView::Command(command) => {
            section(shown, "Command", &command.line);
            parts(shown, command, approval.scopes.iter().any(|choice| !choice.commands.is_empty()));
        }
        SubjectView::Read(read) => section(shown, "Reads", &read.path),
        SubjectView::Fetch(fetch) => section(shown, "Fetches", &fetch.url),
        SubjectView::Write(write) => {
            section(shown, "Writes the whole file", &write.path);
            section(shown, &format!("with this content ({} lines)", write.lines), &write.content);
        }
        SubjectView::Edit(edit) => {
            section(shown, "Changes the file", &edit.path);
            shown.extend(diff(&edit.diff, MARGIN));
        }
        SubjectView::Arguments => {}
    }
}

/// What of a command line would run, be written or read, one by one, with what the policy says about it, and its number
/// where an answer can remember one command without the others.
fn parts(shown: &mut Vec<Line>, command: &CommandSubject, numbered: bool) {
    if let Some(obstacle) = &command.obstacle {
        shown.push(Line::new(Tone::Warning, format!("Not understood: {obstacle}.")));
    }
    if command.parts.is_empty() {
        return;
    }
    shown.push(Line::new(Tone::Label, "Its parts, and what your rules say about each"));
    for part in &command.parts {
        let (tone, verdict) = match part.action {
            Action::Allow => (Tone::Label, "allow   "),
            Action::Confine => (Tone::Label, "confine "),
            Action::Ask => (Tone::Strong, "ask     "),
            Action::Deny => (Tone::Warning, "deny    "),
        };
        let what = match part.kind {
            PartKind::Call | PartKind::Command | PartKind::Line => "",
            PartKind::Write => "writes ",
            PartKind::Read => "reads ",
        };
        let number = match part.command.filter(|_| numbered) {
            Some(position) => format!("{:>2}  ", position.saturating_add(1)),
            None if numbered => " ".repeat(4),
            None => String::new(),
        };
        let margin = format!("{MARGIN}        {}", " ".repeat(number.len()));
        let mut text = lines(&part.text, &margin, Tone::Plain);
        if let Some(first) = text.first_mut() {
            let rest = first.0.split_off(1.min(first.0.len()));
            *first =
                Line::new(Tone::Label, MARGIN).with(tone, verdict).with(Tone::Label, number).with(Tone::Label, what);
            first.0.extend(rest);
        }
        shown.extend(text);
        let outside = part.paths.iter().filter(|path| path.outside_project);
        shown.extend(outside.map(|path| {
            Line::new(Tone::Label, margin.clone()).with(Tone::Warning, format!("outside the project: {}", path.path))
        }));
    }
}

/// What a task of the project runs, and what of it has changed.
fn task(shown: &mut Vec<Line>, task: &TaskView) {
    if let Some(unknown) = &task.unknown {
        shown.push(Line::new(Tone::Label, unknown.clone()));
    }
    if !task.changes.is_empty() {
        shown.push(Line::new(Tone::Warning, format!("`{}` has changed since you allowed it", task.call)));
        shown.extend(diff(&task.changes, MARGIN));
    }
    if !task.steps.is_empty() {
        shown.push(Line::new(Tone::Label, format!("`{}` runs", task.call)));
    }
    for step in &task.steps {
        let heading = Line::new(Tone::Label, MARGIN).with(Tone::Strong, step.name.clone());
        let file = lines(&step.file, "", Tone::Label);
        shown.push(file.into_iter().fold(heading.with(Tone::Label, " in "), |mut heading, line| {
            heading.0.extend(line.0);
            heading
        }));
        shown.extend(lines(&step.text, &format!("{MARGIN}  "), Tone::Plain));
    }
    for text in &task.unfollowed {
        shown.push(
            Line::new(Tone::Label, "It could not be told what this runs in turn: ").with(Tone::Plain, text.clone()),
        );
    }
}

/// What changes in a file, each line behind `margin` and its sign.
pub(crate) fn diff(changes: &[DiffLine], margin: &str) -> Vec<Line> {
    let of_line = |line: &DiffLine| {
        let (sign, tone) = match line.sign {
            DiffSign::Keep => ("  ", Tone::Plain),
            DiffSign::Add => ("+ ", Tone::Added),
            DiffSign::Remove => ("- ", Tone::Removed),
        };
        lines(&line.text, &format!("{margin}{sign}"), tone)
    };
    changes.iter().flat_map(of_line).collect()
}

fn arguments(shown: &mut Vec<Line>, rows: &[ArgumentRow]) {
    shown.push(Line::new(Tone::Label, if rows.is_empty() { "No arguments" } else { "All arguments" }));
    for row in rows {
        let mut name = lines(&row.name, MARGIN, Tone::Strong);
        if row.lines <= 1
            && let (Some(last), [value]) = (name.last_mut(), lines(&row.value, "", Tone::Plain).as_slice())
        {
            last.0.extend(Line::new(Tone::Label, " = ").0);
            last.0.extend(value.0.iter().cloned());
            shown.extend(name);
            continue;
        }
        shown.extend(name);
        shown.extend(lines(&row.value, &format!("{MARGIN}  "), Tone::Plain));
    }
}

#[cfg(test)]
mod tests {
    use handraise_display::has_hidden;
    use handraise_protocol::pieces;
    use serde_json::Value;

    use super::*;
    use crate::command::watch::sample;

    /// The texts of the gate's corpus.
    fn payloads() -> Vec<String> {
        let corpora = [
            include_str!("../../../display/tests/data/display_spoof.jsonl"),
            include_str!("../../../display/tests/data/display_spoof_more.jsonl"),
        ];
        let cases = corpora.into_iter().flat_map(str::lines).map(|case| serde_json::from_str::<Value>(case).unwrap());
        cases.filter_map(|case| Some(case["payload"].as_str()?.to_owned())).collect()
    }

    #[test]
    fn no_text_of_an_agent_reaches_the_terminal_raw() {
        for payload in payloads() {
            let text = payload.as_str();
            let row = ArgumentRow { name: pieces(text), value: pieces(text), json: false, lines: 1, length: 1 };
            let asked = Approval {
                arguments: vec![row],
                intent: pieces(text),
                cwd: pieces(text),
                ..sample(1, RiskLevel::Write, text)
            };
            for line in approval(&asked).iter().map(Line::text) {
                assert!(!has_hidden(&line) && !line.contains(['\n', '\t']), "{text:?}: {line:?}");
            }
        }
    }

    #[test]
    fn every_finding_is_told_and_what_misleads_is_a_warning() {
        let shown = approval(&sample(1, RiskLevel::Write, "\u{455}udo <b>x</b>"));
        let tone = |words: &str| {
            let line = shown.iter().find(|line| line.text().contains(words))?;
            Some(line.0.first()?.tone)
        };
        assert_eq!(tone("arguments.command: Letters of different scripts"), Some(Tone::Warning));
        assert_eq!(tone("arguments.command: Markup"), Some(Tone::Label));
    }
}

//! What a surface without room for everything shows of a request, and what may be approved there.

use std::collections::BTreeSet;

use handraise_display::{FindingKind, line};
use handraise_protocol::{Approval, ArgumentRow, Breadth, DiffSign, Piece, Question, RiskLevel, Scope, SubjectView};
use handraise_redaction::in_short;

use crate::strings::Text;

/// Longest text that a notification or the menu shows whole, in characters.
pub(crate) const MAX_LINE: usize = 200;
/// Most lines of a change that are shown.
const MAX_CHANGED_LINES: usize = 4;
/// Longest line of a change that is shown whole, in characters.
const MAX_CHANGED_LENGTH: usize = 100;
/// Rows of text that every notification server shows; xfce4-notifyd and GNOME cut off what follows.
const MAX_ROWS: usize = 5;
/// Characters in the shortest row.
const ROW: usize = 40;

/// What is shown of a call where there is little room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CompactView {
    /// One plain line that says what the call does.
    pub title: String,
    /// The first lines of the change that it makes, each with its sign.
    pub change: Vec<String>,
    /// Lines of the change that are not among them.
    pub more: usize,
    /// There is nothing else to see.
    pub is_complete: bool,
}

/// What the call does: its title, the change that it makes, and the arguments that neither shows.
#[must_use]
pub(crate) fn compact_view(approval: &Approval) -> CompactView {
    let changed = changed(approval);
    let mut title = in_short(&near(approval, &approval.title));
    if let SubjectView::Edit(edit) = &approval.subject {
        let count = |sign| edit.diff.iter().filter(|line| line.sign == sign).count();
        title = format!("{title} +{} −{}", count(DiffSign::Add), count(DiffSign::Remove));
    }
    if let SubjectView::Write(write) = &approval.subject {
        let text = if write.lines == 1 { Text::NotificationWriteLine } else { Text::NotificationWrite };
        title = text.with(&[("title", &title), ("lines", &write.lines.to_string())]);
    }
    let others: Vec<String> =
        others(approval).map(|row| format!("{}: {}", drawn(&row.name), drawn(&row.value))).collect();
    if !others.is_empty() {
        title = in_short(&format!("{title} ({})", line(&others.join(", "), usize::MAX)));
    }
    let all = changed.len();
    let mut change: Vec<String> = changed.into_iter().take(MAX_CHANGED_LINES).collect();
    let rows = |text: &String| text.chars().count().max(1).div_ceil(ROW);
    let is_complete = all == change.len()
        && title.chars().count() <= MAX_LINE
        && change.iter().all(|line| line.chars().count() <= MAX_CHANGED_LENGTH)
        && rows(&title) + change.iter().map(rows).sum::<usize>() <= MAX_ROWS;
    change.iter_mut().for_each(|text| *text = line(text, MAX_CHANGED_LENGTH));
    CompactView { title, more: all - change.len(), change, is_complete }
}

/// The lines of the change that the call makes, with their signs; those that stay as they are left out.
fn changed(approval: &Approval) -> Vec<String> {
    match &approval.subject {
        SubjectView::Edit(edit) => {
            let signed = edit.diff.iter().filter_map(|line| match line.sign {
                DiffSign::Add => Some(format!("+ {}", drawn(&line.text))),
                DiffSign::Remove => Some(format!("− {}", drawn(&line.text))),
                DiffSign::Keep => None,
            });
            signed.collect()
        }
        SubjectView::Write(write) => in_lines(&write.content).map(|line| format!("+ {line}")).collect(),
        _ => Vec::new(),
    }
}

/// `text` with the path of the file as it is in the working folder, whose name is told already.
fn near(approval: &Approval, text: &str) -> String {
    let folder = drawn(&approval.cwd);
    match text.split_once(' ') {
        Some((verb, path)) if is_about_file(&approval.subject) && folder.len() > 1 => {
            let inside = path.strip_prefix(&folder).and_then(|rest| rest.strip_prefix('/'));
            format!("{verb} {}", inside.unwrap_or(path))
        }
        _ => text.to_owned(),
    }
}

fn is_about_file(subject: &SubjectView) -> bool {
    matches!(subject, SubjectView::Edit(_) | SubjectView::Write(_) | SubjectView::Read(_))
}

/// The arguments that are shown neither as the subject nor as a claim of the agent.
fn others(approval: &Approval) -> impl Iterator<Item = &ArgumentRow> {
    let shown = shown_texts(approval);
    let is_plain = |row: &&ArgumentRow| drawn(&row.name) == PLAIN.0 && drawn(&row.value) == PLAIN.1;
    let arguments = approval.arguments.iter().filter(move |row| !is_plain(row));
    arguments.filter(move |row| !shown.contains(without_end(&drawn(&row.value))))
}

/// What Claude Code says with each edit, and what is so without it: one place is changed.
const PLAIN: (&str, &str) = ("replace_all", "false");

fn shown_texts(approval: &Approval) -> BTreeSet<String> {
    let texts = match &approval.subject {
        SubjectView::Command(command) => vec![drawn(&command.line)],
        SubjectView::Edit(edit) => {
            let without = |sign| {
                let lines = edit.diff.iter().filter(|line| line.sign != sign).map(|line| drawn(&line.text));
                lines.collect::<Vec<_>>().join("\n")
            };
            vec![drawn(&edit.path), without(DiffSign::Add), without(DiffSign::Remove)]
        }
        SubjectView::Write(write) => vec![drawn(&write.path), drawn(&write.content)],
        SubjectView::Read(read) => vec![drawn(&read.path)],
        SubjectView::Fetch(fetch) => vec![drawn(&fetch.url)],
        SubjectView::Arguments => return BTreeSet::new(),
    };
    let claims = [&approval.intent, &approval.summary, &approval.description];
    let claims = claims.into_iter().filter(|claim| !claim.is_empty()).map(|claim| drawn(claim));
    texts.into_iter().chain(claims).map(|text| without_end(&text).to_owned()).collect()
}

/// A text without the line break that closes its last line.
fn without_end(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

fn in_lines(pieces: &[Piece]) -> impl Iterator<Item = String> {
    drawn(pieces).lines().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// Who asks, a plain line.
#[must_use]
pub(crate) fn agent(approval: &Approval) -> String {
    approval.agent_title.clone().unwrap_or_else(|| Text::AgentUnnamed.get())
}

/// Who asks a question, a plain line.
#[must_use]
pub(crate) fn question_agent(question: &Question) -> String {
    question.agent_title.clone().unwrap_or_else(|| Text::AgentUnnamed.get())
}

/// Whether a surface that shows only the [`compact_view`] may offer to approve `approval`.
///
/// Not when it destroys something, not when the compact view is not all there is to see of it, not when
/// something in it may be taken for something else, and not when it reaches out of the project or acts
/// later by itself: nobody should approve at a glance what was cut off, drawn as a label, made to look
/// like another thing, or will run when nobody looks.
#[must_use]
pub(crate) fn approvable(approval: &Approval) -> bool {
    approval.risk.level != RiskLevel::Destructive
        && !approval.has_hidden_characters
        && !approval.findings.iter().any(|finding| finding.misleads || FindingKind::from(finding.kind).reaches_far())
        && compact_view(approval).is_complete
}

/// Whether it may also offer to approve the very same call for the rest of the session.
#[must_use]
pub(crate) fn approvable_for_session(approval: &Approval) -> bool {
    approvable(approval)
        && approval.scopes.iter().any(|choice| choice.scope == Scope::Session && choice.breadth == Breadth::Exact)
}

fn drawn(pieces: &[Piece]) -> String {
    let text = pieces.iter().map(|piece| match piece {
        Piece::Text(piece) => piece.text.clone(),
        Piece::Hidden(piece) => format!("⟨{}⟩", piece.label),
    });
    text.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{approval, destructive, edit, written};
    use handraise_protocol::{FindingKind, FindingView, HiddenPiece, TextPiece};

    fn row(name: &str, value: &str) -> ArgumentRow {
        let piece = |text: &str| vec![Piece::Text(TextPiece { text: text.into() })];
        ArgumentRow { name: piece(name), value: piece(value), json: false, lines: 1, length: 1 }
    }

    #[test]
    fn an_unknown_tool_is_shown_with_its_arguments() {
        let deploy = Approval {
            title: "deploy".into(),
            arguments: vec![row("target", "production"), row("note", "a\nb")],
            ..approval(1)
        };
        assert_eq!(compact_view(&deploy).title, "deploy (target: production, note: a⏎b)");
    }

    #[test]
    fn a_hidden_character_in_an_argument_is_labelled() {
        let value = vec![Piece::Hidden(HiddenPiece { label: "U+202E".into() })];
        let deploy = Approval {
            title: "deploy".into(),
            arguments: vec![ArgumentRow { value, ..row("target", "") }],
            ..approval(1)
        };
        assert_eq!(compact_view(&deploy).title, "deploy (target: ⟨U+202E⟩)");
    }

    #[test]
    fn only_what_can_be_seen_whole_and_destroys_nothing_is_approvable() {
        assert!(approvable(&approval(1)));
        assert!(!approvable(&destructive(1)));
        assert!(!approvable(&Approval { has_hidden_characters: true, ..approval(1) }));
        let misleading = |misleads| FindingView {
            kind: FindingKind::MixedScript,
            sentence: "Letters of different scripts are mixed.".into(),
            field: "arguments.command".into(),
            misleads,
        };
        assert!(!approvable(&Approval { findings: vec![misleading(true)], ..approval(1) }));
        assert!(approvable(&Approval { findings: vec![misleading(false)], ..approval(1) }));
        assert!(approvable(&Approval { title: "a".repeat(200), ..approval(1) }));
        assert!(!approvable(&Approval { title: "a".repeat(201), ..approval(1) }));
    }

    #[test]
    fn a_change_is_shown_with_its_lines_and_can_be_approved_when_that_is_all() {
        let small = edit(1, &["const tax = 0.2;"], &["const tax = 0.21;"]);
        let seen = compact_view(&small);
        assert_eq!(seen.title, "Edit src/cart.ts +1 −1");
        assert_eq!(seen.change, ["− const tax = 0.2;", "+ const tax = 0.21;"]);
        assert!(approvable(&small));
        let file = written(1, "notes.txt", "one\ntwo\n");
        assert_eq!(compact_view(&file).title, "Write notes.txt, the whole file of 2 lines");
        assert_eq!(compact_view(&file).change, ["+ one", "+ two"]);
        assert!(approvable(&file));
    }

    #[test]
    fn a_change_that_is_not_shown_whole_cannot_be_approved_at_a_glance() {
        let long = written(1, "notes.txt", "1\n2\n3\n4\n5\n");
        assert_eq!((compact_view(&long).change.len(), compact_view(&long).more), (4, 1));
        let wide = written(1, "notes.txt", &"x".repeat(141));
        assert!(compact_view(&wide).change[0].contains("more characters"), "{:?}", compact_view(&wide));
        let tall = written(1, "notes.txt", &["y".repeat(90), "y".repeat(90)].join("\n"));
        let a_little_too_wide = written(1, "notes.txt", &"x".repeat(101));
        for unseen in [long, wide, tall, a_little_too_wide] {
            assert!(!approvable(&unseen), "{:?}", compact_view(&unseen));
            assert!(!approvable_for_session(&unseen));
        }
    }

    #[test]
    fn an_argument_beside_the_change_is_shown_too() {
        let all = Approval { arguments: vec![row("replace_all", "true")], ..edit(1, &["a"], &["b"]) };
        assert_eq!(compact_view(&all).title, "Edit src/cart.ts +1 −1 (replace_all: true)");
        let claim = vec![Piece::Text(TextPiece { text: "Run the tests".into() })];
        let said = Approval {
            arguments: vec![row("description", "Run the tests")],
            description: claim,
            ..edit(1, &[], &["b"])
        };
        assert_eq!(compact_view(&said).title, "Edit src/cart.ts +1 −0");
    }

    #[test]
    fn what_reaches_out_of_the_project_or_acts_later_is_not_approved_at_a_glance() {
        for kind in [FindingKind::Outside, FindingKind::ActsLater] {
            let finding =
                FindingView { kind, sentence: "It reaches far.".into(), field: "reach".into(), misleads: false };
            let far = Approval { findings: vec![finding], ..edit(1, &["a"], &["b"]) };
            assert!(!approvable(&far) && !approvable_for_session(&far), "{kind:?}");
        }
    }
}

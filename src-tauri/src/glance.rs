//! What a surface without room for everything shows of a request, and what may be approved there.

use handraise_gate::display::line;
use handraise_gate::redact::in_short;
use handraise_protocol::{Approval, Breadth, Piece, Question, RiskLevel, Scope, SubjectView};

use crate::strings::Text;

/// Longest text that a notification or the menu shows whole, in characters.
pub(crate) const LONGEST_GLANCE: usize = 200;

/// One plain line that says what the call does: its title, and the arguments of a tool that is not
/// known any better.
#[must_use]
pub(crate) fn glance(approval: &Approval) -> String {
    if approval.subject != SubjectView::Arguments || approval.arguments.is_empty() {
        return in_short(&approval.title);
    }
    let arguments: Vec<String> =
        approval.arguments.iter().map(|row| format!("{}: {}", drawn(&row.name), drawn(&row.value))).collect();
    in_short(&format!("{} ({})", approval.title, line(&arguments.join(", "), usize::MAX)))
}

/// Who asks, a plain line.
#[must_use]
pub(crate) fn agent(approval: &Approval) -> String {
    approval.agent.clone().unwrap_or_else(|| Text::AgentUnnamed.get())
}

/// Who asks a question, a plain line.
#[must_use]
pub(crate) fn asking_agent(question: &Question) -> String {
    question.agent.clone().unwrap_or_else(|| Text::AgentUnnamed.get())
}

/// Whether a surface that shows only the [`glance`] may offer to approve `approval`.
///
/// Not when it destroys something, not when the glance is not all there is to see of it, and not when
/// something in it may be taken for something else: nobody should approve at a glance what was cut off,
/// drawn as a label, or made to look like another thing.
#[must_use]
pub(crate) fn approvable(approval: &Approval) -> bool {
    approval.risk.level != RiskLevel::Destructive
        && !approval.has_hidden_characters
        && !approval.findings.iter().any(|finding| finding.misleads)
        && glance(approval).chars().count() <= LONGEST_GLANCE
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
    use crate::testing::{approval, destructive};
    use handraise_protocol::{ArgumentRow, FindingKind, FindingView, HiddenPiece, TextPiece};

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
        assert_eq!(glance(&deploy), "deploy (target: production, note: a⏎b)");
    }

    #[test]
    fn a_hidden_character_in_an_argument_is_labelled() {
        let value = vec![Piece::Hidden(HiddenPiece { label: "U+202E".into() })];
        let deploy = Approval {
            title: "deploy".into(),
            arguments: vec![ArgumentRow { value, ..row("target", "") }],
            ..approval(1)
        };
        assert_eq!(glance(&deploy), "deploy (target: ⟨U+202E⟩)");
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
}

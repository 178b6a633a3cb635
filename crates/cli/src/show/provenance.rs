//! Where a request comes from.

use handraise_protocol::{Approval, FindingKind, Provenance, ProvenanceProgram};

use super::text::{Line, MARGIN, Tone};

/// Where it comes from, in one line.
pub(crate) fn provenance_summary(approval: &Approval) -> Option<&str> {
    approval.provenance.as_ref().map(|provenance| provenance.summary.as_str())
}

/// The sentences about claims that the asking program contradicts.
pub(crate) fn contradictions(approval: &Approval) -> Vec<&str> {
    let contradictions = approval.findings.iter().filter(|finding| finding.kind == FindingKind::Contradiction);
    contradictions.map(|finding| finding.sentence.as_str()).collect()
}

/// All that is known about it.
pub(super) fn lines(provenance: &Provenance) -> Vec<Line> {
    let mut shown = vec![Line::new(Tone::Label, "The programs behind it")];
    shown.extend(provenance.programs.iter().map(program));
    let repository = provenance.repository.as_ref();
    let facts = [
        ("Terminal", provenance.terminal.as_ref()),
        ("Works in", provenance.folder.as_ref()),
        ("Repository", repository.map(|repository| &repository.folder)),
        ("Branch", repository.and_then(|repository| repository.branch.as_ref())),
        ("No branch, at", repository.and_then(|repository| repository.commit.as_ref())),
        ("Worktree of", repository.and_then(|repository| repository.worktree_of.as_ref())),
        ("Container", provenance.container.as_ref()),
        ("SSH", provenance.ssh.as_ref()),
    ];
    shown.extend(facts.into_iter().filter_map(|(label, fact)| {
        Some(Line::new(Tone::Label, format!("{MARGIN}{label}  ")).with(Tone::Plain, fact?.clone()))
    }));
    shown
}

fn program(program: &ProvenanceProgram) -> Line {
    let tone = if program.is_agent { Tone::Strong } else { Tone::Plain };
    let file = program.executable.as_ref().map(|path| format!("  {path}")).unwrap_or_default();
    let script = program.script.as_ref().map(|script| format!("  {script}")).unwrap_or_default();
    Line::new(Tone::Label, format!("{MARGIN}{:>7}  ", program.pid))
        .with(tone, program.name.clone())
        .with(Tone::Label, format!("{file}{script}"))
}

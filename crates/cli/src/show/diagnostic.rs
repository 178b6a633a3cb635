//! A finding about a policy file, drawn below the line that it is about.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use handraise_display::show;
use handraise_policy::rules::{Diagnostic, Severity};

use super::colour::is_coloured;

/// `diagnostic` about the file called `name` that holds `source`.
pub(crate) fn diagnostic(diagnostic: &Diagnostic, name: &str, source: &str) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    // The renderer itself replaces control and direction characters of the source; the message may
    // quote it, so it goes the way of all text.
    let message = show(&diagnostic.message).text;
    let end = diagnostic.span.end.min(source.len());
    let place = AnnotationKind::Primary.span(diagnostic.span.start.min(end)..end);
    let title = level.primary_title(message).id(diagnostic.code.as_str());
    let snippet = Snippet::source(source).path(name).annotation(place);
    let mut group = title.element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(show(help).text));
    }
    let renderer = if is_coloured() { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

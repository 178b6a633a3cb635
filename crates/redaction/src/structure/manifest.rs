//! Kubernetes `Secret` manifests, whose values are secret under any name (Kubernetes API reference,
//! Secret v1: `data` is base64, `stringData` is plain).

use super::super::look_alikes::{self, ValueSyntax};
use super::super::secrecy::Strength;
use super::super::span::{Rank, Span};
use super::view::View;

pub(super) fn find(view: &View<'_>, spans: &mut Vec<Span<'_>>) {
    let mut is_secret = view.text.lines().any(is_kind_secret);
    if !is_secret {
        return;
    }
    // Several documents stand in one text: a kind before the data decides, or the first one behind.
    let mut data: Option<usize> = None;
    let mut place = 0;
    for line in view.text.split_inclusive('\n') {
        let start = place;
        place += line.len();
        let content = line.trim_start_matches(' ');
        let indentation = line.len() - content.len();
        if content.starts_with("kind:") {
            is_secret = is_kind_secret(content);
        }
        if content.trim().is_empty() {
            continue;
        }
        if matches!(content.trim_end(), "data:" | "stringData:") {
            data = is_secret.then_some(indentation);
        } else if data.is_some_and(|level| indentation <= level) {
            data = None;
        } else if data.is_some()
            && let Some((name, value)) = content.split_once(':')
        {
            let value = value.trim();
            let from = start + indentation + name.len() + 1;
            let from = view.skip_blanks(from);
            if look_alikes::is_secret(value.trim_matches('"'), Strength::Strong, ValueSyntax::Quoted)
                && !value.starts_with(['|', '>'])
            {
                spans.push(Span::new(from..from + value.len(), "secret", Rank::Structure));
            }
        }
    }
}

fn is_kind_secret(line: &str) -> bool {
    line.trim().strip_prefix("kind:").is_some_and(|kind| kind.trim().trim_matches('"') == "Secret")
}

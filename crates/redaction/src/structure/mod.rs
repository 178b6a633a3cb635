//! Secrets known by where they stand, layer 2.

mod below;
mod commands;
mod field;
mod fields;
mod inputs;
mod long_quotes;
mod manifest;
mod name;
mod named;
mod phrases;
mod readers;
mod separator;
mod shell_words;
mod stores;
mod tables;
mod tags;
mod url;
mod view;

pub(super) use commands::argument_values;
pub(super) use field::header_values;
pub(super) use stores::stored_values;

use aho_corasick::{AhoCorasick, MatchKind};

use super::key_names::KeyNames;
use super::span::Span;
use phrases::Phrases;
use view::View;

/// The compiled searches for places.
#[derive(Debug)]
pub(super) struct Structure {
    roots: Option<AhoCorasick>,
    phrases: Phrases,
}

impl Structure {
    pub(super) fn new(names: &KeyNames) -> Self {
        let mut roots = AhoCorasick::builder();
        roots.match_kind(MatchKind::LeftmostLongest).ascii_case_insensitive(true);
        // Fails only for automata of gigabytes; the user's names are far from that.
        Self { roots: roots.build(names.roots()).ok(), phrases: Phrases::new() }
    }

    pub(super) fn find<'a>(&'a self, text: &str, names: &KeyNames, spans: &mut Vec<Span<'a>>) {
        let view = View::new(text);
        if let Some(roots) = &self.roots {
            named::find(&view, roots, names, spans);
        }
        url::find(&view, spans);
        commands::find(&view, spans);
        inputs::find(&view, names, spans);
        stores::find(&view, names, spans);
        manifest::find(&view, spans);
        tables::find(&view, names, spans);
        self.phrases.find(text, spans);
    }
}

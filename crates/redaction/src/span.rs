//! Where a secret stands in a text.

use std::ops::Range;

/// A found secret. `rank` says which kind names it when several layers found it: the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: &'a str,
    pub(super) rank: Rank,
}

/// How precisely a layer knows what it found, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Block,
    User,
    Token,
    Structure,
}

impl<'a> Span<'a> {
    pub(super) fn new(range: Range<usize>, kind: &'a str, rank: Rank) -> Self {
        Self { start: range.start, end: range.end, kind, rank }
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Sorts spans and unites those that overlap.
pub(super) fn merge(mut spans: Vec<Span<'_>>) -> Vec<Span<'_>> {
    spans.retain(|span| span.start < span.end);
    spans.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Span<'_>> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => {
                last.end = last.end.max(span.end);
                if span.rank < last.rank {
                    (last.kind, last.rank) = (span.kind, span.rank);
                }
            }
            _ => merged.push(span),
        }
    }
    merged
}

/// Takes the `holes` out of the spans. Both are in order and without overlap.
pub(super) fn without<'a>(spans: Vec<Span<'a>>, holes: &[Range<usize>]) -> Vec<Span<'a>> {
    if holes.is_empty() {
        return spans;
    }
    let mut pieces = Vec::with_capacity(spans.len());
    let mut holes = holes.iter().peekable();
    for mut span in spans {
        while holes.next_if(|hole| hole.end <= span.start).is_some() {}
        while let Some(hole) = holes.peek().filter(|hole| hole.start < span.end) {
            if span.start < hole.start {
                pieces.push(Span { end: hole.start, ..span });
            }
            span.start = hole.end.min(span.end);
            if hole.end > span.end {
                break;
            }
            holes.next();
        }
        if span.start < span.end {
            pieces.push(span);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(range: Range<usize>, rank: Rank) -> Span<'static> {
        Span::new(range, if rank == Rank::Token { "token" } else { "place" }, rank)
    }

    #[test]
    fn overlapping_spans_become_one_named_by_the_more_precise() {
        let merged = merge(vec![span(4..9, Rank::Token), span(2..6, Rank::Structure), span(9..12, Rank::Structure)]);
        assert_eq!(merged, vec![Span::new(2..9, "token", Rank::Token), span(9..12, Rank::Structure)]);
    }

    #[test]
    fn holes_split_spans() {
        let left = without(vec![span(2..9, Rank::Token), span(10..12, Rank::Token)], &[0..3, 5..6, 8..11]);
        let ranges: Vec<_> = left.iter().map(Span::range).collect();
        assert_eq!(ranges, vec![3..5, 6..8, 11..12]);
    }
}

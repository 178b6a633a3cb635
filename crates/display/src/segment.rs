//! Text divided into what can be drawn and what has to be named instead.

use std::iter::Peekable;
use std::str::Chars;

use super::character::{self, Hidden};
use super::host;

/// Longest run of blanks inside a line that is drawn as it is: columns of a table are that far apart, and it is a fraction
/// of the narrowest window. A tab counts as two.
const MAX_GAP: usize = 20;
/// Longest run of blanks at the beginning of a line that is drawn as it is: deeper than code is indented.
const MAX_INDENTATION: usize = 40;
/// The same in the content of a file: the cells of a table in Markdown are as wide as the longest one.
const MAX_CONTENT_GAP: usize = 100;
/// Most line breaks in a row that are drawn as they are: two empty lines.
const MAX_LINE_BREAKS: usize = 3;
/// Most combining marks on one base that are drawn: Vietnamese needs two, pointed Hebrew three.
const MAX_MARKS: usize = 4;
/// Most signs in a text that are drawn although each takes the room of many letters.
const MAX_LARGE: usize = 3;
/// Most letters that are drawn under one another: Sanskrit clusters have five.
const MAX_STACKED: usize = 5;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    /// Drawn as it is.
    Plain(String),
    /// One character that must be labelled, so many times in a row.
    Hidden(Hidden, char, usize),
    /// So many marks more than a base may carry.
    Marks(usize),
    /// A run of blanks and tabs that would push the rest out of sight.
    Blanks(usize, usize),
    /// So many empty lines, with blanks in them.
    EmptyLines(usize, usize),
    /// The host that stands before it, as a resolver spells it.
    Host(String),
}

impl Segment {
    /// What is drawn instead, without brackets; `None` for what is drawn as it is.
    pub(super) fn label(&self) -> Option<String> {
        match self {
            Self::Plain(_) => None,
            Self::Hidden(_, character, 1) => Some(character::label(*character)),
            Self::Hidden(_, character, count) => Some(format!("{} ×{count}", character::label(*character))),
            Self::Marks(count) => Some(counted(*count, "combining mark")),
            Self::Blanks(blanks, 0) => Some(counted(*blanks, "blank")),
            Self::Blanks(0, tabs) => Some(counted(*tabs, "tab")),
            Self::Blanks(blanks, tabs) => Some(format!("{}, {}", counted(*blanks, "blank"), counted(*tabs, "tab"))),
            Self::EmptyLines(lines, 0) => Some(counted(*lines, "empty line")),
            Self::EmptyLines(lines, blanks) => {
                Some(format!("{} of {}", counted(*lines, "empty line"), counted(*blanks, "blank")))
            }
            Self::Host(host) => Some(host.clone()),
        }
    }

    /// Characters of the text that it stands for.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Plain(text) => text.chars().count(),
            Self::Hidden(_, _, count) | Self::Marks(count) => *count,
            Self::Blanks(blanks, tabs) => blanks + tabs,
            // The line breaks at both ends are segments of their own.
            Self::EmptyLines(lines, blanks) => lines.saturating_sub(1) + blanks,
            Self::Host(_) => 0,
        }
    }
}

/// `count` and `thing`, in the plural when it is not one.
pub(super) fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Divides `text`. All of it is in the segments, in order.
pub(super) fn segments(text: &str) -> Vec<Segment> {
    divide(text, Divider { longest_gap: MAX_GAP, most_line_breaks: MAX_LINE_BREAKS, ..Divider::default() })
}

/// As [`segments`], for the content of a file: columns are aligned with longer gaps, and lines are
/// counted and numbered where it is drawn.
pub(super) fn content_segments(text: &str) -> Vec<Segment> {
    divide(text, Divider { longest_gap: MAX_CONTENT_GAP, most_line_breaks: usize::MAX, ..Divider::default() })
}

fn divide(text: &str, mut divider: Divider) -> Vec<Segment> {
    divider.at_line_start = true;
    let mut rest = text;
    let mut done = 0;
    for host in host::suspicious(text) {
        let Some((head, tail)) = rest.split_at_checked(host.end - done) else { continue };
        divider.divide(head);
        // A text that was shown before says it already.
        if !tail
            .strip_prefix('⟨')
            .and_then(|tail| tail.strip_prefix(host.ascii.as_str()))
            .is_some_and(|tail| tail.starts_with('⟩'))
        {
            divider.push(Segment::Host(host.ascii));
        }
        divider.base = None;
        rest = tail;
        done = host.end;
    }
    divider.divide(rest);
    divider.segments
}

#[derive(Default)]
struct Divider {
    segments: Vec<Segment>,
    at_line_start: bool,
    longest_gap: usize,
    most_line_breaks: usize,
    /// The character that a mark would be drawn on.
    base: Option<char>,
    marks: usize,
    /// Letters that the last one is stacked under, with itself.
    stacked: usize,
    /// Signs drawn so far that take the room of many letters.
    large: usize,
    /// The character before, when it was drawn.
    previous: Option<char>,
}

impl Divider {
    fn divide(&mut self, text: &str) {
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                ' ' | '\t' | '\n' => self.white(character, &mut characters),
                plain if plain.is_ascii_graphic() => self.plain(plain),
                character::BLACK_FLAG => {
                    self.plain(character);
                    self.flag(&mut characters);
                }
                _ => self.other(character, characters.peek().copied()),
            }
        }
    }

    /// The tags behind a black flag that make it the flag of a part of a country, and nothing else.
    fn flag(&mut self, characters: &mut Peekable<Chars<'_>>) {
        let Some(length) = character::subdivision(characters.clone()) else { return };
        characters.by_ref().take(length).for_each(|tag| self.draw(tag));
    }

    fn other(&mut self, character: char, next: Option<char>) {
        if self.is_part_of_emoji(character, next) || self.joins(character, next) {
            self.draw(character);
        } else if let Some(hidden) = character::hidden(character) {
            self.hide(hidden, character);
        } else if character::is_mark(character) {
            self.mark(character);
        } else {
            self.plain(character);
        }
    }

    /// An emoji may be followed by one variation selector and joined to the next, and a digit may
    /// become a keycap: nothing else is drawn by these characters (Unicode Technical Standard 51).
    fn is_part_of_emoji(&self, character: char, next: Option<char>) -> bool {
        let previous = self.previous;
        let keycap = |base: Option<char>| base.is_some_and(|base| base.is_ascii_digit() || matches!(base, '#' | '*'));
        match character {
            '\u{fe0e}' | '\u{fe0f}' => {
                previous.is_some_and(character::is_emoji) || (keycap(previous) && next == Some('\u{20e3}'))
            }
            '\u{200d}' => {
                let before = if previous == Some('\u{fe0f}') { self.base } else { previous };
                before.is_some_and(character::is_emoji) && next.is_some_and(character::is_emoji)
            }
            '\u{20e3}' => keycap(previous) || (previous == Some('\u{fe0f}') && keycap(self.base)),
            _ => false,
        }
    }

    /// A joiner that orthography asks for, where it changes what is drawn (RFC 5892, appendix A.1 and
    /// A.2): behind the virama of an Indic consonant, and the non-joiner between joining Arabic letters.
    fn joins(&self, character: char, next: Option<char>) -> bool {
        let next = next.is_some_and(character::is_letter_of_joining_script);
        match character {
            '\u{200c}' => {
                next && self
                    .previous
                    .is_some_and(|before| character::is_virama(before) || character::joins_left(before))
            }
            '\u{200d}' => next && self.previous.is_some_and(character::is_virama),
            _ => false,
        }
    }

    fn plain(&mut self, character: char) {
        if character::is_large(character) {
            self.large += 1;
            if self.large > MAX_LARGE {
                self.hide(Hidden::Large, character);
                return;
            }
        }
        let is_stacked = self.previous.is_some_and(character::stacks);
        self.stacked = if is_stacked { self.stacked + 1 } else { 1 };
        self.draw(character);
        self.base = Some(character);
        self.marks = 0;
    }

    fn mark(&mut self, mark: char) {
        let carries = self.base.is_some_and(|base| !base.is_ascii() || base.is_ascii_alphabetic());
        if !carries || character::is_overlay(mark) {
            self.mark_without_base(mark);
            return;
        }
        if character::stacks(mark) && self.stacked >= MAX_STACKED {
            self.hide(Hidden::Mark, mark);
            return;
        }
        self.marks += 1;
        if self.marks <= MAX_MARKS {
            self.draw(mark);
        } else if let Some(Segment::Marks(count)) = self.segments.last_mut() {
            *count += 1;
        } else {
            self.push(Segment::Marks(1));
        }
    }

    /// The first is labelled, the others that follow it are counted: they would be drawn on the label.
    fn mark_without_base(&mut self, mark: char) {
        match self.segments.last_mut() {
            Some(Segment::Marks(count)) => *count += 1,
            Some(Segment::Hidden(Hidden::Mark, last, _)) if *last != mark => self.push(Segment::Marks(1)),
            _ => self.hide(Hidden::Mark, mark),
        }
        self.base = None;
    }

    fn white(&mut self, first: char, characters: &mut Peekable<Chars<'_>>) {
        let mut run = String::from(first);
        while let Some(next) = characters.next_if(|next| matches!(next, ' ' | '\t' | '\n')) {
            run.push(next);
        }
        let parts: Vec<&str> = run.split('\n').collect();
        let breaks = parts.len() - 1;
        let indentation = if self.at_line_start { MAX_INDENTATION } else { self.longest_gap };
        if let Some((last, [first, middle @ ..])) = parts.split_last() {
            self.gap(first, indentation);
            if breaks > self.most_line_breaks {
                self.draw('\n');
                self.push(Segment::EmptyLines(breaks - 1, middle.iter().map(|part| part.len()).sum()));
                self.draw('\n');
            } else {
                for part in middle {
                    self.draw('\n');
                    self.gap(part, MAX_INDENTATION);
                }
                self.draw('\n');
            }
            self.gap(last, MAX_INDENTATION);
            self.at_line_start = true;
        } else {
            self.gap(&run, indentation);
        }
        self.base = None;
    }

    fn gap(&mut self, blanks: &str, longest: usize) {
        let tabs = blanks.chars().filter(|blank| *blank == '\t').count();
        if blanks.len() + tabs > longest {
            self.push(Segment::Blanks(blanks.len() - tabs, tabs));
        } else {
            blanks.chars().for_each(|blank| self.draw(blank));
        }
    }

    fn draw(&mut self, character: char) {
        self.previous = Some(character);
        if character != '\n' && !matches!(character, ' ' | '\t') {
            self.at_line_start = false;
        }
        if let Some(Segment::Plain(text)) = self.segments.last_mut() {
            text.push(character);
        } else {
            self.segments.push(Segment::Plain(character.into()));
        }
    }

    fn hide(&mut self, hidden: Hidden, character: char) {
        self.at_line_start = false;
        self.base = None;
        match self.segments.last_mut() {
            Some(Segment::Hidden(_, last, count)) if *last == character => *count += 1,
            _ => self.push(Segment::Hidden(hidden, character, 1)),
        }
    }

    fn push(&mut self, segment: Segment) {
        self.previous = None;
        self.segments.push(segment);
    }
}

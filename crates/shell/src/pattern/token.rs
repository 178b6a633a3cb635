//! One word of a pattern.

use super::super::command_line::{Word, WordKind};
use super::super::word::{self, Unit};

/// A piece of a word with wildcards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// This character.
    Literal(char),
    /// `?`.
    One,
    /// `*`.
    Any,
    /// `**`.
    AnyDepth,
}

/// One word of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    /// The word it would be in a command.
    word: Word,
    pieces: Vec<Piece>,
}

impl Token {
    /// A word that is exactly `text`.
    pub(super) fn exact(text: &str) -> Self {
        let pieces = text.chars().map(Piece::Literal).collect();
        Self { word: Word { text: text.to_owned(), kind: WordKind::Exact }, pieces }
    }

    /// Reads a word of the lexer.
    pub(super) fn read(raw: &str) -> Self {
        let mut pieces = Vec::new();
        for Unit { character, quoted, .. } in word::units(raw) {
            match (character, quoted, pieces.last()) {
                ('*', false, Some(Piece::Any | Piece::AnyDepth)) => {
                    pieces.pop();
                    pieces.push(Piece::AnyDepth);
                }
                ('*', false, _) => pieces.push(Piece::Any),
                ('?', false, _) => pieces.push(Piece::One),
                _ => pieces.push(Piece::Literal(character)),
            }
        }
        Self { word: word::decode(raw), pieces }
    }

    /// A `*` alone.
    pub(super) fn is_star(&self) -> bool {
        matches!(self.pieces.as_slice(), [Piece::Any | Piece::AnyDepth])
    }

    fn is_plain(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece, Piece::Literal(_)))
    }

    /// The text, wildcards and all.
    pub(super) fn text(&self) -> &str {
        &self.word.text
    }

    /// The text, when there is no wildcard in it.
    pub(super) fn literal(&self) -> Option<&str> {
        self.is_plain().then_some(self.word.text.as_str())
    }

    /// A path of which some is fixed.
    pub(super) fn is_path(&self) -> bool {
        let text = &self.word.text;
        !self.is_url() && (text.contains('/') || text.starts_with(['.', '~']))
    }

    /// An address of which the scheme is fixed.
    pub(super) fn is_url(&self) -> bool {
        self.word.text.contains("://")
    }

    /// `status*` as `status`: a plain word with a `*` glued to its end, which is no path. A URL is
    /// one only up to its host, where a `*` would go on into another host.
    pub(super) fn without_star(&self) -> Option<Self> {
        let (Piece::Any, start) = self.pieces.split_last()? else { return None };
        let text: String = start
            .iter()
            .map(|piece| if let Piece::Literal(character) = piece { Some(*character) } else { None })
            .collect::<Option<_>>()?;
        let host_only = text.split_once("://").is_some_and(|(_, rest)| !rest.contains('/'));
        let ends_word = text.ends_with(|last: char| last.is_alphanumeric());
        if !ends_word || (self.is_path() && !host_only) || (self.is_url() && !host_only) {
            return None;
        }
        Some(Self { pieces: start.to_vec(), word: Word { text, kind: WordKind::Exact } })
    }

    /// Whether `word` is exactly what is spelled here.
    pub(super) fn spells(&self, word: &Word) -> bool {
        self.is_plain() && self.word == *word
    }

    /// Whether an allow rule's wildcards take `word`.
    pub(super) fn matches(&self, word: &Word) -> bool {
        if self.spells(word) {
            return true;
        }
        // What the shell makes of `src/*` stays in `src`, as the rule's own `src/*` does.
        if word.kind == WordKind::Varies {
            return self.is_path() && self.word == *word && !word.text.contains(['$', '{', '~', '\u{2026}']);
        }
        if self.is_plain() || (self.word.kind == WordKind::Home) != (word.kind == WordKind::Home) {
            // The pattern's own `~/x*` varies because of its `*`.
            let home = self.word.text.starts_with("~/") && word.kind == WordKind::Home;
            if self.is_plain() || !home {
                return false;
            }
        } else if self.word.text.starts_with("~/") && word.kind != WordKind::Home {
            return false;
        }
        if leaves_folder(&word.text) || (word.text.starts_with('-') && !self.word.text.starts_with('-')) {
            return false;
        }
        let scope = if self.is_url() {
            Scope::Url
        } else if self.word.text.starts_with('-') && self.word.text.contains('=') {
            Scope::Anything
        } else {
            Scope::Path
        };
        matches_pieces(&self.pieces, &word.text, scope)
    }

    /// Whether a rule that denies means `word`.
    pub(super) fn may_match(&self, word: &Word, program: bool) -> bool {
        if word.kind == WordKind::Varies {
            return self.may_start_with(word);
        }
        let base = word.text.rsplit_once('/').map(|(_, base)| base).filter(|_| program);
        let matches = |text: &str| match self.literal() {
            Some(literal) => literal == text,
            None => matches_pieces(&self.pieces, text, Scope::Anything),
        };
        matches(&word.text) || base.is_some_and(matches)
    }

    /// A word that varies can be anything that starts as it does.
    fn may_start_with(&self, word: &Word) -> bool {
        let fixed = self
            .pieces
            .iter()
            .map_while(|piece| if let Piece::Literal(character) = piece { Some(*character) } else { None });
        fixed.zip(word.fixed_start().chars()).all(|(ours, theirs)| ours == theirs)
    }
}

/// What a wildcard may run over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Path,
    Url,
    Anything,
}

fn leaves_folder(text: &str) -> bool {
    text.split(['/', '=', ':']).any(|component| component == "..")
}

/// Two pointers: on a mismatch go back to the last wildcard and let it take one character more.
fn matches_pieces(pieces: &[Piece], text: &str, scope: Scope) -> bool {
    let text: Vec<char> = text.chars().collect();
    // In a URL a `*` in the host must not reach its end, and behind it may take anything.
    let path = if scope == Scope::Url { path_start(pieces) } else { 0 };
    let may_take = |index: usize, position: usize| {
        let Some(character) = text.get(position) else { return false };
        match (scope, pieces.get(index)) {
            (Scope::Anything, _) | (Scope::Path, Some(Piece::AnyDepth)) => true,
            (Scope::Path, _) => *character != '/',
            (Scope::Url, _) if index < path => !matches!(character, '/' | '?' | '#' | '\\' | '@' | ':'),
            (Scope::Url, _) => true,
        }
    };
    let (mut piece, mut position) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while position < text.len() {
        let advanced = match pieces.get(piece) {
            Some(Piece::Literal(character)) if text.get(position) == Some(character) => {
                piece += 1;
                position += 1;
                true
            }
            Some(Piece::One) if may_take(piece, position) => {
                piece += 1;
                position += 1;
                true
            }
            Some(Piece::Any | Piece::AnyDepth) => {
                back = Some((piece, position));
                piece += 1;
                true
            }
            _ => false,
        };
        if !advanced {
            let Some((star, start)) = back else { return false };
            if !may_take(star, start) {
                return false;
            }
            back = Some((star, start + 1));
            piece = star + 1;
            position = start + 1;
        }
    }
    pieces.iter().skip(piece).all(|piece| matches!(piece, Piece::Any | Piece::AnyDepth))
}

/// Where the path of a pattern for URLs starts: behind `scheme://host`.
fn path_start(pieces: &[Piece]) -> usize {
    let ends = |piece: &Piece| matches!(piece, Piece::Literal('/' | '#' | '\\'));
    let scheme = pieces.windows(2).position(|two| two.iter().all(ends)).map_or(0, |position| position + 2);
    pieces.iter().skip(scheme).position(ends).map_or(pieces.len(), |length| scheme + length)
}

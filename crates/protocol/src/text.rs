//! Text as a person may see it.

use handraise_display as display;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire_enum::wire_enum;

wire_enum! {
    /// What is odd about a text.
    #[serde(rename_all = "kebab-case")]
    pub enum FindingKind = display::FindingKind {
        /// Characters that reorder text (CVE-2021-42574).
        Bidi,
        /// Characters that draw nothing.
        Invisible,
        /// Tag characters, which carry invisible ASCII.
        Tags,
        /// Blanks that are none to a program, or look like none.
        OddSpace,
        /// Control characters, as in terminal escape sequences.
        Control,
        /// Marks stacked, without a base, or struck through their base.
        Combining,
        /// Blank space, or a repeated sign, that pushes the rest out of sight.
        Padding,
        /// Lines that hide what comes after, or that imitate other text.
        Newline,
        /// So long that nobody reads all of it.
        Long,
        /// Letters of several scripts in one word, or one odd word in another script.
        MixedScript,
        /// Characters or words that look like others.
        Confusable,
        /// A name that looks like a known one.
        LookalikeName,
        /// A name that is not the requester's to use.
        ReservedName,
        /// A name that can be read as two different pairs of server and tool.
        NameCollision,
        /// Text that could not be decoded.
        Encoding,
        /// A JSON object with the same key twice.
        DuplicateKey,
        /// A JSON object with keys that differ only in case.
        CaseKey,
        /// A field that is easy to miss: an invisible name, or one of very many.
        HiddenField,
        /// An address that leads elsewhere than it seems.
        Link,
        /// HTML, Pango markup or Markdown.
        Markup,
        /// JSON inside a text that imitates a request or a decision.
        Nested,
        /// A number that not every program reads the same.
        Number,
        /// Words that vouch for the request.
        Narrative,
        /// A claim about who asks that the asking program contradicts.
        Contradiction,
        /// A file outside of the project is written, or one of which nobody can tell where it is.
        Outside,
        /// What is written acts later and by itself, as a start-up file or a setting of an agent does.
        ActsLater,
        /// A file or setting of the project that makes a command run something.
        ProjectCode,
        /// A file that the call runs changed after the call was shown first.
        FileChanged,
        /// A file that the call runs cannot be told apart from a changed one.
        FileUnwatched,
        /// A task of the project runs something else than a person has approved.
        TaskChanged,
    }
}

/// Something odd about a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// One sentence for a person; safe for any surface.
    pub sentence: String,
    /// Where it is first, in characters from the beginning.
    pub position: u32,
    /// How often.
    pub count: u32,
}

impl From<display::Finding> for Finding {
    fn from(finding: display::Finding) -> Self {
        let display::Finding { kind, sentence, position, count } = finding;
        Self { kind: kind.into(), sentence, position, count }
    }
}

/// A run of text that can be drawn as it is, or something that must be drawn as a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Piece {
    /// Drawn as it is.
    Text(TextPiece),
    /// Characters that would be invisible, change how their neighbours are drawn, or push them away.
    Hidden(HiddenPiece),
}

/// Text that can be drawn as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TextPiece {
    /// The text.
    pub text: String,
}

/// Something that must be drawn as a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct HiddenPiece {
    /// Its label, as `U+202E`, `U+200B ×3` or `600 blanks`; after a host that looks like another, the host
    /// as a resolver spells it.
    pub label: String,
}

impl From<display::Piece> for Piece {
    fn from(piece: display::Piece) -> Self {
        match piece {
            display::Piece::Text(text) => Self::Text(TextPiece { text }),
            display::Piece::Hidden(label) => Self::Hidden(HiddenPiece { label }),
        }
    }
}

/// [`display::pieces`] of `text`, as they go over the wire.
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece> {
    display::pieces(text).into_iter().map(Piece::from).collect()
}

/// [`display::content_pieces`] of `text`, as they go over the wire.
#[must_use]
pub fn content_pieces(text: &str) -> Vec<Piece> {
    display::content_pieces(text).into_iter().map(Piece::from).collect()
}

//! What a person should know about a text before believing it.

use std::collections::BTreeMap;

/// What is odd about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
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

impl FindingKind {
    /// Whether it is about characters that are labelled because they would not be seen.
    #[must_use]
    pub fn hides(self) -> bool {
        matches!(self, Self::Bidi | Self::Invisible | Self::Tags | Self::OddSpace | Self::Control | Self::Combining)
    }

    /// Whether it is too much to be approved at a glance, however plain it is to see.
    #[must_use]
    pub fn reaches_far(self) -> bool {
        matches!(self, Self::Outside | Self::ActsLater)
    }

    /// Whether what is drawn may be taken for something else, so that it has to be looked at where
    /// there is room for all of it. The others are worth saying and harmless where markup is escaped.
    #[must_use]
    pub fn misleads(self) -> bool {
        let is_harmless = matches!(self, Self::Markup | Self::Nested | Self::Number | Self::Narrative);
        !is_harmless && !self.reaches_far()
    }
}

/// Something odd about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Gathers findings, one of each kind.
pub(super) struct Findings<'a> {
    text: &'a str,
    found: BTreeMap<FindingKind, Occurrences>,
}

struct Occurrences {
    byte: usize,
    count: usize,
    /// The first detail that was given.
    detail: Option<String>,
}

impl<'a> Findings<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, found: BTreeMap::new() }
    }

    /// Notes `kind` at `byte` of the text, `count` times.
    pub(super) fn note(&mut self, kind: FindingKind, byte: usize, count: usize) {
        let found = self.found.entry(kind).or_insert(Occurrences { byte, count: 0, detail: None });
        found.count += count;
        found.byte = found.byte.min(byte);
    }

    /// As [`Self::note`], once, with the end of the sentence: safe text.
    pub(super) fn tell(&mut self, kind: FindingKind, byte: usize, detail: impl FnOnce() -> String) {
        self.note(kind, byte, 1);
        if let Some(found) = self.found.get_mut(&kind) {
            found.detail.get_or_insert_with(detail);
        }
    }

    pub(super) fn has(&self, kind: FindingKind) -> bool {
        self.found.contains_key(&kind)
    }

    pub(super) fn into_findings(self) -> Vec<Finding> {
        let position = |byte| self.text.get(..byte).map_or(0, |before: &str| before.chars().count());
        self.found
            .iter()
            .map(|(kind, found)| Finding {
                kind: *kind,
                sentence: sentence(*kind, found),
                position: u32::try_from(position(found.byte)).unwrap_or(u32::MAX),
                count: u32::try_from(found.count).unwrap_or(u32::MAX),
            })
            .collect()
    }
}

fn sentence(kind: FindingKind, found: &Occurrences) -> String {
    let general = match kind {
        FindingKind::Bidi => "Characters change the order in which text is drawn",
        FindingKind::Invisible => "Invisible characters are in it",
        FindingKind::Tags => "Invisible tag characters carry hidden text",
        FindingKind::OddSpace => "Unusual blanks are in it",
        FindingKind::Control => "Control characters are in it",
        FindingKind::Combining => "Combining marks would be drawn over other text",
        FindingKind::Padding => "A run of blanks or repeated signs pushes text out of sight",
        FindingKind::Newline => "Line breaks may hide or imitate something",
        FindingKind::Long => "It is long: look at all of it",
        FindingKind::MixedScript => "Letters of different scripts are mixed",
        FindingKind::Confusable => "Something in it looks like other characters",
        FindingKind::LookalikeName => "A name looks like a known one and is not",
        FindingKind::ReservedName => "It uses a name or badge that only Handraise gives",
        FindingKind::NameCollision => "The name can be read as different servers and tools",
        FindingKind::Encoding => "Part of it could not be decoded",
        FindingKind::DuplicateKey => "A JSON key is there twice; programs disagree which value counts",
        FindingKind::CaseKey => "JSON keys differ only in upper and lower case",
        FindingKind::HiddenField => "A field is easy to miss",
        FindingKind::Link => "An address leads elsewhere than it seems",
        FindingKind::Markup => "Markup is in it and is shown as plain text",
        FindingKind::Nested => "It is JSON that looks like a request or a decision, and is only text",
        FindingKind::Number => "Programs may read a number in it differently",
        FindingKind::Narrative => "It vouches for itself; that is a claim of the requester",
        FindingKind::Contradiction => "The program that asks is not what it claims to be",
        FindingKind::Outside => "It writes outside of the project",
        FindingKind::ActsLater => "It writes what acts later and by itself",
        FindingKind::ProjectCode => "The project says what this runs",
        FindingKind::FileChanged => "A file that this runs changed while you were reading",
        FindingKind::FileUnwatched => "Nobody can tell whether a file that this runs changes",
        FindingKind::TaskChanged => "A task runs something else than you have approved",
    };
    match &found.detail {
        Some(detail) => format!("{general}: {detail}."),
        None if found.count > 1 => format!("{general} ({} times).", found.count),
        None => format!("{general}."),
    }
}

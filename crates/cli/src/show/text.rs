//! Text in runs of one tone each, so that every surface can colour it in its own way.

use handraise_protocol::Piece;

/// In front of every line that an agent wrote, or that holds a path: both can say anything.
pub(crate) const MARGIN: &str = "  │ ";

/// How a run of text is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Text as it is.
    Plain,
    /// Our own words in front of the agent's.
    Label,
    /// What the person should see first.
    Strong,
    /// The label of a character that would be invisible.
    Hidden,
    /// A line that comes into a file.
    Added,
    /// A line that goes out of a file.
    Removed,
    /// Something to look at twice.
    Warning,
}

/// A run of text of one tone, without line breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// How it is meant.
    pub(crate) tone: Tone,
    /// The text.
    pub(crate) text: String,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line(pub(crate) Vec<Run>);

impl Line {
    /// A line of one run.
    pub(crate) fn new(tone: Tone, text: impl Into<String>) -> Self {
        Self(vec![Run { tone, text: text.into() }])
    }

    /// The line with a run behind.
    pub(crate) fn with(mut self, tone: Tone, text: impl Into<String>) -> Self {
        self.0.push(Run { tone, text: text.into() });
        self
    }

    /// The text alone.
    pub(crate) fn text(&self) -> String {
        self.0.iter().map(|run| run.text.as_str()).collect()
    }
}

/// The lines of agent text, each behind `margin`: an agent's line can then not be taken for one of
/// ours, whatever it says.
pub(super) fn lines(pieces: &[Piece], margin: &str, tone: Tone) -> Vec<Line> {
    let start = || Line::new(Tone::Label, margin);
    let mut lines = vec![start()];
    for piece in pieces {
        let (tone, text) = match piece {
            Piece::Text(piece) => (tone, piece.text.replace('\t', "    ")),
            Piece::Hidden(piece) => (Tone::Hidden, format!("⟨{}⟩", piece.label)),
        };
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                lines.push(start());
            }
            if let (Some(line), false) = (lines.last_mut(), part.is_empty()) {
                line.0.push(Run { tone, text: part.to_owned() });
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use handraise_protocol::pieces;

    use super::*;

    #[test]
    fn every_line_of_an_agent_stands_behind_the_margin() {
        let shown: Vec<String> =
            lines(&pieces("ls\n\nRisk: reads only\u{202e}"), "│ ", Tone::Plain).iter().map(Line::text).collect();
        assert_eq!(shown, ["│ ls", "│ ", "│ Risk: reads only⟨U+202E⟩"]);
    }
}

//! Where a lexer stands in `case WORD in PATTERN) LIST ;; esac`: a parenthesis behind a pattern closes nothing.
//!
//! Source: bash manual, "Conditional Constructs".

/// A position in one `case`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CasePosition {
    /// In front of the word `case` itself.
    Keyword,
    /// In front of the word that is looked at.
    Subject,
    /// In front of `in`.
    In,
    /// In front of a pattern, or of `esac`.
    Pattern,
    /// Behind the first word of a pattern, up to the parenthesis.
    InPattern,
    /// In the commands behind a pattern.
    Commands,
}

/// Every `case` that is open, outermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Cases(Vec<CasePosition>);

impl Cases {
    /// A `case` starts.
    pub(super) fn open(&mut self) {
        self.0.push(CasePosition::Keyword);
    }

    /// An `esac` where a command may start.
    pub(super) fn close(&mut self) {
        if self.place() == Some(CasePosition::Commands) {
            self.0.pop();
        }
    }

    /// Where it stands in the innermost.
    pub(super) fn place(&self) -> Option<CasePosition> {
        self.0.last().copied()
    }

    /// A word was read.
    pub(super) fn word(&mut self, word: &str) {
        let Some(place) = self.0.last_mut() else { return };
        *place = match (*place, word) {
            (CasePosition::Keyword, _) => CasePosition::Subject,
            (CasePosition::Subject, _) => CasePosition::In,
            (CasePosition::In, "in") => CasePosition::Pattern,
            (CasePosition::Pattern, "esac") => {
                self.0.pop();
                return;
            }
            (CasePosition::Pattern, _) => CasePosition::InPattern,
            (place, _) => place,
        };
    }

    /// Whether this operator belongs to a pattern.
    pub(super) fn operator(&mut self, operator: &str) -> bool {
        let Some(place) = self.0.last_mut() else { return false };
        match (*place, operator) {
            (CasePosition::In | CasePosition::Pattern, "\n")
            | (CasePosition::Pattern, "(")
            | (CasePosition::InPattern, "|") => true,
            (CasePosition::InPattern, ")") => {
                *place = CasePosition::Commands;
                true
            }
            _ => false,
        }
    }

    /// The next pattern comes; whether there is a `case` that it can be one of.
    pub(super) fn next(&mut self) -> bool {
        let Some(place) = self.0.last_mut().filter(|place| **place == CasePosition::Commands) else { return false };
        *place = CasePosition::Pattern;
        true
    }
}

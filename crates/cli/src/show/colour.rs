//! Colour in what is printed.

use std::io::IsTerminal;
use std::sync::OnceLock;

use clap::ValueEnum;

use super::text::{Line, Run, Tone};

/// When output is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourArgument {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What the person has chosen; set once, at the start.
static CHOSEN: OnceLock<ColourArgument> = OnceLock::new();

/// Takes over what the person has chosen.
pub(crate) fn choose_colour(argument: ColourArgument) {
    // Said once, by `main`.
    let _ = CHOSEN.set(argument);
}

impl ColourArgument {
    /// Whether it colours, where output goes to a terminal or not, and with these variables. `NO_COLOR` counts when it
    /// is not empty (<https://no-color.org>); `TERM=dumb` is a terminal without colours.
    fn colours(self, is_terminal: bool, no_color: Option<&str>, term: Option<&str>) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => is_terminal && no_color.is_none_or(str::is_empty) && term != Some("dumb"),
        }
    }
}

/// Whether what goes to stdout is coloured.
pub(crate) fn is_coloured() -> bool {
    let variable = |name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let chosen = CHOSEN.get().copied().unwrap_or_default();
    chosen.colours(std::io::stdout().is_terminal(), variable("NO_COLOR").as_deref(), variable("TERM").as_deref())
}

/// `line` as it is printed. Its texts hold no control characters, so no colour but ours gets in.
pub(crate) fn painted(line: &Line, coloured: bool) -> String {
    if !coloured {
        return line.text();
    }
    line.0.iter().map(paint).collect()
}

/// Select Graphic Rendition (ECMA-48, 8.3.117). Colours that the terminal chooses itself, so that they can be read on
/// any background.
fn paint(Run { tone, text }: &Run) -> String {
    let code = match tone {
        Tone::Plain => return text.clone(),
        Tone::Label => "2",
        Tone::Strong => "1",
        Tone::Hidden => "31;7",
        Tone::Added => "32",
        Tone::Removed => "31",
        Tone::Warning => "31;1",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_follows_the_option_then_the_variable_then_the_terminal() {
        use ColourArgument::{Always, Auto, Never};
        for (argument, terminal, no_color, term, expected) in [
            (Auto, true, None, Some("xterm"), true),
            (Auto, false, None, Some("xterm"), false),
            (Auto, true, Some("1"), Some("xterm"), false),
            (Auto, true, Some(""), Some("xterm"), true),
            (Auto, true, None, Some("dumb"), false),
            (Always, false, Some("1"), None, true),
            (Never, true, None, Some("xterm"), false),
        ] {
            assert_eq!(argument.colours(terminal, no_color, term), expected, "{argument:?} {terminal} {no_color:?}");
        }
    }

    #[test]
    fn what_is_painted_says_the_same() {
        let line = Line::new(Tone::Warning, "DESTROYS").with(Tone::Plain, " x");
        assert_eq!(painted(&line, false), "DESTROYS x");
        assert_eq!(painted(&line, true), "\u{1b}[31;1mDESTROYS\u{1b}[0m x");
    }
}

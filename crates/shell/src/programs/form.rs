//! Ways to call a program in which it only looks.
//!
//! A step of the path may have several names, `list|ls`, or end with `*`: `describe-*`.
//!
//! Options, blank-separated: `l` short, `color` long; `n=` takes a value, glued or as the next word; `L:` one that is
//! the next word even where more letters follow; `color?` only a glued one; `merged~` the next word if there is one;
//! `#` a number, as `-5`. An option that is not listed is not known only to look, and neither is its abbreviation.

/// What a form shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// Names, sizes, states.
    Facts,
    /// What files hold.
    Contents,
    /// What files hold; the first operand is a pattern, unless an option gives it.
    Matches,
}

/// Where the operands and values of a form can make the program connect to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reaches {
    /// Nowhere: they are files, names and patterns on this machine.
    Nothing,
    /// The registry that is configured, as long as they are plain names: `npm view http://…` is another place.
    Registry,
    /// The server that is configured, as long as they are no addresses: `docker`, `kubectl`.
    Server,
    /// The service that the program is for, whatever they name: `aws s3 ls s3://bucket`.
    Service,
    /// github.com, as long as they name no other host.
    GitHub,
    /// The name service, when a filter of sockets names a host.
    Sockets,
    /// The name service, when one of them is `@host`.
    Names,
}

/// A way to call a program in which it only looks.
#[derive(Debug)]
pub(crate) struct Form {
    /// Words that have to follow the program at once.
    pub(crate) path: &'static str,
    /// Options that are known only to look.
    pub(crate) options: &'static str,
    /// The same, of a list that several forms share.
    pub(crate) shared: &'static str,
    /// It only looks with one of these options; empty: none has to be given.
    pub(crate) only_with: &'static str,
    /// With fewer operands it takes some from a file of the project.
    pub(crate) least_operands: usize,
    /// More operands than these may do more.
    pub(crate) most_operands: usize,
    /// What it shows.
    pub(crate) shows: Shows,
    /// Where its operands can make it connect to.
    pub(crate) reaches: Reaches,
    /// What a word of which nothing is known may turn out to be.
    pub(crate) unknown: Unknown,
}

/// What a word of which nothing is known may turn out to be, as far as the form is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Nothing: what it does is known of none.
    Refused,
    /// An operand. Some option of the program opens a file (`wc --files0-from=KEY` shows it in a message), so that the word
    /// must be none: it has a start that is known, or stands behind `--`.
    Operand,
    /// An operand or an option: none of the program's writes, runs or opens anything.
    Any,
}

/// The program with `path` behind it and these options shows facts, and reaches nothing.
pub(super) const fn form(path: &'static str, options: &'static str) -> Form {
    let (most_operands, shows, reaches) = (usize::MAX, Shows::Facts, Reaches::Nothing);
    Form {
        path,
        options,
        shared: "",
        only_with: "",
        least_operands: 0,
        most_operands,
        shows,
        reaches,
        unknown: Unknown::Refused,
    }
}

impl Form {
    /// It shows what files hold.
    pub(super) const fn contents(self) -> Self {
        Self { shows: Shows::Contents, ..self }
    }

    /// The same; the first operand is a pattern.
    pub(super) const fn matches(self) -> Self {
        Self { shows: Shows::Matches, ..self }
    }

    /// No option of the program writes, runs or opens anything.
    pub(super) const fn harmless(self) -> Self {
        Self { unknown: Unknown::Any, ..self }
    }

    /// No operand does that; an option may.
    pub(super) const fn with_harmless_operands(self) -> Self {
        Self { unknown: Unknown::Operand, ..self }
    }

    /// Its operands make it connect there.
    pub(super) const fn reaches(self, reaches: Reaches) -> Self {
        Self { reaches, ..self }
    }

    /// With fewer operands than these it takes some from a file of the project.
    pub(super) const fn at_least(self, least_operands: usize) -> Self {
        Self { least_operands, ..self }
    }

    /// With more operands than these it may do more.
    pub(super) const fn at_most(self, most_operands: usize) -> Self {
        Self { most_operands, ..self }
    }

    /// It has these options, too.
    pub(super) const fn sharing(self, shared: &'static str) -> Self {
        Self { shared, ..self }
    }

    /// It only looks with one of these options, which are among its own.
    pub(super) const fn only_with(self, only_with: &'static str) -> Self {
        Self { only_with, ..self }
    }
}

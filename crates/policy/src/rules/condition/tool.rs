//! `pattern`, `tool` and `server`: which tool is called.

use super::{Glob, InvalidPattern};
use crate::rules::action::Action;
use crate::rules::situation::Call;
use crate::{Request, ToolClass};

/// The key `pattern`: a glob on the tool name, or `name:arguments`: a glob on the name and a glob on
/// the RFC 8785 text of the arguments, divided at the first colon.
///
/// The tool name comes first: a pattern without a colon never looks at arguments, which the agent
/// writes.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::rules) struct Pattern {
    name: Glob,
    parts: Option<(Glob, Glob)>,
}

/// The key `tool`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::rules) enum Tool {
    /// A class word, as `shell`: every agent's tool of that class.
    Class(ToolClass),
    /// A glob on the tool name.
    Name(Glob),
}

/// The class words.
pub(in crate::rules) const CLASSES: &[(&str, ToolClass)] = &[
    ("shell", ToolClass::Shell),
    ("file_read", ToolClass::FileRead),
    ("file_write", ToolClass::FileWrite),
    ("network", ToolClass::Network),
    ("mcp", ToolClass::Mcp),
    ("other", ToolClass::Other),
];

/// The class that `word` names.
pub(in crate::rules) fn class(word: &str) -> Option<ToolClass> {
    CLASSES.iter().find(|(name, _)| *name == word).map(|(_, class)| *class)
}

/// How much of a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum PatternMatch {
    /// The name, which says enough.
    Name,
    /// The name and the arguments.
    Arguments,
    /// Not the name.
    NoName,
    /// The name, but not the arguments.
    NoArguments,
}

impl Pattern {
    pub(in crate::rules) fn new(text: &str) -> Result<Self, InvalidPattern> {
        let parts = text.split_once(':').filter(|(name, arguments)| !name.is_empty() && !arguments.is_empty());
        let parts = parts.map(|(name, arguments)| Ok((Glob::of_names(name)?, Glob::new(arguments)?))).transpose()?;
        let name = if parts.is_some() { Glob::new(text)? } else { Glob::of_names(text)? };
        Ok(Self { name, parts })
    }

    pub(in crate::rules) fn text(&self) -> &str {
        self.name.text()
    }

    /// The glob that the tool name must match, if no argument counts.
    pub(in crate::rules) fn name(&self) -> &Glob {
        self.parts.as_ref().map_or(&self.name, |(name, _)| name)
    }

    /// The glob that the arguments must match.
    pub(in crate::rules) fn arguments(&self) -> Option<&Glob> {
        self.parts.as_ref().map(|(_, arguments)| arguments)
    }

    pub(in crate::rules) fn is_everything(&self) -> bool {
        self.text() == "*"
    }

    /// Whether it matches a call written like itself: `name`, or `name:arguments`.
    pub(in crate::rules) fn matches_text(&self, text: &str) -> bool {
        let by_parts = || {
            let (tool, arguments) = self.parts.as_ref()?;
            let (name, rest) = text.split_once(':')?;
            Some(tool.matches(name) && arguments.matches(rest))
        };
        self.name.matches(text) || by_parts() == Some(true)
    }

    pub(in crate::rules) fn matches(&self, call: &Call<'_>, action: Action, server_named: bool) -> PatternMatch {
        // The whole text may be a name: a tool name may have a colon in it.
        if names(call, action, server_named).any(|name| self.name.matches(name)) {
            return PatternMatch::Name;
        }
        if call.request.server.is_some() && self.is_everything() {
            return PatternMatch::Name;
        }
        let Some((tool, arguments)) = &self.parts else { return PatternMatch::NoName };
        if !names(call, action, server_named).any(|name| tool.matches(name)) {
            return PatternMatch::NoName;
        }
        let matches = match call.arguments() {
            Some(text) => arguments.matches(text),
            None => action >= Action::Ask,
        };
        if matches { PatternMatch::Arguments } else { PatternMatch::NoArguments }
    }
}

impl Tool {
    /// A class word, or a glob on the tool name.
    pub(in crate::rules) fn new(text: &str) -> Result<Self, InvalidPattern> {
        match class(text) {
            Some(class) => Ok(Self::Class(class)),
            None => Glob::of_names(text).map(Self::Name),
        }
    }

    pub(in crate::rules) fn text(&self) -> &str {
        match self {
            Self::Class(class) => class_word(*class),
            Self::Name(glob) => glob.text(),
        }
    }

    pub(in crate::rules) fn is_everything(&self) -> bool {
        matches!(self, Self::Name(glob) if glob.text() == "*")
    }
}

/// The word for `class`.
pub(in crate::rules) fn class_word(class: ToolClass) -> &'static str {
    CLASSES.iter().find(|(_, known)| *known == class).map_or("other", |(word, _)| word)
}

/// Whether `glob` matches the name of the tool.
pub(in crate::rules) fn name_matches(glob: &Glob, call: &Call<'_>, action: Action, server_named: bool) -> bool {
    glob.text() == "*" || names(call, action, server_named).any(|name| glob.matches(name))
}

/// The names that the called tool goes by in a rule with `action`.
///
/// A tool of an MCP server goes by `mcp__SERVER__TOOL`, as the agents spell it. By its bare name it
/// can be asked about or denied, but allowed only by a rule that names the server too: any server
/// may call a tool `Read`.
fn names<'a>(call: &'a Call<'_>, action: Action, server_named: bool) -> impl Iterator<Item = &'a str> {
    let request: &Request = call.request;
    let bare = request.server.is_none() || action >= Action::Ask || server_named;
    call.full_name().into_iter().chain(bare.then_some(request.tool.as_str()))
}

//! Settings files in JSON with an object `hooks`, which holds a list for each event. That is what
//! most agents have; they differ in whether hooks stand in groups, and in the names of the fields.

use serde_json::{Map, Value, json};

use super::jsonc::{self, Step};
use super::{ConnectError, ConnectOptions, Connection, Handler, ManagedText};

/// Events, each with an entry of its list.
pub(crate) type Entries = Vec<(&'static str, Value)>;

/// The hooks of one agent's settings file.
pub(crate) struct HookFile {
    /// The agent's name, as in the hook's command line.
    pub(crate) agent: &'static str,
    /// How an event's list is made.
    pub(crate) layout: Layout,
    /// The field that holds the command line.
    pub(crate) command: &'static str,
    /// The field that holds the time the agent waits, and its units in a second.
    pub(crate) timeout: Option<(&'static str, u64)>,
    /// The field and value that block the call when the hook fails.
    pub(crate) blocks: Option<(&'static str, Blocks)>,
    /// `version` of the file, where it needs one.
    pub(crate) version: Option<u64>,
    /// Events that [`ManagedText::connect`] may have put a hook into. The first one asks for every
    /// call.
    pub(crate) events: &'static [&'static str],
    /// Events that ask nothing.
    pub(crate) notices: &'static [&'static str],
    /// The agent gives the command line to a shell, which can then block the call when the program is
    /// missing or dies.
    pub(crate) shell_blocks: bool,
    /// The settings switch all hooks off.
    pub(crate) is_off: fn(&Map<String, Value>) -> bool,
    /// What is to stand there: events with an entry each.
    pub(crate) wanted: fn(&ConnectOptions) -> Result<Entries, ConnectError>,
}

/// Behind a command line: a program that is missing (127), was killed (above 128) or failed in any
/// other way blocks the call. POSIX.1-2024, XCU 2.8.2 and 2.9.3; fish and cmd read it the same way.
const SHELL_BLOCKS: &str = " || exit 2";

/// How the list of an event is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Of groups, each with a matcher and a list `hooks`.
    Grouped,
    /// Of hooks.
    Flat,
}

/// What the field that blocks holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Blocks {
    /// This text.
    Text(&'static str),
    /// `true`.
    True,
}

/// One of our own hooks.
struct HookPosition {
    event: &'static str,
    entry: usize,
    /// In a group: its position there.
    handler: Option<usize>,
    /// The only hook of its group.
    is_alone: bool,
    /// Holds for every tool.
    matches_all: bool,
    value: Value,
}

impl HookPosition {
    fn path(&self) -> Vec<Step<'static>> {
        let mut path = vec![Step::Key("hooks"), Step::Key(self.event), Step::Index(self.entry)];
        if let (Some(handler), false) = (self.handler, self.is_alone) {
            path.extend([Step::Key("hooks"), Step::Index(handler)]);
        }
        path
    }
}

impl ManagedText for HookFile {
    fn connect(&self, text: &str, options: &ConnectOptions) -> Result<String, ConnectError> {
        if self.handler(&json!({ "type": "command", self.command: options.command })).is_none() {
            return Err(ConnectError::Command(options.command.clone()));
        }
        let wanted = (self.wanted)(options)?;
        if self.own(text)? == wanted {
            return Ok(text.to_owned());
        }
        let mut text = self.disconnect(text)?;
        let has_hooks = object(&text)?.contains_key("hooks");
        for (event, entry) in wanted {
            text = add(&text, event, &entry)?;
        }
        match self.version {
            // Where there are hooks without a version, the person knows why.
            Some(version) if !has_hooks && !object(&text)?.contains_key("version") => {
                jsonc::insert(&text, &[], Some("version"), &version.into())
            }
            _ => Ok(text),
        }
    }

    fn disconnect(&self, text: &str) -> Result<String, ConnectError> {
        let before = object(text)?;
        let mut text = text.to_owned();
        while let Some(position) = self.positions(&object(&text)?)?.pop() {
            text = jsonc::remove(&text, &position.path())?;
        }
        // A `version` that this module added stands right behind the hooks that it added.
        let keys: Vec<&str> = before.keys().map(String::as_str).collect();
        let is_added = self.version.is_some() && keys.ends_with(&["hooks", "version"]);
        if is_added && !object(&text)?.contains_key("hooks") {
            text = jsonc::remove(&text, &[Step::Key("version")])?;
        }
        Ok(text)
    }

    fn connection(&self, text: &str) -> Result<Option<Connection>, ConnectError> {
        let root = object(text)?;
        let positions = self.positions(&root)?;
        let asking = positions.iter().find(|position| !self.notices.contains(&position.event));
        let Some((position, handler)) = asking.and_then(|position| Some((position, self.handler(&position.value)?)))
        else {
            return Ok(None);
        };
        let timeout = self.timeout.and_then(|(field, units)| Some(position.value.get(field)?.as_u64()? / units));
        let blocks = self.blocks.is_some_and(|(field, value)| match (position.value.get(field), value) {
            (Some(Value::String(text)), Blocks::Text(expected)) => text == expected,
            (Some(Value::Bool(value)), Blocks::True) => *value,
            _ => false,
        });
        Ok(Some(Connection {
            handler,
            every_call: self.events.first() == Some(&position.event) && position.matches_all,
            timeout_seconds: timeout,
            on_failure_block: blocks,
            switched_off: (self.is_off)(&root),
        }))
    }
}

impl HookFile {
    /// A hook that asks, with the agent's own field names.
    pub(crate) fn asking_hook(&self, options: &ConnectOptions) -> Map<String, Value> {
        let closed = if self.shell_blocks { SHELL_BLOCKS } else { "" };
        self.hook(format!("{}{closed}", options.command), options.timeout_seconds)
    }

    /// A hook that only tells something.
    pub(crate) fn telling_hook(&self, options: &ConnectOptions, seconds: u32) -> Map<String, Value> {
        self.hook(options.command.clone(), seconds)
    }

    fn hook(&self, command: String, seconds: u32) -> Map<String, Value> {
        let mut hook = Map::new();
        if self.layout == Layout::Grouped {
            hook.insert("type".to_owned(), "command".into());
        }
        hook.insert(self.command.to_owned(), command.into());
        if let Some((field, units)) = self.timeout {
            hook.insert(field.to_owned(), (u64::from(seconds) * units).into());
        }
        hook
    }

    /// Where our own hooks stand, in the order of `events` and of the file. Hooks of other programs
    /// are looked at only as far as needed to tell that they are not ours.
    fn positions(&self, root: &Map<String, Value>) -> Result<Vec<HookPosition>, ConnectError> {
        let mut positions = Vec::new();
        let Some(hooks) = root.get("hooks") else { return Ok(positions) };
        let hooks = hooks.as_object().ok_or_else(|| shape("hooks", "an object"))?;
        for event in self.events {
            let Some(entries) = hooks.get(*event) else { continue };
            let entries = entries.as_array().ok_or_else(|| shape(&format!("hooks.{event}"), "an array"))?;
            for (position, entry) in entries.iter().enumerate() {
                let matcher = entry.get("matcher").and_then(Value::as_str);
                let position = |handler, is_alone, value: &Value| HookPosition {
                    event,
                    entry: position,
                    handler,
                    is_alone,
                    matches_all: matches!(matcher, None | Some("" | "*" | ".*")),
                    value: value.clone(),
                };
                if self.layout == Layout::Flat {
                    positions.extend(self.handler(entry).map(|_| position(None, true, entry)));
                    continue;
                }
                let handlers = entry.get("hooks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                let own = handlers.iter().enumerate().filter(|(_, value)| self.handler(value).is_some());
                positions.extend(own.map(|(index, value)| position(Some(index), handlers.len() == 1, value)));
            }
        }
        Ok(positions)
    }

    /// Our own entries as they stand in the settings, to be compared with what is wanted.
    fn own(&self, text: &str) -> Result<Entries, ConnectError> {
        let root = object(text)?;
        let entry = |position: &HookPosition| root.get("hooks")?.get(position.event)?.get(position.entry).cloned();
        Ok(self.positions(&root)?.iter().filter_map(|position| Some((position.event, entry(position)?))).collect())
    }

    /// How `value` reaches Handraise, if it is a hook of ours.
    fn handler(&self, value: &Value) -> Option<Handler> {
        match value.get("type").and_then(Value::as_str) {
            Some("http") => {
                let url = value.get("url")?.as_str()?;
                let path = url.split(['?', '#']).next()?;
                path.ends_with(&format!("/v1/hooks/{}", self.agent)).then(|| Handler::Http(url.to_owned()))
            }
            None | Some("command") => {
                let command = value.get(self.command)?.as_str()?;
                runs(command, self.agent).then(|| Handler::Command(command.to_owned()))
            }
            Some(_) => None,
        }
    }
}

/// Refuses what only few agents can do.
pub(crate) fn without_http(options: &ConnectOptions) -> Result<(), ConnectError> {
    if options.http.is_some() { Err(ConnectError::NoHttp) } else { Ok(()) }
}

/// Refuses to ask only where the agent would ask.
pub(crate) fn every_call(options: &ConnectOptions) -> Result<(), ConnectError> {
    if options.only_what_agent_asks { Err(ConnectError::EveryCallOnly) } else { Ok(()) }
}

/// A group for every tool.
pub(crate) fn group(hook: Map<String, Value>) -> Value {
    some_of("*", hook)
}

/// A group for the tools that `matcher` names.
pub(crate) fn some_of(matcher: &str, hook: Map<String, Value>) -> Value {
    json!({ "matcher": matcher, "hooks": [hook] })
}

/// A group for an event that is not about tools, or about every one.
pub(crate) fn all_of(hook: Map<String, Value>) -> Value {
    json!({ "hooks": [hook] })
}

/// Settings that cannot switch hooks off.
pub(crate) fn never_off(_root: &Map<String, Value>) -> bool {
    false
}

/// `"disableAllHooks": true`.
pub(crate) fn all_hooks_disabled(root: &Map<String, Value>) -> bool {
    root.get("disableAllHooks") == Some(&Value::Bool(true))
}

/// Whether `command` runs `handraise hook AGENT`, wherever the program is.
pub(crate) fn runs(command: &str, agent: &str) -> bool {
    let call = format!(" hook {agent}");
    command
        .split_once(&call)
        .is_some_and(|(before, after)| before.contains("handraise") && (after.is_empty() || after.starts_with(' ')))
}

fn add(text: &str, event: &str, entry: &Value) -> Result<String, ConnectError> {
    let root = object(text)?;
    let Some(hooks) = root.get("hooks") else {
        return jsonc::insert(text, &[], Some("hooks"), &json!({ event: [entry] }));
    };
    match hooks.get(event) {
        Some(_) => jsonc::insert(text, &[Step::Key("hooks"), Step::Key(event)], None, entry),
        None => jsonc::insert(text, &[Step::Key("hooks")], Some(event), &json!([entry])),
    }
}

fn object(text: &str) -> Result<Map<String, Value>, ConnectError> {
    match jsonc::value(text)? {
        None => Ok(Map::new()),
        Some(Value::Object(root)) => Ok(root),
        Some(_) => Err(shape("the whole file", "an object")),
    }
}

fn shape(place: &str, expected: &'static str) -> ConnectError {
    ConnectError::Shape { place: place.to_owned(), expected }
}

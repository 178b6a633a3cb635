//! What is known about a tool before anybody is asked.

use handraise_policy::{RiskLevel, Subject, ToolClass};
use handraise_shell::is_for_reading;
use serde_json::{Map, Value};

use crate::patch;
use crate::shell_arguments::{ShellArguments, ShellFacts, text};

/// What is known about one call of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolFacts {
    /// The kind of tool.
    pub class: ToolClass,
    /// What the call is about, made only from its arguments.
    pub subject: Subject,
    /// The risk, where the tool alone tells. `None`: nothing is known, which counts as `write`.
    pub risk: Option<RiskLevel>,
    /// Files that the call touches and that neither `subject` nor an argument of their own names, as
    /// those of a patch.
    pub files: Vec<String>,
    /// Of a shell: what its arguments say beside the command line.
    pub shell: ShellFacts,
}

impl ToolFacts {
    /// A tool of an MCP server. Its name says nothing: the server chose it.
    pub(crate) fn mcp() -> Self {
        Self { class: ToolClass::Mcp, ..Self::default() }
    }

    pub(crate) fn new(class: ToolClass, risk: RiskLevel, subject: Option<Subject>) -> Self {
        Self { class, subject: subject.unwrap_or_default(), risk: Some(risk), ..Self::default() }
    }

    /// A tool that runs the command line among its `arguments`, which mean what `known` says.
    pub(crate) fn shell(known: &ShellArguments, arguments: &Map<String, Value>) -> Self {
        let line = text(arguments, known.command).map(|line| Subject::Command { line });
        Self { shell: known.read(arguments), ..Self::new(ToolClass::Shell, RiskLevel::Write, line) }
    }

    /// A tool that fetches the page `url`. What is fetched can carry out what was read, so that it is no mere looking, but
    /// from places that only serve what everybody may read.
    pub(crate) fn fetch(url: Option<String>, arguments: &Map<String, Value>) -> Self {
        // Which page, and what of it is wanted.
        let says_how = |name: &String| {
            let name = name.as_str();
            matches!(name, "url" | "prompt" | "objective" | "format" | "timeout" | "max_length" | "start_index" | "raw")
        };
        let looks = url.as_deref().is_some_and(is_for_reading) && arguments.keys().all(says_how);
        let risk = if looks { RiskLevel::ReadOnly } else { RiskLevel::Write };
        Self::new(ToolClass::Network, risk, url.map(|url| Subject::Fetch { url }))
    }

    /// A patch in the format of the tool `apply_patch`.
    pub(crate) fn patch(text: Option<&str>) -> Self {
        let files = text.map(patch::read).unwrap_or_default();
        let subject = match files.as_slice() {
            [only] => only.subject(),
            _ => None,
        };
        let paths = files.iter().flat_map(patch::PatchedFile::paths).map(str::to_owned).collect();
        Self { files: paths, ..Self::new(ToolClass::FileWrite, RiskLevel::Write, subject) }
    }
}

/// What matters among the arguments of a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) enum About {
    /// All of them.
    Arguments,
    /// The command line, and what the others mean.
    Command(&'static ShellArguments),
    /// The file or folder in this argument.
    Read(&'static str),
    /// The file and its new content.
    Write(&'static str, &'static str),
    /// The file, what is replaced, and what takes its place.
    Edit(&'static str, &'static str, &'static str),
    /// The address in this argument.
    Fetch(&'static str),
    /// The patch in this argument.
    Patch(&'static str),
    /// What this argument has is typed into a command that runs. Where it is empty, nothing is typed: the call
    /// waits for what the command prints.
    Typed(&'static str),
    /// An editor whose argument `command` tells what it does to the file `path`.
    Editor,
}

/// One line of an agent's table of tools.
pub(crate) struct Tools {
    pub(crate) names: &'static [&'static str],
    pub(crate) class: ToolClass,
    pub(crate) risk: RiskLevel,
    pub(crate) about: About,
}

/// A line of a table.
pub(crate) const fn tools(names: &'static [&'static str], class: ToolClass, risk: RiskLevel, about: About) -> Tools {
    Tools { names, class, risk, about }
}

/// What `table` says about a call. A tool may have several lines, for several sets of arguments: the
/// first that fits counts. About a tool that is not in it, nothing is known.
pub(crate) fn look_up(table: &[Tools], tool: &str, arguments: &Map<String, Value>) -> ToolFacts {
    let mut lines = table.iter().filter(|line| line.names.contains(&tool)).map(|line| line.facts(arguments)).peekable();
    let first = lines.peek().cloned().unwrap_or_default();
    lines.find(|facts| facts.subject != Subject::Arguments).unwrap_or(first)
}

impl Tools {
    fn facts(&self, arguments: &Map<String, Value>) -> ToolFacts {
        let text = |name| text(arguments, name);
        let subject = match self.about {
            About::Arguments => None,
            About::Command(known) => return ToolFacts::shell(known, arguments),
            About::Read(name) => text(name).map(|path| Subject::Read { path }),
            About::Write(path, content) => write(arguments, path, content),
            About::Edit(path, before, after) => edit(arguments, path, before, after),
            About::Fetch(name) => return ToolFacts::fetch(text(name), arguments),
            About::Patch(name) => return ToolFacts::patch(text(name).as_deref()),
            About::Typed(name) if arguments.get(name).is_none_or(|typed| typed == "") => {
                return ToolFacts::new(ToolClass::Other, RiskLevel::ReadOnly, None);
            }
            About::Typed(_) => None,
            About::Editor => return editor(arguments),
        };
        ToolFacts::new(self.class, self.risk, subject)
    }
}

fn write(arguments: &Map<String, Value>, path: &str, content: &str) -> Option<Subject> {
    Some(Subject::Write { path: text(arguments, path)?, content: text(arguments, content)? })
}

fn edit(arguments: &Map<String, Value>, path: &str, before: &str, after: &str) -> Option<Subject> {
    let (before, after) = (text(arguments, before)?, text(arguments, after)?);
    Some(Subject::Edit { path: text(arguments, path)?, before, after })
}

/// The commands of the text editor tool that several agents share (Anthropic's documentation page
/// "Text editor tool").
fn editor(arguments: &Map<String, Value>) -> ToolFacts {
    let subject = match arguments.get("command").and_then(Value::as_str) {
        Some("view") => {
            let subject = text(arguments, "path").map(|path| Subject::Read { path });
            return ToolFacts::new(ToolClass::FileRead, RiskLevel::ReadOnly, subject);
        }
        Some("create" | "write") => write(arguments, "path", "file_text"),
        Some("str_replace") => edit(arguments, "path", "old_str", "new_str"),
        _ => None,
    };
    ToolFacts::new(ToolClass::FileWrite, RiskLevel::Write, subject)
}

/// The text of the one argument among `names` that is there. With two of them nobody knows here
/// which one the tool will use.
fn one_of(arguments: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let mut present = names.iter().filter(|name| arguments.contains_key(**name));
    let name = present.next()?;
    if present.next().is_some() { None } else { text(arguments, name) }
}

/// What agents call the tool that runs a command line. Each name of these lists, and each argument, is in a vector that the
/// libraries for other languages are held to as well.
pub(crate) const SHELLS: &[&str] = &[
    "Bash",
    "bash",
    "PowerShell",
    "powershell",
    "Shell",
    "shell",
    "run_shell_command",
    "shell_command",
    "execute_bash",
    "execute_command",
    "developer__shell",
];
const PATCHERS: &[&str] = &["edit", "apply_patch"];
const EDITORS: &[&str] = &["Edit", "edit", "edit_file", "replace", "str_replace"];
const WRITERS: &[&str] = &["Write", "write", "write_file", "create_file"];
const READERS: &[&str] = &["Read", "read", "read_file", "view"];
const FETCHERS: &[&str] = &["WebFetch", "web_fetch", "webfetch", "fetch"];
/// Arguments on whose meaning every agent agrees, and that a program of one's own is likely to mean the same by.
const COMMON: ShellArguments = ShellArguments {
    folder: &["cwd", "workdir", "working_directory", "working_dir", "directory", "dir_path"],
    shell: &["shell"],
    harmless: &["description", "timeout", "timeout_ms", "timeout_secs", "summary"],
    background: &["run_in_background", "is_background", "background"],
    ..ShellArguments::of("command")
};
const PATH: &[&str] = &["file_path", "filePath", "path", "absolute_path"];
const BEFORE: &[&str] = &["old_string", "oldString", "old_str"];
const AFTER: &[&str] = &["new_string", "newString", "new_str"];

/// What every agent agrees on. The name is only believed together with the argument that matters,
/// and never makes a call look more harmless than one that nothing is known about.
pub(crate) fn common(tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
    if server.is_some() || tool.starts_with("mcp__") {
        return ToolFacts::mcp();
    }
    known(tool, arguments).unwrap_or_default()
}

fn known(tool: &str, arguments: &Map<String, Value>) -> Option<ToolFacts> {
    if SHELLS.contains(&tool) {
        return text(arguments, COMMON.command).map(|_| ToolFacts::shell(&COMMON, arguments));
    }
    if PATCHERS.contains(&tool)
        && arguments.contains_key("patch")
        && !PATH.iter().any(|name| arguments.contains_key(*name))
    {
        let facts = ToolFacts::patch(text(arguments, "patch").as_deref());
        return (!facts.files.is_empty()).then_some(facts);
    }
    let (class, subject) = if EDITORS.contains(&tool) {
        let path = one_of(arguments, PATH)?;
        let (before, after) = (one_of(arguments, BEFORE)?, one_of(arguments, AFTER)?);
        (ToolClass::FileWrite, Subject::Edit { path, before, after })
    } else if WRITERS.contains(&tool) {
        let (path, content) = (one_of(arguments, PATH)?, text(arguments, "content")?);
        (ToolClass::FileWrite, Subject::Write { path, content })
    } else if READERS.contains(&tool) {
        (ToolClass::FileRead, Subject::Read { path: one_of(arguments, PATH)? })
    } else if FETCHERS.contains(&tool) {
        (ToolClass::Network, Subject::Fetch { url: text(arguments, "url")? })
    } else {
        return None;
    };
    let risk = (class != ToolClass::FileRead).then_some(RiskLevel::Write);
    Some(ToolFacts { class, subject, risk, ..ToolFacts::default() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn facts(tool: &str, server: Option<&str>, arguments: Value) -> ToolFacts {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        crate::tool_facts(None, tool, server, &arguments)
    }

    #[test]
    fn a_well_known_name_counts_only_with_its_argument() {
        let shell = facts("Bash", None, json!({ "command": "ls" }));
        assert_eq!(shell.class, ToolClass::Shell);
        assert_eq!(shell.subject, Subject::Command { line: "ls".into() });
        assert_eq!(facts("Bash", None, json!({ "cmd": "ls" })), ToolFacts::default());
        assert_eq!(facts("Bash", None, json!({ "command": ["ls"] })), ToolFacts::default());
    }

    #[test]
    fn two_names_for_the_path_are_one_too_many() {
        let arguments = json!({ "path": "a", "file_path": "/etc/shadow" });
        assert_eq!(facts("Read", None, arguments), ToolFacts::default());
    }

    #[test]
    fn an_unknown_agent_never_gets_below_write() {
        for tool in ["Read", "Glob", "Grep", "Bash", "Write", "TodoWrite", "view", "WebFetch", "nothing"] {
            let arguments = json!({ "command": "a", "file_path": "a", "url": "a", "content": "a" });
            let risk = facts(tool, None, arguments).risk;
            assert!(risk.is_none_or(|risk| risk >= RiskLevel::Write), "{tool}");
        }
    }

    #[test]
    fn every_tool_and_argument_is_in_a_vector() {
        const VECTORS: &str = include_str!("../../../sdk/vectors/policy.jsonl");
        let vectors: Vec<Value> = VECTORS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let calls: Vec<_> = vectors.iter().map(|vector| &vector["call"]).collect();
        for tool in [SHELLS, PATCHERS, EDITORS, WRITERS, READERS, FETCHERS].concat() {
            assert!(calls.iter().any(|call| call["tool"] == tool), "no vector has the tool {tool}");
        }
        for name in [PATH, BEFORE, AFTER].concat() {
            assert!(
                calls.iter().any(|call| call["arguments"].get(name).is_some()),
                "no vector has the argument {name}"
            );
        }
    }

    #[test]
    fn a_tool_of_a_server_is_judged_by_nothing_but_that() {
        let facts = facts("Read", Some("evil"), json!({ "file_path": "README.md" }));
        assert_eq!(facts, ToolFacts::mcp());
    }
}

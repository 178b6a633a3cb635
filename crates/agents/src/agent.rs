//! What every agent has in common, seen from here.

use handraise_policy::PhaseOrder;
use handraise_protocol::ApprovalResult;
use handraise_shell::Shell;
use serde_json::{Map, Value};

use crate::connect::{Level, ManagedFile};
use crate::own_rules::RuleFile;
use crate::{
    HookCall, HookError, HookEvent, HookMessage, HookOutput, OffSwitch, PastCall, ProjectList, ToolFacts, Transcripts,
};

/// One agent: its hook messages, its answers, its tools, its settings files.
pub trait Agent: Sync {
    /// The name in paths, tokens and policies, as `claude-code`.
    fn name(&self) -> &'static str;

    /// The name for people.
    fn display_name(&self) -> &'static str;

    /// Reads what the agent's hook sent. Unknown fields are accepted.
    ///
    /// # Errors
    /// When the message cannot be read in exactly one way, lacks what is needed, or is about an
    /// event that is not known.
    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError>;

    /// Which phase of its call `call` is, where the agent has two hooks for one.
    fn order(&self, call: &HookCall) -> PhaseOrder {
        match call.event {
            HookEvent::BeforeTool => PhaseOrder::First,
            HookEvent::PermissionRequest => PhaseOrder::Second,
        }
    }

    /// The agent's own words for how `call` ended. Whatever is not an approval of this very call
    /// is a denial.
    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput;

    /// No decision: the agent goes on as if there were no hook.
    fn pass(&self) -> HookOutput;

    /// The answer for a hook call that failed. `input` is what the agent sent, which may be
    /// anything; `sentence` tells the model and the person what happened and what to do. A denial,
    /// unless `input` is sure to be about something that has happened already.
    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput;

    /// What is known about a call of one of the agent's tools.
    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts;

    /// The shell in which the agent's shell tool runs command lines where a call names none. [`Shell::Unknown`]
    /// where that is the user's own.
    fn shell(&self) -> Shell {
        Shell::Unknown
    }

    /// Whether it can type into a command that runs without any hook being asked about what it types. Where
    /// nobody has found out, it can.
    fn types_unasked(&self) -> bool {
        true
    }

    /// The message to be parsed, made from what a hook program of the agent has read from stdin, and
    /// from its environment where the agent says something there.
    fn message(&self, stdin: Vec<u8>, _environment: &dyn Fn(&str) -> Option<String>) -> Vec<u8> {
        stdin
    }

    /// The agent that has in truth run this hook, when agents run the hooks in each other's
    /// settings. Nothing that a project can set is believed without what only the agent itself says.
    fn run_by(&self, _stdin: &[u8], _environment: &dyn Fn(&str) -> Option<String>) -> Option<&'static str> {
        None
    }

    /// The files of a skill or command that a call of `tool` loads. Such a file can hold command lines that run
    /// without a call of their own.
    fn skill(&self, _tool: &str, _arguments: &Map<String, Value>) -> Option<SkillFiles> {
        None
    }

    /// A call that changes nothing, in the folder `cwd`, as the agent's own hook would send it. For
    /// finding out whether the whole way from the hook to the gate works.
    fn probe(&self, cwd: &str) -> Probe;

    /// The name of the agent's own program.
    fn program(&self) -> &'static str;

    /// The files that a connection at `level` lives in. Empty: the agent has no such level.
    fn files(&self, level: Level) -> Vec<ManagedFile>;

    /// Files of the whole machine, from the root folder, in which it can be laid down that no project
    /// switches hooks off. Empty: the agent has none.
    fn system_files(&self) -> Vec<ManagedFile> {
        Vec::new()
    }

    /// What in a project's own files switches hooks off.
    fn off_switches(&self) -> &'static [OffSwitch] {
        &[]
    }

    /// Where it notes which projects it has worked in.
    fn project_lists(&self) -> &'static [ProjectList] {
        &[]
    }

    /// The files in which it keeps rules of its own, in the order in which they count.
    fn rule_files(&self) -> &'static [RuleFile] {
        &[]
    }

    /// The transcripts of its sessions. `None`: nobody here can read them.
    fn transcripts(&self) -> Option<Transcripts> {
        None
    }

    /// What its hook would have sent before `call`, of which a transcript tells. `None`: nobody knows.
    fn told_before(&self, _call: &PastCall) -> Option<Value> {
        None
    }

    /// How long the agent waits for its hook, and how long the hook may take.
    fn timing(&self) -> Timing {
        Timing { agent_seconds: 600, hook_seconds: 590 }
    }

    /// Whether the agent can be told to block a call when its hook fails, going by what its program
    /// prints for `--version`.
    fn can_block_on_failure(&self, version: &str) -> bool;

    /// Whether it can be connected to ask only where it would ask the person itself.
    fn has_own_questions(&self) -> bool;

    /// What a connection cannot close, each a sentence that ends with what to do about it. `version`
    /// is what the agent's program prints for `--version`.
    fn stays_open(&self, version: Option<&str>) -> Vec<&'static str>;
}

/// Which files a skill, a command or a sub-agent may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFiles {
    /// Where they lie, from a folder of the project or the home folder.
    pub folders: Vec<SkillFolder>,
    /// What the agent calls it: the name of its folder, of its file or the one in its file; a colon stands for a folder.
    pub name: String,
}

/// A folder in which an agent looks for skills, commands or sub-agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkillFolder {
    /// Such as `.claude/skills`.
    pub path: &'static str,
    /// The only file of a folder that counts; `None`: each Markdown file does.
    pub file: Option<&'static str>,
}

impl SkillFolder {
    /// Whether a file of this name counts.
    #[must_use]
    pub fn is_one(&self, name: &str) -> bool {
        match self.file {
            Some(file) => name.eq_ignore_ascii_case(file),
            None => name.len() > 3 && name.to_ascii_lowercase().ends_with(".md"),
        }
    }
}

/// Seconds that an agent and its hook wait. The hook has to give up first: an agent that gives up
/// lets the call run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// What the agent is told to wait.
    pub agent_seconds: u32,
    /// After these the hook denies.
    pub hook_seconds: u32,
}

/// A harmless call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// For the hook's stdin.
    pub stdin: Vec<u8>,
    /// Environment variables that the agent sets for the hook.
    pub environment: Vec<(&'static str, String)>,
}

/// Session of every [`Probe`], for telling it from the work of an agent.
pub const PROBE_SESSION: &str = "handraise-doctor";

impl Probe {
    /// `message` on stdin and nothing else.
    pub(crate) fn of(message: &Value) -> Self {
        Self { stdin: message.to_string().into_bytes(), environment: Vec::new() }
    }
}

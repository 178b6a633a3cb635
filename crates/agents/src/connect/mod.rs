//! What it means to connect an agent: its settings make it ask Handraise before it acts.
//!
//! A connection lives in one or more files, each with an edit of its own: text in, text out. Every
//! edit keeps what it does not understand, and its removal gives back every byte.

pub(crate) mod generated;
pub(crate) mod hook_file;
pub(crate) mod jsonc;
pub(crate) mod pinned;

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The user's, for every project.
    User,
    /// One project's, as far as possible in a file that is not shared.
    Project,
}

/// One file that a connection lives in.
pub struct ManagedFile {
    /// Where it is, from the home folder or the project folder. `FOLDER/*.json` stands for every
    /// such file that is there.
    pub path: &'static str,
    /// How it is changed.
    pub text: &'static dyn ManagedText,
    /// The agent runs the file itself.
    pub is_executable: bool,
}

impl ManagedFile {
    /// A file that is only read.
    pub(crate) const fn new(path: &'static str, text: &'static dyn ManagedText) -> Self {
        Self { path, text, is_executable: false }
    }
}

/// The pure edits of one file.
pub trait ManagedText: Sync {
    /// `text` (empty when there is no file) with what makes the agent ask. Everything else stays as
    /// it is, byte for byte; what an earlier call of this function added is replaced.
    ///
    /// # Errors
    /// When the text cannot be understood, or the options make a gate that does not close.
    fn connect(&self, text: &str, options: &ConnectOptions) -> Result<String, ConnectError>;

    /// `text` without what [`ManagedText::connect`] added. Empty: the file is to go.
    ///
    /// # Errors
    /// When the text cannot be understood.
    fn disconnect(&self, text: &str) -> Result<String, ConnectError>;

    /// What [`ManagedText::connect`] has added to `text`, if anything.
    ///
    /// # Errors
    /// When the text cannot be understood.
    fn connection(&self, text: &str) -> Result<Option<Connection>, ConnectError>;
}

/// How an agent is to ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectOptions {
    /// The command line of the hook, up to and including ` hook AGENT` and its flags: absolute
    /// path, quoted for a POSIX shell.
    pub command: String,
    /// The same, as words that no shell reads.
    pub words: Vec<String>,
    /// Seconds that the agent waits for the hook. The hook itself must give up before.
    pub timeout_seconds: u32,
    /// Tell the agent to block the call when the hook fails. Only for agents that know how.
    pub on_failure_block: bool,
    /// Ask only where the agent would ask the person itself, instead of before every call.
    pub only_what_agent_asks: bool,
    /// Ask over HTTP instead of with the command.
    pub http: Option<HttpHandler>,
}

/// The endpoint for agents that send their hook messages over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpHandler {
    /// `http://127.0.0.1:PORT/v1/hooks/AGENT`.
    pub url: String,
    /// The agent's requester token.
    pub token: String,
}

/// What is found in the settings of an agent that is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// How the agent reaches Handraise.
    pub handler: Handler,
    /// Asked before every call, and not only where the agent would ask itself.
    pub every_call: bool,
    /// Seconds that the agent waits, when the settings say so.
    pub timeout_seconds: Option<u64>,
    /// The agent blocks the call when the hook fails.
    pub on_failure_block: bool,
    /// The settings switch all hooks off.
    pub switched_off: bool,
}

/// How an agent reaches Handraise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handler {
    /// By running this command line in a shell.
    Command(String),
    /// By running the program that is the first of these words, without a shell.
    Program(Vec<String>),
    /// By posting to this address.
    Http(String),
}

/// Why settings cannot be changed. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// No JSON, also when comments and trailing commas are allowed.
    #[error("the settings file is not valid JSON: {0}; repair it first")]
    Syntax(String),
    /// No TOML.
    #[error("the settings file is not valid TOML: {0}; repair it first")]
    Toml(String),
    /// A key that is there twice: it is open which one the agent uses.
    #[error("the settings file has the key `{0}` twice in one object; remove one of them first")]
    DuplicateKey(String),
    /// Something else than the agent's documentation says.
    #[error("in the settings file, `{place}` is not {expected}; repair it first")]
    Shape {
        /// Where.
        place: String,
        /// What it has to be, as `an array`.
        expected: &'static str,
    },
    /// A file that has another purpose already.
    #[error("the file is there already and was not made by Handraise; move it away or call it from elsewhere first")]
    NotOurs,
    /// The agent always asks before every call.
    #[error("this agent cannot ask only where it would ask itself; leave out --only-what-agent-asks")]
    EveryCallOnly,
    /// The agent runs commands only.
    #[error("this agent cannot ask over HTTP; leave out --http")]
    NoHttp,
    /// The command is none that could be found again.
    #[error("`{0}` does not run `handraise hook`")]
    Command(String),
    /// A gate that would stand open whenever Handraise does not answer.
    #[error(
        "an HTTP hook cannot be used here: this version of the agent runs the tool whenever Handraise does not \
         answer (not running, an error, too late), and cannot be told to block it instead. Leave out --http, or \
         update the agent"
    )]
    HttpFailsOpen,
}

//! Whether a call can run inside walls here, and how.

/// Whether walls can be put around a call here. Its owner says so, never a file and never who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confinable {
    /// They can, and this is how the call runs then.
    Yes(Box<ConfinedCall>),
    /// They cannot, for this reason, as a clause: "this kernel has no Landlock".
    No(String),
}

impl Default for Confinable {
    fn default() -> Self {
        Self::No("who asks has not said that it runs a changed command".to_owned())
    }
}

/// How a call runs inside walls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfinedCall {
    /// The program that puts the walls up, absolute, and where it finds Handraise if not in the usual folders.
    pub program: Vec<String>,
    /// The argument that holds the command line.
    pub argument: String,
    /// The command line, as it was asked about.
    pub line: String,
    /// The shell that runs it inside.
    pub shell: String,
    /// The folder that it runs in, absolute.
    pub folder: String,
    /// This machine lets it have namespaces. Only they hide a place that may be written, and limit how many processes there are.
    pub has_namespaces: bool,
}

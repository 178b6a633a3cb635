/// Names of folders in a project that tools fill: packages of others, what was built, git's own files. Nobody keeps a secret
/// of the project there, so whoever looks for secrets need not look into them.
///
/// Sources: npm, Cargo and Maven, git, Python.
pub const TOOL_FOLDERS: &[&str] = &["node_modules", "target", ".git", "__pycache__", ".venv", "venv"];

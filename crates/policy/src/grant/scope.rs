//! How far an answer reaches.

/// How far a person's answer reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// This call only.
    #[default]
    Once,
    /// The next fifteen minutes of the session.
    Minutes,
    /// The rest of the session.
    Session,
    /// This project folder, as a policy rule.
    Project,
    /// For good, as a policy rule.
    Always,
}

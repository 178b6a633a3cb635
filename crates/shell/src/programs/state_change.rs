//! What a program does to what is there already, so exactly that a person can be told of what beforehand.

/// What one way to call a program does to what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateChange {
    /// Removes what its operands name; folders only by `recursive`.
    Removes,
    /// Moves what its operands name to where the last one says, over what is there.
    Moves,
    /// Changes the rights of what its operands name behind the first.
    ChangesRights,
    /// Publishes commits.
    Pushes,
    /// Puts the files back to a commit.
    Resets,
    /// Puts files back that its operands name.
    Restores,
    /// Removes files that git does not know.
    Cleans,
    /// Forgets one stash.
    DropsStash,
    /// Forgets all of them.
    ClearsStashes,
    /// Removes branches, merged or not.
    DeletesBranches,
    /// Installs what the project asks for, and runs scripts of the project around it.
    Installs,
}

/// A way to call a program of which that is known.
#[derive(Debug)]
pub(crate) struct StateChangeForm {
    /// Sub-commands right behind the program, as `stash drop`; `ci|clean-install` is one of two.
    pub(crate) path: &'static str,
    /// What it does.
    pub(crate) state_change: StateChange,
    /// Options with which it does that and nothing else, blank-separated: `f` short, `force` long, `s=` with a value.
    /// With any other nothing is told.
    pub(crate) options: &'static str,
    /// Options with which alone it does that; empty: none has to be given.
    pub(crate) only_with: &'static str,
    /// Options may also stand behind operands.
    pub(crate) permutes: bool,
}

/// With options in front of the operands.
pub(super) const fn changes_state(
    path: &'static str,
    state_change: StateChange,
    options: &'static str,
) -> StateChangeForm {
    StateChangeForm { path, state_change, options, only_with: "", permutes: false }
}

impl StateChangeForm {
    /// Options may also stand behind operands.
    pub(super) const fn permutes(self) -> Self {
        Self { permutes: true, ..self }
    }

    /// It does that only with one of these.
    pub(super) const fn only_with(self, only_with: &'static str) -> Self {
        Self { only_with, ..self }
    }
}

//! What is known at one place of a line.

use crate::values::{self, Values};

/// Where a command runs, and what is known there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ShellState {
    /// Literal `cd` folders in force, in order.
    pub(super) folders: Vec<String>,
    /// Something may have gone to another folder.
    pub(super) unknown: bool,
    /// Variables that the line has given a value, and that nothing else can have set since.
    pub(super) values: Values,
}

impl ShellState {
    /// Forgets of every variable what may not hold here although it did in `before`.
    pub(super) fn keep_values_of(&mut self, before: &Values) {
        values::join(&mut self.values, before);
    }

    /// Keeps what holds in both: either may come before what follows.
    pub(super) fn join(&mut self, other: &Self) {
        self.unknown |= other.unknown || self.folders != other.folders;
        values::join(&mut self.values, &other.values);
    }
}

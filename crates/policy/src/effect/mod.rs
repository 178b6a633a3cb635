//! Where what a call changes lands, and whether it can be undone.
//!
//! Architecture invariant: what cannot be told is never said to stay in the project or to be undone. More parts never
//! reach less far.

mod line;
mod of_call;
mod of_command;
mod place;
mod sentence;
mod switched;
#[cfg(test)]
mod tests;

pub(crate) use line::in_front;
pub(crate) use of_call::of_call;
pub(crate) use of_command::{CommandContext, brings_links, of_command, of_target};

/// How far what a call changes reaches. Ordered: farther is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reach {
    /// It only looks, on this machine.
    Nothing,
    /// Files below the project folder, or the agent's own plans and drafts.
    Project,
    /// This machine, or nobody can tell.
    Machine,
    /// Another machine: it talks to one, even if only to look.
    Outside,
}

/// Whether what a call changes can be undone. Ordered: worse is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CanBeUndone {
    /// It changes nothing.
    NotNeeded,
    /// What was there is kept where it changes something, as git does.
    ByItself,
    /// It changes nothing but the files that it names in the project, which Handraise keeps first.
    Yes,
    /// Not all of it, or nobody can tell.
    No,
}

/// What a call changes, or one part of it: where that lands, and what becomes of what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    here: Here,
    elsewhere: Elsewhere,
    lost: Lost,
}

/// Where on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Here {
    Nothing,
    /// The agent's own plans and drafts.
    Scratch,
    Project,
    Machine,
    /// Nobody can tell.
    Unknown,
}

/// What happens on other machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Elsewhere {
    Nothing,
    /// One is asked, or something is fetched.
    Asked,
    /// Nobody can tell.
    Unknown,
    /// Something changes there, or is sent there.
    Changed,
}

/// What becomes of what was there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lost {
    /// Some of it git keeps.
    by_git: bool,
    /// Some of it Handraise keeps.
    by_handraise: bool,
    /// Some of it nobody keeps.
    for_good: bool,
}

impl Lost {
    pub(crate) const NOTHING: Self = Self { by_git: false, by_handraise: false, for_good: false };
    pub(crate) const KEPT_BY_GIT: Self = Self { by_git: true, ..Self::NOTHING };
    pub(crate) const KEPT: Self = Self { by_handraise: true, ..Self::NOTHING };
    pub(crate) const FOR_GOOD: Self = Self { for_good: true, ..Self::NOTHING };

    fn and(self, other: Self) -> Self {
        Self {
            by_git: self.by_git || other.by_git,
            by_handraise: self.by_handraise || other.by_handraise,
            for_good: self.for_good || other.for_good,
        }
    }
}

impl Effect {
    /// It changes nothing and reaches nobody.
    pub(crate) const NOTHING: Self = Self { here: Here::Nothing, elsewhere: Elsewhere::Nothing, lost: Lost::NOTHING };
    /// Nobody can tell.
    pub(crate) const UNKNOWN: Self = Self { here: Here::Unknown, elsewhere: Elsewhere::Nothing, lost: Lost::FOR_GOOD };

    /// What is sent, what lies in no project and what is not known cannot be undone, whatever `lost` says.
    pub(crate) fn new(here: Here, elsewhere: Elsewhere, lost: Lost) -> Self {
        let is_kept = elsewhere == Elsewhere::Nothing && here == Here::Project;
        let lost = match here {
            Here::Nothing if elsewhere == Elsewhere::Nothing => Lost::NOTHING,
            _ if is_kept && lost != Lost::NOTHING => lost,
            _ => Lost::FOR_GOOD,
        };
        Self { here, elsewhere, lost }
    }

    /// What both change.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            here: self.here.max(other.here),
            elsewhere: self.elsewhere.max(other.elsewhere),
            lost: self.lost.and(other.lost),
        }
    }

    /// The same, when nobody keeps what was there.
    pub(crate) fn for_good(self) -> Self {
        if self.reach() == Reach::Nothing { self } else { Self { lost: Lost::FOR_GOOD, ..self } }
    }

    /// The same, reaching at least as far on this machine as `other`.
    fn reaching(self, other: Self) -> Self {
        Self::new(self.here.max(other.here), self.elsewhere, self.lost)
    }

    /// The same, when Handraise keeps nothing of it.
    #[must_use]
    pub fn not_kept(self) -> Self {
        let for_good = self.lost.for_good || self.lost.by_handraise;
        Self { lost: Lost { by_handraise: false, for_good, ..self.lost }, ..self }
    }

    /// The same inside walls, which let it write in the project and reach no network; beside the project when it
    /// `writes_beside`.
    pub(crate) fn inside_walls(self, writes_beside: bool) -> Self {
        let most = if writes_beside { Here::Machine } else { Here::Project };
        Self { here: self.here.min(most), elsewhere: Elsewhere::Nothing, ..self }
    }

    /// How far it reaches.
    #[must_use]
    pub fn reach(self) -> Reach {
        match (self.elsewhere, self.here) {
            (Elsewhere::Asked | Elsewhere::Unknown | Elsewhere::Changed, _) => Reach::Outside,
            (Elsewhere::Nothing, Here::Nothing) => Reach::Nothing,
            (Elsewhere::Nothing, Here::Scratch | Here::Project) => Reach::Project,
            (Elsewhere::Nothing, Here::Machine | Here::Unknown) => Reach::Machine,
        }
    }

    /// Whether it can be undone.
    #[must_use]
    pub fn can_be_undone(self) -> CanBeUndone {
        match self.lost {
            Lost { for_good: true, .. } => CanBeUndone::No,
            Lost { by_handraise: true, .. } => CanBeUndone::Yes,
            Lost { by_git: true, .. } => CanBeUndone::ByItself,
            Lost { .. } => CanBeUndone::NotNeeded,
        }
    }
}

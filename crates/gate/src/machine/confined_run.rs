//! What runs inside walls: what its agent gets, and what is handed out for it.

use handraise_policy::{ArgumentsHash, Confinable, Request, Walls};
use serde_json::{Map, Value};

use crate::Outcome;

/// What the program that puts walls up runs, and inside of which.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfinedRun {
    /// The command line, as it was asked about.
    pub line: String,
    /// The shell that runs it.
    pub shell: String,
    /// The folder that it runs in, absolute.
    pub folder: String,
    /// The walls.
    pub walls: Walls,
}

/// A call with the walls that it runs inside of, and the arguments with which the agent runs it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Confined {
    walls: Walls,
    arguments: Map<String, Value>,
    arguments_hash: ArgumentsHash,
}

impl Confined {
    /// `request` inside of `walls`; `None` when it cannot run there.
    pub(super) fn new(walls: &Walls, request: &Request) -> Option<Self> {
        let Confinable::Yes(call) = &request.confinable else { return None };
        let arguments = call.arguments(request);
        let arguments_hash = ArgumentsHash::of(&arguments).ok()?;
        Some(Self { walls: walls.clone(), arguments, arguments_hash })
    }

    /// `outcome`, of an approval, as that of this call.
    pub(super) fn of(self, outcome: Outcome) -> Outcome {
        let Self { walls, arguments, arguments_hash } = self;
        Outcome { walls: Some(walls), arguments: Some(arguments), arguments_hash, ..outcome }
    }

    /// What these walls hold, as one sentence without a full stop.
    pub(super) fn sentence(&self) -> String {
        self.walls.sentence()
    }
}

//! `handraise policy …`: look at rules, try them out, and say yes to a change.

mod added;
mod check;
mod confirm;
mod eval;
mod explain;
mod export;
mod history;
mod import;
mod learn;
mod replay;
mod shown;
mod suggest;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::FolderArguments;

/// Check, explain and suggest rules of the policy
#[derive(Debug, Args)]
pub(crate) struct Policy {
    #[command(subcommand)]
    command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
enum PolicyCommand {
    Check(check::Check),
    Explain(explain::Explain),
    Replay(replay::Replay),
    Suggest(suggest::Suggest),
    Import(import::Import),
    Export(export::Export),
    Confirm(confirm::Confirm),
    Discard(confirm::Discard),
    Eval(eval::Eval),
}

impl Policy {
    /// Runs the sub-command.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        match self.command {
            PolicyCommand::Check(check) => check.run(folders),
            PolicyCommand::Explain(explain) => explain.run(folders),
            PolicyCommand::Replay(replay) => replay.run(folders),
            PolicyCommand::Suggest(suggest) => suggest.run(folders),
            PolicyCommand::Import(import) => import.run(folders),
            PolicyCommand::Export(export) => export.run(folders),
            PolicyCommand::Confirm(confirm) => confirm.run(folders),
            PolicyCommand::Discard(discard) => discard.run(folders),
            PolicyCommand::Eval(eval) => eval.run(folders),
        }
    }
}

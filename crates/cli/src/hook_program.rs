//! The `handraise-hook` program: `handraise hook` alone, which `connect` puts into agents' settings.
//!
//! An agent starts it before every tool call, so its size counts: the system prepares a whole program
//! before its first line runs. It is the same code; what it never calls is not in it.

#![expect(dead_code, reason = "the other commands are not called here")]

mod client;
mod command;
mod runtime;
mod show;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use command::{FolderArguments, hook};

/// Success of a command.
const DONE: ExitCode = ExitCode::SUCCESS;

/// What an agent runs before each of its tool calls.
#[derive(Debug, Parser)]
#[command(name = "handraise-hook", version, propagate_version = true)]
struct Arguments {
    #[command(flatten)]
    folders: FolderArguments,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Hook(hook::Hook),
}

fn main() -> ExitCode {
    show_as_handraise();
    match Arguments::try_parse() {
        Ok(Arguments { folders, command: Command::Hook(hook) }) => hook.run(&folders),
        Err(error) => {
            // With a closed terminal there is nobody to tell.
            let _ = error.print();
            match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => DONE,
                _ => ExitCode::from(hook::BLOCKED),
            }
        }
    }
}

/// The server knows its own command among the processes behind a request by this name, and asks who
/// started it.
#[cfg(target_os = "linux")]
fn show_as_handraise() {
    // Without it the request is still asked, under the name of this program.
    let _ = nix::sys::prctl::set_name(c"handraise");
}

#[cfg(not(target_os = "linux"))]
fn show_as_handraise() {}

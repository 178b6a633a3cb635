//! The `handraise` command: the hook that agents run, asking and answering from a terminal,
//! connecting agents, and the server without a desktop.

mod client;
mod command;
mod runtime;
mod show;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use command::{
    acp, agents, answer_question, ask, audit, confine, connect, decide, demo, disconnect, doctor, hook, pending,
    policy, serve, text_filters, undo, watch,
};

/// Success of a command.
const DONE: ExitCode = ExitCode::SUCCESS;

/// The arguments were wrong, as with other programs: nothing was done.
const USAGE: u8 = 2;

/// An approval gate between AI agents and what they want to do.
#[derive(Debug, Parser)]
#[command(name = "handraise", version, propagate_version = true)]
struct Arguments {
    #[command(flatten)]
    folders: command::FolderArguments,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ask(ask::Ask),
    Pending(pending::Pending),
    Approve(decide::Approve),
    Deny(decide::Deny),
    Answer(answer_question::Answer),
    Watch(watch::Watch),
    Undo(undo::Undo),
    Connect(connect::Connect),
    Disconnect(disconnect::Disconnect),
    Agents(agents::Agents),
    Doctor(doctor::Doctor),
    Acp(acp::Acp),
    Policy(policy::Policy),
    Audit(audit::Audit),
    Redact(text_filters::Redact),
    Show(text_filters::Show),
    Demo(demo::Demo),
    Serve(serve::Serve),
    Confine(confine::Confine),
    Hook(hook::Hook),
}

fn main() -> ExitCode {
    let Arguments { folders, command } = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    if let Some(home) = &folders.agents_home {
        // Set once, here.
        let _ = command::settings_file::GIVEN_HOME.set(home.clone());
    }
    if let Some(root) = &folders.system_root {
        let _ = command::settings_file::GIVEN_ROOT.set(root.clone());
    }
    let result = match command {
        // The one command that never fails in any way but its own.
        Command::Hook(hook) => return hook.run(&folders),
        Command::Ask(ask) => ask.run(&folders),
        Command::Pending(pending) => pending.run(&folders),
        Command::Approve(approve) => approve.run(&folders),
        Command::Deny(deny) => deny.run(&folders),
        Command::Answer(answer) => answer.run(&folders),
        Command::Watch(watch) => watch.run(&folders),
        Command::Undo(undo) => undo.run(&folders),
        Command::Connect(connect) => connect.run(&folders),
        Command::Disconnect(disconnect) => disconnect.run(),
        Command::Agents(agents) => agents.run(&folders),
        Command::Doctor(doctor) => doctor.run(&folders),
        Command::Acp(acp) => acp.run(&folders),
        Command::Policy(policy) => policy.run(&folders),
        Command::Audit(audit) => audit.run(&folders),
        Command::Redact(redact) => redact.run(),
        Command::Show(show) => show.run(),
        Command::Demo(demo) => demo.run(&folders),
        Command::Serve(serve) => serve.run(&folders),
        Command::Confine(confine) => confine.run(),
    };
    result.unwrap_or_else(|error| {
        if error.is::<command::OutputClosed>() {
            return DONE;
        }
        command::complain(&error);
        ExitCode::from(1)
    })
}

/// Shows the help that was asked for, or what is wrong with the arguments.
fn usage(error: &clap::Error) -> ExitCode {
    // With a closed terminal there is nobody to tell.
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => DONE,
        _ if std::env::args_os().any(|argument| argument == "hook") => hook::blocked(),
        _ => ExitCode::from(USAGE),
    }
}

//! The `handraise` command: the hook that agents run, asking and answering from a terminal,
//! connecting agents, and the server without a desktop.

mod client;
mod command;
mod runtime;
mod show;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use command::{
    acp, agents, answer_question, ask, audit, completions, confine, connect, decide, demo, disconnect, doctor, grants,
    history, hook, pause, pending, policy, serve, sessions, text_filters, undo, watch,
};
use show::ColourArgument;

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
    /// When to colour what is printed
    #[arg(long = "color", global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    colour: ColourArgument,
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
    History(history::History),
    Show(text_filters::Show),
    Sessions(sessions::Sessions),
    Grants(grants::Grants),
    Revoke(grants::Revoke),
    Pause(pause::Pause),
    Resume(pause::Resume),
    Undo(undo::Undo),
    Connect(connect::Connect),
    Disconnect(disconnect::Disconnect),
    Agents(agents::Agents),
    Doctor(doctor::Doctor),
    Acp(acp::Acp),
    Policy(policy::Policy),
    Audit(audit::Audit),
    Redact(text_filters::Redact),
    Demo(demo::Demo),
    Serve(serve::Serve),
    Confine(confine::Confine),
    Hook(hook::Hook),
    Completions(completions::Completions),
    #[command(hide = true)]
    Manual(completions::Manual),
}

fn main() -> ExitCode {
    let parsed = commands().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let Arguments { folders, colour, command } = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    show::choose_colour(colour);
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
        Command::History(history) => history.run(&folders),
        Command::Show(show) => show.run(&folders),
        Command::Sessions(sessions) => sessions.run(&folders),
        Command::Grants(grants) => grants.run(&folders),
        Command::Revoke(revoke) => revoke.run(&folders),
        Command::Pause(pause) => pause.run(&folders),
        Command::Resume(resume) => resume.run(&folders),
        Command::Undo(undo) => undo.run(&folders),
        Command::Connect(connect) => connect.run(&folders),
        Command::Disconnect(disconnect) => disconnect.run(),
        Command::Agents(agents) => agents.run(&folders),
        Command::Doctor(doctor) => doctor.run(&folders),
        Command::Acp(acp) => acp.run(&folders),
        Command::Policy(policy) => policy.run(&folders),
        Command::Audit(audit) => audit.run(&folders),
        Command::Redact(redact) => redact.run(),
        Command::Demo(demo) => demo.run(&folders),
        Command::Serve(serve) => serve.run(&folders),
        Command::Confine(confine) => confine.run(),
        Command::Completions(completions) => completions.run(commands()),
        Command::Manual(manual) => manual.run(commands()),
    };
    result.unwrap_or_else(|error| {
        if error.is::<command::OutputClosed>() {
            return DONE;
        }
        command::complain(&error);
        ExitCode::from(if error.is::<command::UsageError>() { USAGE } else { 1 })
    })
}

/// The commands. What the parser itself prints is coloured as the rest: it stops before it has read everything.
fn commands() -> clap::Command {
    let arguments: Vec<_> = std::env::args_os().collect();
    let said = |at: usize| arguments.get(at).and_then(|argument| argument.to_str());
    let mut given = (1..arguments.len()).filter_map(|at| match said(at)? {
        "--color" => said(at + 1),
        argument => argument.strip_prefix("--color="),
    });
    let choice = match given.next_back() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    Arguments::command().color(choice)
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

//! The built program, from outside, with the signals, sockets and rights of files that Unix has.

#![cfg(unix)]
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test that panics fails, which is what it is for")]

mod agent_gone;
mod agents;
mod commands;
mod common;
mod confine;
mod confined;
mod credentials;
mod fake_server;
mod help;
mod history;
mod hook;
mod hook_agents;
mod own_rules;
mod policy;
mod serve;
mod settings;
mod undo;

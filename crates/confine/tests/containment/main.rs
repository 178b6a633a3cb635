//! Real attacks from inside the walls. Each is first shown to succeed without them, so that its failure means something;
//! what counts is what has happened outside, not what the attacker believes.
//!
//! The attacker is this very program, started again with the name of an attack. When the tests run as root, attacker
//! and walls run as an ordinary user with a number that nobody has.
#![cfg(target_os = "linux")]
#![expect(unsafe_code, reason = "attacks use the kernel's bare interface")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![expect(clippy::exit, reason = "an attacker ends before the test harness says something")]

mod attack;
mod call;
mod later;
mod leftover;
mod limits;
mod lines;
mod links;
mod own_sockets;
mod passes;
mod scene;
mod temporary;
mod together;
mod told;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use attack::{ALL, Attack};
use scene::{Mode, Scene};

/// What succeeds inside all the same, and in which mode: why stands in `docs/confine.md`.
const LEFT_OPEN: &[(&str, &[Mode])] = &[
    ("see_names_and_sizes", &WITHOUT),
    ("see_sizes_from_where_it_was_started", &WITHOUT),
    ("see_sizes_through_root", &WITHOUT),
    ("see_sizes_by_handle", &WITHOUT),
    ("see_size_of_the_passwords", &WITHOUT),
    ("list_names", &WITHOUT),
    ("go_to_a_folder", &WITHOUT),
    ("ask_whether_a_file_is_there", &WITHOUT),
    ("ask_for_the_handle_of_a_file", &WITHOUT),
    ("see_names_by_making_folders", &WITHOUT),
    ("see_names_by_removing_folders", &WITHOUT),
    ("see_names_by_binding", &WITHOUT),
    ("see_names_by_running", &WITHOUT),
    ("see_where_links_lead", &WITHOUT),
    ("see_what_is_mounted", &WITHOUT),
    ("lock_what_may_be_read", &WITHOUT),
    ("lock_a_file_that_may_be_read", &WITHOUT),
    ("lock_a_folder_of_tools", &WITHOUT),
    ("lock_a_program_of_the_system", &WITHOUT),
    ("lock_records_of_what_may_be_read", &WITHOUT),
    ("lock_records_by_the_open_file", &WITHOUT),
    ("lock_through_a_second_name", &WITHOUT),
    ("see_command_lines", &WITHOUT),
    ("see_connections", &WITHOUT),
    ("serve_others_on_loopback", &WITHOUT),
    ("serve_others_at_a_path", &WITHOUT),
    ("serve_others_at_a_relative_path", &WITHOUT),
    ("serve_others_by_packets", &WITHOUT),
    ("serve_others_by_a_second_name", &WITHOUT),
    ("serve_others_in_a_folder_that_is_moved", &WITHOUT),
    ("serve_others_below_an_open_folder", &WITHOUT),
    ("serve_others_at_a_moved_relative_path", &WITHOUT),
    ("take_what_others_put_into_a_pipe", &WITHOUT),
    ("see_names_of_keys", &WITHOUT),
    ("count_keys", &WITHOUT),
    ("see_what_is_mounted_by_number", &WITHOUT),
];
const WITHOUT: [Mode; 3] = [Mode::Abi(7), Mode::Abi(4), Mode::Abi(2)];

/// The attacker. Not a test: the others start it.
#[test]
#[ignore = "started by the other tests"]
fn attacker() {
    attack::run_named();
}

/// All attacks, or those that the environment names, to look at them alone.
fn chosen() -> Vec<&'static Attack> {
    let only = std::env::var("ONLY").ok();
    let is_meant = |name: &str| only.as_ref().is_none_or(|only| only.split(' ').any(|one| one == name));
    ALL.iter().copied().filter(|attack| is_meant(attack.name)).collect()
}

/// Tries them all, and says which do not end as expected. `is_open`: whether an attack is to succeed.
#[track_caller]
fn every_attack(mode: Option<Mode>, is_open: impl Fn(&Attack) -> bool) {
    let _programs = scene::Programs::install();
    let mut wrong = Vec::new();
    let mut untried = Vec::new();
    for attack in chosen() {
        match (attack.not_here)() {
            Some(why) => untried.push(format!("{} ({why})", attack.name)),
            None => {
                // A race is won now and then: what is to succeed gets more than one try.
                let tries = if is_open(attack) { 5 } else { 1 };
                let happened = (0..tries).any(|_| happens(attack, mode));
                if happened != is_open(attack) {
                    wrong.push(format!("{} {}", attack.name, if happened { "succeeds" } else { "does not succeed" }));
                }
            }
        }
    }
    eprintln!("{} attacks tried; not tried here: {}", chosen().len() - untried.len(), untried.join(", "));
    assert!(wrong.is_empty(), "{mode:?}:\n{}", wrong.join("\n"));
}

#[track_caller]
fn every_attack_is_held(mode: Mode) {
    every_attack(Some(mode), |attack| {
        LEFT_OPEN.iter().any(|(name, modes)| *name == attack.name && modes.contains(&mode))
    });
}

/// Without this, the other tests would mean nothing.
#[test]
fn every_attack_succeeds_without_walls() {
    every_attack(None, |_| true);
}

/// Whether the attack has had its effect outside.
fn happens(attack: &Attack, mode: Option<Mode>) -> bool {
    let mut scene = Scene::new();
    (attack.prepare)(&mut scene);
    let outcome = scene.attack(attack.name, mode);
    // Those who listen, and signals, take a moment.
    let timeout = Duration::from_millis(if mode.is_none() { 2_000 } else { 30 });
    let until = Instant::now() + timeout;
    while Instant::now() < until {
        if (attack.happened)(&scene, &outcome) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

#[test]
fn every_attack_is_held_with_namespaces() {
    every_attack_is_held(Mode::Namespaces);
}

#[test]
fn every_attack_is_held_at_abi_7_without_namespaces() {
    every_attack_is_held(Mode::Abi(7));
}

#[test]
fn every_attack_is_held_at_abi_4_without_namespaces() {
    every_attack_is_held(Mode::Abi(4));
}

#[test]
fn every_attack_is_held_at_abi_2_without_namespaces() {
    every_attack_is_held(Mode::Abi(2));
}

#[test]
fn what_is_left_open_has_an_attack() {
    let names: BTreeSet<&str> = ALL.iter().map(|attack| attack.name).collect();
    assert_eq!(names.len(), ALL.len(), "two attacks have one name");
    assert!(LEFT_OPEN.iter().all(|(name, _)| names.contains(name)));
}

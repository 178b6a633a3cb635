//! What a command line names that is there, and that the walls do not let be read. The kernel tells nobody about it: in a
//! root of the call's own it is as if it were not there. What a program reads by itself is not known.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::plan::Plan;
use crate::lexical::lexical;

/// Words of a longer line are not looked at.
const MAX_WORDS: usize = 200;
/// What is made anew for each call.
const MADE: &[&str] = &["/proc", "/sys", "/dev"];

/// The places that `command`, started in `start`, names so. What is hidden as a secret is none of them: nobody is told by this
/// whether it is there.
pub(super) fn named_in(command: &[OsString], start: &Path, plan: &Plan) -> Vec<PathBuf> {
    let home = handraise_locations::home().ok();
    let mut found: Vec<PathBuf> = Vec::new();
    for word in command.iter().filter_map(|word| word.to_str()).flat_map(words).take(MAX_WORDS) {
        let path = match (word.strip_prefix("~/"), &home) {
            (Some(below), Some(home)) => home.join(below),
            _ => start.join(word),
        };
        let path = lexical(&path);
        if is_there(&path) && is_out_of_sight(&path, plan) && !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// The words of a line that may be paths: quotes and operators of a shell stand around them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let around = |letter: char| letter.is_whitespace() || "\"'`;|&()<>=,".contains(letter);
    line.split(around).filter(|word| word.contains('/') || *word == "..")
}

fn is_there(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}

fn is_out_of_sight(path: &Path, plan: &Plan) -> bool {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let lies_in = |place: &Path| path.starts_with(place) || real.starts_with(place);
    let mut in_sight = plan.writable.iter().chain(&plan.readable).chain(&plan.view.shown);
    let mut secrets = plan.hidden.iter().chain(&plan.secrets);
    // What leads to a place that is in sight is there, too.
    !in_sight.any(|place| lies_in(place) || place.starts_with(&real))
        && !secrets.any(|secret| lies_in(secret))
        && !MADE.iter().any(|made| lies_in(Path::new(made)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_path_is_taken_out_of_a_line() {
        let found = |line| words(line).collect::<Vec<_>>();
        assert_eq!(found("cat ../lib/x && make"), ["../lib/x"]);
        assert_eq!(found("cd ..; ls"), [".."]);
        assert_eq!(found("X='/srv/a b' tool --in=/srv/c>'./d'"), ["/srv/a", "/srv/c", "./d"]);
        assert_eq!(found("cargo test"), [""; 0]);
    }
}

//! Rules that a person lets this program add to the policy.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, bail};
use handraise_locations::write_private;

use crate::command::say;

/// Writes `new` in the place of `old` into `file`, once a person has said yes, here or beforehand. What it loosens counts
/// after `handraise policy confirm` only, as with every change made outside of the app.
pub(super) fn write(file: &Path, old: &str, new: &str, yes: bool) -> anyhow::Result<()> {
    let name = file.display();
    if !yes && !agreed(&format!("Add these rules to {name}? [y/N] "))? {
        return say("Nothing was changed.");
    }
    replace(file, old, new).with_context(|| format!("cannot write {name}"))?;
    say(&format!("Added to {name}. They count once you have confirmed them: handraise policy confirm"))
}

/// Asks a person at the terminal.
fn agreed(question: &str) -> anyhow::Result<bool> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        bail!("nobody can be asked here; give --yes to add the rules");
    }
    let mut stderr = std::io::stderr();
    stderr.write_all(question.as_bytes())?;
    stderr.flush()?;
    let mut answer = String::new();
    stdin.read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Writes the file anew, whole or not at all. A link to it stays one.
fn replace(file: &Path, old: &str, new: &str) -> anyhow::Result<()> {
    let file = fs::canonicalize(file)?;
    if fs::read_to_string(&file)? != old {
        bail!("it has changed meanwhile; try again");
    }
    Ok(write_private(&file, new.as_bytes())?)
}

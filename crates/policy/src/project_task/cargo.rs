//! Aliases of Cargo.
//!
//! Source: The Cargo Book, "Configuration", "`[alias]`". A command of Cargo's own is never an alias; one that is
//! installed beside it (`cargo-clippy`) is.

use toml::Value;

use super::files::{Pause, join, upwards};
use super::task_search::TaskSearch;
use crate::facts::TaskCall;
use handraise_shell::CommandPattern;

pub(super) fn follow(found: &mut TaskSearch<'_>, call: &TaskCall, folder: &str) -> Result<(), Pause> {
    let name = call.names.first().map_or("", String::as_str);
    for above in upwards(folder, None) {
        // Lists of several files are joined, so each counts.
        for file in [".cargo/config", ".cargo/config.toml"] {
            let file = join(above, file);
            let Some(text) = found.files.text(&file)? else { continue };
            let not_understood = |why: &str| Pause::Unknown(format!("`{file}` is not understood: {why}"));
            let table: toml::Table = toml::from_str(text).map_err(|error| not_understood(error.message()))?;
            if table.contains_key("include") {
                return Pause::unknown(format!("`{file}` includes other files"));
            }
            let alias = match table.get("alias") {
                None => continue,
                Some(aliases) => aliases.get(name),
            };
            let words = match alias {
                None => continue,
                Some(Value::String(text)) => text.split_ascii_whitespace().map(str::to_owned).collect(),
                Some(Value::Array(words)) => words
                    .iter()
                    .map(|word| word.as_str().map(str::to_owned))
                    .collect::<Option<Vec<String>>>()
                    .ok_or_else(|| not_understood("an alias is no list of texts"))?,
                Some(_) => return Err(not_understood("an alias is no text")),
            };
            let words: Vec<&str> = std::iter::once("cargo").chain(words.iter().map(String::as_str)).collect();
            let text = CommandPattern::spell(&words);
            found.add(name, &file, &text)?;
            found.follow_text(&text, folder)?;
        }
    }
    Ok(())
}

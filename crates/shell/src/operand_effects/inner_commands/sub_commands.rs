//! Programs with sub-commands: which of them take names and texts only.

use super::super::super::command_line::Word;
use super::super::options;
use crate::programs;
use crate::programs::effect::Effect;
use crate::programs::spec::Spec;

use super::{InnerCommands, prefix, recovery, text, unlisted};

/// Whether the sub-commands of `name` are listed here.
pub(super) fn is_listed(name: &str) -> bool {
    !programs::of(name).sub_commands.is_empty()
}

pub(super) fn only_data(name: &str, sub: &str) -> bool {
    programs::of(name).sub_commands.split_ascii_whitespace().any(|listed| listed == sub)
}

/// Whether the words behind `sub` are those of a program of the project's own: `cargo run -- x`.
pub(super) fn runs_own(name: &str, sub: &str) -> bool {
    name == "cargo" && matches!(sub, "run" | "r")
}

/// Options in front of a sub-command that run their value: git(1); `npm help config`.
const RUNNING_GLOBALS: &[&str] = &["-c", "--config", "--config-env", "--exec-path", "--script-shell", "--shell"];

/// Whether `option` of `words`, which call a program with sub-commands, runs its value, or sets what is run.
pub(super) fn runs(name: &str, words: &[Word], option: &str) -> bool {
    if !is_listed(name) {
        return false;
    }
    let bare = option.split('=').next().unwrap_or(option);
    let is_global = || {
        let at = words.iter().position(|word| word.text == option);
        at < prefix::position(name, words, 1)
            && (RUNNING_GLOBALS.contains(&bare) || name == "git" && option.starts_with("-c"))
    };
    is_global() || runs_behind(name, option)
}

/// The same behind the sub-command.
fn runs_behind(name: &str, option: &str) -> bool {
    let letters = programs::of(name).running_letters;
    let given = option.strip_prefix('-').filter(|given| !given.starts_with('-'));
    let by_letter = given.is_some_and(|given| given.starts_with(|first| letters.contains(first)));
    let by_name = unlisted::effect(option) == Some(Effect::Runs)
        || ["pack", "cmd", "entrypoint", "renderer", "config"].iter().any(|part| option.contains(part));
    !prefix::is_data(option) && (by_letter || option.starts_with("--") && by_name)
}

impl<'a> InnerCommands<'a> {
    pub(super) fn add_sub_command(&mut self, name: &str, specs: &[&'static [Spec]], words: &'a [Word], depth: usize) {
        let found = prefix::position(name, words, 1);
        self.add_globals(name, words.get(..found.unwrap_or(words.len())).unwrap_or_default());
        if matches!(name, "git" | "cargo") {
            self.add_alias(words);
        }
        let Some(index) = found else { return };
        let own = words.get(index..).unwrap_or_default();
        let sub = own.first().map(|word| word.text.as_str()).unwrap_or_default();
        if let Some((spec, start)) = options::find_from(specs, own) {
            return self.add_listed(name, spec, own, start);
        }
        // `uv pip install`: another program's sub-commands.
        if (name, sub) == ("uv", "pip") {
            self.add(own, false, false);
            return self.add_command(own, depth + 1);
        }
        if runs_own(name, sub) {
            let behind = own.iter().position(|word| word.text == "--").map_or(own.len(), |index| index + 1);
            return self.add(own.get(behind..).unwrap_or_default(), true, false);
        }
        let enters = |word: &&Word| matches!(word.text.as_str(), "ssh" | "exec" | "shell");
        let is_data = only_data(name, sub) && own.get(1).filter(enters).is_none();
        if name == "git" {
            // git-remote-ext(1): the address is a command.
            own.iter().filter(|word| word.text.contains("ext::")).for_each(|word| self.add_text(&word.text));
        }
        if is_data {
            return self.add_options(name, own, 1, |option| runs_behind(name, option));
        }
        self.add(own, true, false);
        own.iter().for_each(|word| self.add_value(&word.text));
    }

    fn add_globals(&mut self, name: &str, words: &'a [Word]) {
        for (index, word) in words.iter().enumerate().skip(1) {
            let text = word.text.as_str();
            let option = text.split('=').next().unwrap_or(text);
            if !text.starts_with('-') {
                continue;
            }
            let runs = RUNNING_GLOBALS.contains(&option) || unlisted::effect(option) == Some(Effect::Runs);
            let glued_setting = name == "git" && text.starts_with("-c") && text.len() > 2;
            if runs || glued_setting {
                self.add_value(text);
                let value = words.get(index + 1).filter(|_| option.len() == text.len());
                value.into_iter().for_each(|value| self.add_text(&value.text));
            }
        }
    }

    /// `git -c alias.x=push x`, `git config alias.x push`, `cargo --config 'alias.x="publish"' x`: what it stands for
    /// is a sub-command (git-config(1), "alias.*"; The Cargo Book, "Configuration", `[alias]`).
    fn add_alias(&mut self, words: &'a [Word]) {
        let is_alias = |word: &Word| {
            let text = word.text.to_ascii_lowercase();
            text.contains("alias.") || text.contains("alias") && text.contains('{')
        };
        let Some(index) = words.iter().position(is_alias) else { return };
        let rest: Vec<&str> = words.iter().skip(index).take(8).map(|word| word.text.as_str()).collect();
        let rest = rest.join(" ");
        let Some((_, value)) = rest.split_once(['{', '=', ' ']) else { return };
        // Within braces each has a name of its own.
        let value = value.split_once('=').filter(|_| rest.contains('{')).map_or(value, |(_, value)| value);
        let Some(program) = words.first() else { return };
        for behind in [recovery::flat_words(value), text::words(value)] {
            self.add(std::iter::once(program.clone()).chain(behind).collect::<Vec<_>>(), false, false);
        }
        if text::is_script(value) {
            self.add_text(value);
        }
    }
}

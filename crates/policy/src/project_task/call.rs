//! Which task a command runs.

use super::table::{RUNNERS, Runner};
use crate::facts::{TaskCall, TaskRunner};
use handraise_shell::{Part, Word, WordKind};

/// What stands behind a task.
pub(crate) type Operands<'a> = Vec<&'a Word>;

impl TaskCall {
    /// The task that `part` runs, and its operands; `None`: it runs no task.
    ///
    /// # Errors
    /// Why it cannot be told which task it is, as a clause.
    pub(crate) fn of(part: &Part) -> Option<Result<(Self, Operands<'_>), String>> {
        let (program, rest) = part.words.split_first()?;
        let bare = ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"]
            .iter()
            .find_map(|folder| program.text.strip_prefix(folder))
            .unwrap_or(&program.text);
        let runner = RUNNERS.iter().find(|runner| listed(runner.programs, bare))?;
        let mut reader = Reader { runner, program: bare, rest };
        reader.read().transpose()
    }
}

struct Reader<'a> {
    runner: &'static Runner,
    program: &'a str,
    rest: &'a [Word],
}

impl<'a> Reader<'a> {
    fn read(&mut self) -> Result<Option<(TaskCall, Operands<'a>)>, String> {
        let runner = self.runner;
        if runner.verbs.is_empty() {
            return self.targets().map(Some);
        }
        let Some(first) = self.word()? else { return Ok(None) };
        let (words, name) = if listed(runner.verbs, first) {
            // `mise tasks run test`: the verb may have two words.
            let Some(name) = self.word()? else { return Ok(None) };
            (format!("{} {first} {name}", self.program), name)
        } else if let Some((_, name)) = runner.short.iter().find(|(shorts, _)| listed(shorts, first)) {
            (format!("{} {first}", self.program), *name)
        } else if runner.own.is_some_and(|own| is_plain_name(first) && !listed(own, first)) {
            (format!("{} {first}", self.program), first)
        } else {
            return Ok(None);
        };
        if !is_plain_name(name) {
            return Err(format!("`{name}` is no plain name of a task"));
        }
        let operands = self.operands()?;
        Ok(Some((TaskCall { runner: runner.runner, words, names: vec![name.to_owned()] }, operands)))
    }

    /// The next word that is no option; `None`: there is none, or the command only tells something.
    fn word(&mut self) -> Result<Option<&'a str>, String> {
        while let Some((word, rest)) = self.rest.split_first() {
            self.rest = rest;
            if word.kind != WordKind::Exact {
                return Err(format!("`{}` stands for something else", word.text));
            }
            let is_toolchain = self.runner.runner == TaskRunner::Cargo && word.text.starts_with('+');
            if !word.text.starts_with('-') && !is_toolchain {
                return Ok(Some(&word.text));
            }
            if ["--help", "-h", "--version", "-V", "--list", "-l"].contains(&word.text.as_str()) {
                return Ok(None);
            }
            if !is_toolchain {
                self.check_option(word)?;
            }
        }
        Ok(None)
    }

    fn check_option(&self, word: &Word) -> Result<(), String> {
        let is_harmless = word.kind == WordKind::Exact && listed(self.runner.harmless, &word.text);
        let why = || format!("`{}` may make it run another task, or run it in another way", word.text);
        is_harmless.then_some(()).ok_or_else(why)
    }

    /// What stands behind the name. npm reads its own options wherever they stand, up to `--`; the others pass on what
    /// follows the name.
    fn operands(&self) -> Result<Operands<'a>, String> {
        let mut operands = Operands::new();
        let mut is_passed_on = !self.runner.reads_options_everywhere;
        let mut dashes = false;
        for word in self.rest {
            if word.kind == WordKind::Exact && word.text == ":::" {
                return Err("it runs several tasks".to_owned());
            }
            if word.text == "--" && !dashes {
                (is_passed_on, dashes) = (true, true);
            } else if !is_passed_on && (word.may_be_option()) {
                self.check_option(word)?;
            } else {
                operands.push(word);
            }
        }
        Ok(operands)
    }

    /// Names of targets, among options and variables.
    fn targets(&mut self) -> Result<(TaskCall, Operands<'a>), String> {
        let mut names = Vec::new();
        let mut operands = Operands::new();
        let mut words = self.rest.iter();
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            if word.kind != WordKind::Exact {
                return Err(format!("`{text}` stands for something else"));
            }
            if text == "--" {
                operands.extend(words.by_ref());
            } else if text.starts_with('-') {
                self.check_option(word)?;
                // `-j 4`
                if text == "-j" && words.as_slice().first().is_some_and(|next| next.text.parse::<u16>().is_ok()) {
                    words.next();
                }
            } else if let Some((variable, _)) = text.split_once('=') {
                // Variables of make that say what runs the recipes, or which files are read.
                let is_odd = !variable.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
                    || variable.starts_with("MAKE")
                    || ["SHELL", "GNUMAKEFLAGS", "VPATH"].contains(&variable);
                if is_odd {
                    return Err(format!("`{variable}` may make it run something else"));
                }
                operands.push(word);
            } else if is_plain_name(text) {
                names.push(text.to_owned());
            } else {
                return Err(format!("`{text}` is no plain name of a task"));
            }
        }
        let words = std::iter::once(self.program).chain(names.iter().map(String::as_str));
        let words = words.collect::<Vec<_>>().join(" ");
        Ok((TaskCall { runner: self.runner.runner, words, names }, operands))
    }
}

fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == name)
}

/// A name of a script or target, and neither an option nor a path.
fn is_plain_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_')
        && word.chars().all(|character| character.is_ascii_alphanumeric() || "-_:.".contains(character))
}

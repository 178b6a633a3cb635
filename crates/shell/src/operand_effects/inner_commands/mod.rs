//! Which words of a command may be programs that it runs, for rules that deny or ask.
//!
//! A rule for a program means it wherever a command line names it: behind a wrapper, as the value of an
//! option that runs a program, in a script, in a variable. What only holds data (the pattern of a search, a
//! message, the name of a file) is left alone, so that `grep -rn rm src` is not taken for `rm`. Of a program
//! that is not known any word may be a program.

mod prefix;
mod starts;
mod sub_commands;
mod text;

use std::borrow::Cow;

use super::super::command_line::{Part, Word, WordKind};
use super::super::recovery;
use super::super::word::SUBSTITUTED;
use super::spelled::Spelled;
use super::{class, options, runs_what_it_finds, sed, unlisted};
use crate::programs;
use crate::programs::class::Class;
use crate::programs::effect::Effect;
use crate::programs::fact::Fact;
use crate::programs::name::is_system;
use crate::programs::spec::{Operands, Spec};
pub(crate) use starts::{is_announced, may_start};

/// Words of one command that are looked at.
const MAX_LENGTH: usize = 1024;
/// Words behind an assignment in a line that was not understood.
const MAX_WORDS_BEHIND: usize = 8;
/// Commands of a script of which each is looked at; behind them any word may be a program.
const MAX_COMMANDS: usize = 48;
/// Commands in commands.
const MAX_DEPTH: usize = 4;

/// Whether `sub` is a sub-command of `name` of which no operand is run.
pub(crate) fn is_sub_command(name: &str, sub: &str) -> bool {
    sub_commands::only_data(name, sub)
}

/// Whether the sub-commands of `name` are listed.
pub(crate) fn is_listed(name: &str) -> bool {
    sub_commands::is_listed(name)
}

/// Whether `words` run another command whose place the entry of their program tells: `npm exec`, `docker exec`.
pub(crate) fn has_place(words: &[Word]) -> bool {
    words.first().is_some_and(|program| prefix::prefix(&prefix::listed_name(&program.text), words).is_some())
}

/// Whether `option` of the program called `name` runs its value, by its manual.
pub(crate) fn runs_by_manual(name: &str, option: &str) -> bool {
    prefix::runs_by_manual(name, option)
}

/// The words of `words` that are a command whose place the entry of their program tells, and whether a shell reads them;
/// one text where only that is left.
pub(crate) fn behind(words: &[Word]) -> Option<(&[Word], bool)> {
    let prefix = prefix::prefix(&prefix::listed_name(&words.first()?.text), words)?;
    let rest = words.get(prefix.start?..).filter(|rest| !rest.is_empty())?;
    let as_text = prefix.script || rest.first().is_some_and(|word| word.text.contains([' ', '\t', '\n', ';']));
    Some((rest, as_text))
}

/// The words behind the sub-commands of the program `name` whose operands are a command, or one text that a shell reads.
pub(crate) fn told_behind<'a>(name: &str, words: &'a [Word]) -> impl Iterator<Item = &'a [Word]> {
    prefix::told_behind(name, words)
}

/// Where the sub-command of `words` stands, which call the program `name`.
pub(crate) fn sub_command(name: &str, words: &[Word]) -> Option<usize> {
    prefix::position(name, words, 1)
}

/// Whether `option` is one of a program with sub-commands that runs its value, or sets what is run.
pub(crate) fn runs_behind_sub_command(name: &str, words: &[Word], option: &str) -> bool {
    sub_commands::runs(name, words, option)
}

/// Whether `option` runs its value, going by its name.
pub(crate) fn runs_by_name(option: &str) -> bool {
    option.starts_with("--") && !prefix::is_data(option) && unlisted::effect(option) == Some(Effect::Runs)
}

/// Whether `option` of the program called `name` is listed among those that run, but only names something.
pub(crate) fn only_looks_up(name: &str, option: &str) -> bool {
    prefix::only_looks_up(name, option)
}

/// A place where a command that is run may start.
#[derive(Clone, Debug)]
pub(crate) struct InnerCommand<'a> {
    /// The words.
    pub(crate) words: Cow<'a, [Word]>,
    /// How many of them it may start at, from the first on.
    pub(crate) starts: usize,
    /// It runs, and nothing else can be meant.
    pub(crate) surely: bool,
    /// A word of which nothing is known may be the program.
    pub(crate) unknown: bool,
}

/// Every place in `words` where a command that it runs may start.
pub(crate) fn of(words: &[Word]) -> Vec<InnerCommand<'_>> {
    let words = words.get(..MAX_LENGTH).unwrap_or(words);
    let mut uses = InnerCommands { found: Vec::new() };
    uses.add_command(words, 0);
    uses.found
}

/// The same for an assignment in front of a command: `GIT_PAGER=curl`. Which variables are run is for each
/// program to say, so that any may be.
pub(crate) fn of_assignment(assignment: &str) -> Vec<InnerCommand<'static>> {
    let mut uses = InnerCommands { found: Vec::new() };
    uses.add_text(assignment.split_once('=').map_or(assignment, |(_, value)| value));
    uses.found
}

/// The same for what the line itself has for `part` to read: on its standard input, or in a file that an earlier
/// command writes.
pub(crate) fn of_handed(part: &Part) -> Vec<InnerCommand<'static>> {
    let mut uses = InnerCommands { found: Vec::new() };
    let Some(program) = part.words.first() else { return uses.found };
    let name = prefix::listed_name(&program.text);
    let is_own = !is_system(&program.text) || programs::of(&name).is(Fact::Sources);
    let (input, files) = match class::of(&name) {
        Class::Script(_) | Class::Tasks(_) => (true, true),
        Class::Options(spec) => (name == "sed", name == "sed" || spec.runs_project),
        Class::Writer => (prefix::reads_language(&name), prefix::reads_language(&name)),
        Class::Never(_) | Class::Unlisted if !sub_commands::is_listed(&name) => {
            (!prefix::only_names(&name), !prefix::only_names(&name))
        }
        Class::Never(_) | Class::Unlisted | Class::SubCommands(_) | Class::HarmlessCommands(_) => {
            // `docker exec -i web sh`: what runs there reads it.
            let hands_on = prefix::prefix(&name, &part.words).is_some();
            (hands_on, hands_on || name == "git" || runs_what_it_finds(&part.words))
        }
        Class::AnyText => (false, false),
    };
    part.given.iter().filter(|_| input || is_own).for_each(|text| uses.add_text(text));
    part.from_files.iter().filter(|_| files || is_own).for_each(|text| uses.add_text(text));
    uses.found
}

/// The same for every word of a line that was not understood.
pub(crate) fn of_line(flat: &[Word]) -> Vec<InnerCommand<'_>> {
    let mut uses = vec![InnerCommand { words: flat.into(), starts: flat.len(), surely: false, unknown: false }];
    for (index, word) in flat.iter().enumerate() {
        // `GIT_PAGER=curl`, `--pre=curl`.
        let Some((_, value)) = word.text.split_once('=').filter(|(_, value)| !value.is_empty()) else { continue };
        let first = Word { text: value.to_owned(), kind: word.kind };
        let rest = flat.iter().skip(index + 1).take(MAX_WORDS_BEHIND).cloned();
        let words: Vec<Word> = std::iter::once(first).chain(rest).collect();
        uses.push(InnerCommand { words: words.into(), starts: 1, surely: false, unknown: false });
    }
    // `a*(e:'rm x':)` in zsh, `'a[$(rm x)]'` where it is calculated with.
    let mut inner = InnerCommands { found: uses };
    for word in flat {
        let held = word.text.contains(['(', '`']).then_some(word.text.as_str());
        held.into_iter().chain(run_by_qualifier(&word.text)).for_each(|text| inner.add_text(text));
    }
    inner.found
}

/// What zsh may run for each file that a glob finds: `e:rm x:`, `+rm`, `oe{rm x}` (zshexpn(1), "Glob Qualifiers").
fn run_by_qualifier(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let letters = text.len() - rest.len();
    let is_code = text.get(..letters)?.ends_with('e') && rest.starts_with(|sign: char| sign.is_ascii_punctuation());
    (rest.starts_with('+') || is_code).then(|| rest.get(1..)).flatten()
}

struct InnerCommands<'a> {
    found: Vec<InnerCommand<'a>>,
}

impl<'a> InnerCommands<'a> {
    fn add_command(&mut self, words: &'a [Word], depth: usize) {
        let Some((program, operands)) = words.split_first() else { return };
        let name = prefix::listed_name(&program.text);
        if !is_system(&program.text) || depth > MAX_DEPTH {
            return self.add_anything(words, false);
        }
        let asks = name == "command" && operands.first().is_some_and(|word| matches!(word.text.as_str(), "-v" | "-V"));
        // What a builtin calculates with may run something: `let 'a[$(rm x)]=1'`.
        if prefix::calculates(&name) {
            let runs = |word: &&Word| word.text.contains("$(") || word.text.contains('`');
            operands.iter().filter(runs).for_each(|word| self.add_text(&word.text));
        }
        if asks || prefix::only_names(&name) {
            return;
        }
        if programs::of(&name).is(Fact::RunsByOptions) {
            return self.add_options(&name, words, 1, |option| prefix::runs(&name, option));
        }
        if let Some(prefix) = prefix::prefix(&name, words) {
            return self.add_prefixed(words, prefix, depth);
        }
        if matches!(name.as_str(), "alias" | "hash") {
            return operands.iter().for_each(|word| self.add_other_name(&word.text));
        }
        if programs::of(&name).is(Fact::Declares) {
            return operands.iter().for_each(|word| self.add_text(&word.text));
        }
        match class::of(&name) {
            Class::AnyText => {}
            Class::Writer => {
                self.add_options(&name, words, 1, |option| prefix::runs(&name, option));
                if prefix::reads_language(&name) {
                    operands
                        .iter()
                        .filter(|word| text::is_script(&word.text))
                        .for_each(|word| self.add_text(&word.text));
                }
                // Under its other name nobody would know the program.
                let is_program = |word: &Word| word.text.contains('/') && is_system(&word.text);
                if matches!(name.as_str(), "cp" | "ln" | "mv" | "install") {
                    operands.iter().filter(|word| is_program(word)).for_each(|word| self.add_text(&word.text));
                }
            }
            Class::Options(spec) => self.add_listed(&name, spec, words, 1),
            Class::Tasks(spec) => {
                self.add_listed(&name, spec, words, 1);
                operands.iter().filter(|word| word.text.contains('=')).for_each(|word| self.add_text(&word.text));
            }
            Class::SubCommands(specs) | Class::HarmlessCommands(specs) => {
                self.add_options(&name, words, 1, |option| prefix::runs_by_manual(&name, option));
                self.add_sub_command(&name, specs, words, depth);
            }
            Class::Script(interpreter) => self.add_interpreter(&name, interpreter.code, words, depth),
            Class::Never(_) if class::runs_operands(&name) => self.add_anything(words, true),
            Class::Never(_) if programs::of(&name).is(Fact::TakesCommands) => {
                self.add_options(&name, words, 1, |option| prefix::runs(&name, option));
                operands.iter().filter(|word| text::is_script(&word.text)).for_each(|word| self.add_text(&word.text));
            }
            Class::Never(_) | Class::Unlisted if sub_commands::is_listed(&name) => {
                self.add_options(&name, words, 1, |option| prefix::runs_by_manual(&name, option));
                self.add_sub_command(&name, &[], words, depth);
            }
            Class::Never(_) | Class::Unlisted => self.add_anything(words, false),
        }
    }

    fn add(&mut self, words: impl Into<Cow<'a, [Word]>>, anywhere: bool, surely: bool) {
        let words = words.into();
        let starts = if anywhere { words.len() } else { 1 };
        self.found.push(InnerCommand { words, starts, surely, unknown: surely });
    }

    /// Any word behind the program may be one, and so may any in a text.
    fn add_anything(&mut self, words: &'a [Word], unknown: bool) {
        let operands = words.get(1..).unwrap_or_default();
        self.found.push(InnerCommand { words: operands.into(), starts: operands.len(), surely: false, unknown });
        operands.iter().for_each(|word| self.add_value(&word.text));
    }

    /// A word that may hold a program beside itself: behind a `=`, glued to a letter, in a script.
    fn add_value(&mut self, text: &str) {
        let glued = text.get(2..).filter(|rest| text.starts_with('-') && !text.starts_with("--") && !rest.is_empty());
        glued.into_iter().for_each(|glued| self.add_text(glued));
        if text::is_script(text) {
            self.add_text(text);
        }
    }

    fn add_text(&mut self, text: &str) {
        let flat = recovery::flat_words(text);
        let split = text::words(text);
        if split != flat {
            self.add(split, true, false);
        }
        self.add(flat, true, false);
    }

    /// Builtins that give a program another name: `alias z='rm -r'`. What is given to it stands elsewhere.
    fn add_other_name(&mut self, text: &str) {
        for word in recovery::flat_words(text.rsplit('=').next().unwrap_or_default()) {
            self.add(vec![word, Word::unknown()], false, false);
        }
    }

    /// A text that a shell reads, as `eval` and `ssh` hand one on: each of its commands runs.
    fn add_script(&mut self, text: &str, depth: usize) {
        let commands = recovery::commands_as_quoted(text);
        let is_long = commands.len() > MAX_COMMANDS || self.found.len() > MAX_COMMANDS;
        for command in commands.into_iter().take(MAX_COMMANDS.saturating_sub(self.found.len())) {
            let mut inner = InnerCommands { found: Vec::new() };
            inner.add_command(&command, depth + 1);
            let inner: Vec<InnerCommand<'static>> = inner.found.into_iter().map(InnerCommand::owned).collect();
            self.add(command, false, true);
            self.found.extend(inner);
        }
        // What expands, and what another shell than bash reads otherwise, may hide more.
        if is_long || text.contains(['$', '`', '{', '=', '\\', '*', '?', '[', '#', '<', '>']) {
            self.add_text(text);
        }
    }

    /// A wrapper whose program stands at a known place.
    fn add_prefixed(&mut self, words: &'a [Word], prefix: prefix::Prefix, depth: usize) {
        let Some(start) = prefix.start else {
            return self.add_anything(words, true);
        };
        let rest = words.get(start..).unwrap_or_default();
        let as_text = prefix.script || rest.first().is_some_and(|word| word.text.contains([' ', '\t', '\n', ';']));
        if as_text && rest.iter().all(|word| word.kind != WordKind::Varies) {
            let text: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
            self.add_script(&text.join(" "), depth);
        } else if as_text {
            self.add_anything(words, true);
        } else {
            self.add(rest, false, true);
            self.add_command(rest, depth + 1);
        }
        // Its own options may run something, too: `ssh -o ProxyCommand=…`; and an option that is taken for one
        // with a value may have none.
        let own = words.get(1..).unwrap_or_default();
        self.found.push(InnerCommand {
            words: own.into(),
            starts: start.saturating_sub(1),
            surely: false,
            unknown: false,
        });
        words.iter().take(start).skip(1).for_each(|word| self.add_value(&word.text));
    }

    /// The values of options that run a program.
    fn add_options(&mut self, name: &str, words: &'a [Word], start: usize, runs: impl Fn(&str) -> bool) {
        for (index, word) in words.iter().enumerate().skip(start) {
            let text = word.text.as_str();
            if text == "--" {
                break;
            }
            if text.starts_with('-') && text.len() > 1 {
                if runs(text) {
                    self.add_value(text);
                    self.add_behind(words, index, prefix::is_command(name, text));
                }
            } else if text::pipes(text) && prefix::takes_pipes(name) {
                self.add_text(text);
            }
        }
    }

    /// The word behind the option at `index`, and what follows it.
    fn add_behind(&mut self, words: &'a [Word], index: usize, surely: bool) {
        let Some(value) = words.get(index + 1) else { return };
        self.add(words.get(index + 1..).unwrap_or_default(), false, surely);
        if text::is_script(&value.text) {
            self.add_text(&value.text);
        }
    }

    /// A program, or a sub-command, whose options are listed: those that run something or are not known.
    fn add_listed(&mut self, name: &str, spec: &'static Spec, words: &'a [Word], start: usize) {
        let effect = |option: &str| options::option_effect(spec, option);
        let runs = |option: &str| {
            matches!(effect(option), Some(Effect::Runs)) && !prefix::only_looks_up(name, option)
                || matches!(effect(option), Some(Effect::Unknown)) && !prefix::is_data(option)
        };
        self.add_options(name, words, start, runs);
        let operands = || words.iter().skip(start);
        let held = |word: &&Word| {
            spec.holding.iter().any(|(held, effect)| *effect == Effect::Runs && word.text.contains(held))
        };
        operands().filter(held).for_each(|word| self.add_text(&word.text));
        // `tar xfI x.tar PROGRAM`: letters without a dash have their values behind them.
        let cluster =
            operands().next().filter(|word| spec.operands == Operands::Cluster && !word.text.starts_with('-'));
        if cluster.is_some_and(|word| word.text.contains(['I', 'F'])) {
            self.add(words.get(start + 1..).unwrap_or_default(), true, false);
        }
        if spec.operands == Operands::SedScript {
            let spelled = vec![Spelled::Not; words.len()];
            if sed::refusal(words, &spelled).is_some() {
                operands().for_each(|word| self.add_sed(&word.text));
            }
        }
    }

    /// `1e rm x`, `1erm x`, `s/a/rm x/e` (GNU sed manual, "Commands").
    fn add_sed(&mut self, script: &str) {
        if sed::is_harmless(script) {
            return;
        }
        self.add_text(script);
        for command in script.split(['\n', ';', '{']) {
            if let Some((address, command)) = command.split_once('e')
                && !address.contains('s')
            {
                self.add_text(command);
            }
        }
    }

    /// Code, the name of what runs, and the words that a script gets.
    fn add_interpreter(&mut self, name: &str, code: &str, words: &'a [Word], depth: usize) {
        let is_awk = name.ends_with("awk");
        let is_shell = prefix::is_shell(name);
        let mut index = 1;
        let mut has_code = false;
        while let Some(word) = words.get(index) {
            let text = word.text.as_str();
            let is_code = |option: &str| code.split(' ').any(|listed| listed == option);
            if text == "-m" && !is_awk && name.starts_with(['p', 'j']) {
                let module = words.get(index + 1..).unwrap_or_default();
                self.add(module, false, true);
                return self.add_command(module, depth + 1);
            }
            // `-mpip`, `-Impip`: glued, also behind other letters.
            if let Some((letters, module)) = text.strip_prefix('-').and_then(|letters| letters.split_once('m'))
                && name.starts_with("py")
                && !module.is_empty()
                && letters.chars().all(|letter| letter.is_ascii_alphabetic())
            {
                let first = Word { text: module.to_owned(), kind: word.kind };
                let rest = words.get(index + 1..).unwrap_or_default().iter().cloned();
                return self.add(std::iter::once(first).chain(rest).collect::<Vec<_>>(), false, false);
            }
            if !text.starts_with(['-', '+']) || text == "-" {
                break;
            }
            // Options of python with a value (python(1)).
            if name.starts_with("py") && matches!(text, "-W" | "-X" | "--check-hash-based-pycs") {
                index += 2;
                continue;
            }
            // `-xc`, `-lne`: the last letter of a cluster takes the next word.
            let cluster = !text.starts_with("--") && text.len() < 8 && text.ends_with(['c', 'e', 'E', 'r', 'p']);
            if is_code(text) || cluster {
                if let Some(script) = words.get(index + 1) {
                    if script.kind == WordKind::Varies && script.fixed_start().is_empty() {
                        self.found.push(InnerCommand {
                            words: words.get(index + 1..).unwrap_or_default().into(),
                            starts: 1,
                            surely: false,
                            unknown: true,
                        });
                    }
                    match is_shell {
                        true => self.add_script(&script.text, depth),
                        false if is_awk => {}
                        false => self.add_text(&script.text),
                    }
                }
                has_code = true;
                index += 1;
            } else {
                self.add_value(text);
            }
            index += 1;
        }
        let rest = words.get(index..).unwrap_or_default();
        if is_awk {
            // What is run may be in a variable: `awk -v c='rm x' '{ system(c) }'`.
            if words.iter().any(|word| awk_runs(&word.text)) {
                words.iter().skip(1).for_each(|word| self.add_text(&word.text));
            }
            return;
        }
        // The first is the script, which may hand on what stands behind it. `bash "$x"` runs any.
        let behind = if is_shell || has_code || matches!(name, "deno" | "bun") {
            rest
        } else {
            rest.get(1..).unwrap_or_default()
        };
        self.add(behind, true, false);
        // `node /usr/bin/npm publish`, `python3 $(which pip) install x`: the script may be a program.
        let unknown = rest.first().is_some_and(|script| script.text.contains(SUBSTITUTED));
        self.found.push(InnerCommand { words: rest.into(), starts: 1, surely: false, unknown });
        rest.iter().for_each(|word| self.add_value(&word.text));
    }
}

/// Whether a program of awk runs others: it pipes to or from them, or calls `system` (POSIX "awk").
fn awk_runs(code: &str) -> bool {
    code.replace("||", "").contains(['|', '@']) || code.contains("system")
}

impl InnerCommand<'_> {
    fn owned(self) -> InnerCommand<'static> {
        InnerCommand { words: Cow::Owned(self.words.into_owned()), ..self }
    }
}

//! A part, seen as a program with options and operands, where in doubt a word is taken for what
//! makes the command more dangerous. Only for saying that a command is dangerous, never that it is not.

use crate::command_line::{Part, Word, WordKind};
use crate::programs;
use crate::programs::fact::Fact;

/// Options in front of a sub-command that take no value, over all programs of the tables.
const FLAGS: &str = "--no-pager -P --paginate -p --bare --silent -s --quiet -q --verbose -v --debug -D --offline \
                     --locked --no-cli-pager --tls --insecure --yes -y --non-interactive --json";

pub(super) struct Invocation<'a> {
    /// Last component of the program's path, without `.exe`.
    pub(super) program: &'a str,
    /// The other words, decoded.
    pub(super) words: Vec<&'a str>,
    /// Some word is not exact.
    pub(super) varies: bool,
    /// How many of them stand in front of the `--` that ends the options. Behind an option it may be that option's value.
    before_end: usize,
    /// Operands in front of it, with whether the word before is an option whose value it may be.
    commands: Vec<(&'a str, bool)>,
}

impl<'a> Invocation<'a> {
    pub(super) fn of(part: &'a Part) -> Option<Self> {
        Some(Self::of_words(base_name(part.program()?), part.words.get(1..).unwrap_or_default()))
    }

    /// What `part` has another program run: as that one would be called.
    pub(super) fn run_by(part: &'a Part) -> Vec<Self> {
        let words = part.words.as_slice();
        let Some(program) = part.program().map(base_name) else { return Vec::new() };
        let known = programs::of(program);
        if let Some((module, rest)) = module(words).filter(|_| known.is(Fact::RunsCode)) {
            return vec![Self::of_words(module, rest)];
        }
        let behind =
            |commands: &str| words.iter().skip(1).position(|word| names(commands, &word.text)).map(|at| at + 2);
        let start = known
            .is(Fact::RunsFetched)
            .then_some(1)
            .or_else(|| behind(known.fetched).filter(|_| !known.fetched.is_empty()));
        let Some(start) = start else { return Vec::new() };
        // An option in front of it may have a value in a word of its own: the first two are tried.
        let operands = words.iter().enumerate().skip(start).filter(|(_, word)| !word.text.starts_with('-'));
        let called = operands.take(2).filter_map(|(at, word)| {
            let name = base_name(&word.text);
            // npm help exec: `name@version`.
            Some(Self::of_words(name.split('@').next().unwrap_or(name), words.get(at + 1..)?))
        });
        called.collect()
    }

    /// `program` with the other words of it.
    pub(super) fn of_words(program: &'a str, words: &'a [Word]) -> Self {
        let varies = words.iter().any(|word| word.kind == WordKind::Varies);
        let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let mut commands = Vec::new();
        let mut may_be_value = false;
        let in_front = std::iter::once("").chain(words.iter().copied());
        let mut pairs = in_front.zip(words.iter().copied());
        let before_end = pairs.position(|(front, word)| word == "--" && !is_option(front)).unwrap_or(words.len());
        for word in words.iter().copied().take(before_end) {
            if is_option(word) {
                may_be_value = !word.contains('=') && !FLAGS.split_ascii_whitespace().any(|flag| flag == word);
            } else {
                commands.push((word, may_be_value));
                may_be_value = false;
            }
        }
        Self { program, words, varies, before_end, commands }
    }

    /// Whether `path`, blank-separated sub-commands such as `stash drop|clear`, is called. An
    /// operand that follows an option may be that option's value, and may not be: both are tried.
    pub(super) fn calls(&self, path: &str) -> bool {
        let steps: Vec<&str> = path.split_ascii_whitespace().collect();
        // Numbers of steps that the operands so far may have taken.
        let mut taken = vec![0_usize];
        for (word, may_be_value) in &self.commands {
            let is_step = |step: &&&str| is_step(step, word);
            let further = taken.iter().filter(|taken| steps.get(**taken).filter(|step| is_step(step)).is_some());
            let mut next: Vec<usize> = further.map(|taken| taken + 1).collect();
            if next.contains(&steps.len()) {
                return true;
            }
            if *may_be_value {
                next.extend(&taken);
                next.sort_unstable();
                next.dedup();
            }
            taken = next;
            if taken.is_empty() {
                return false;
            }
        }
        false
    }

    /// The first word that gives an option of `names`: `f` in a cluster of short ones, `force` as
    /// itself or abbreviated (`getopt_long(3)`), `-auto-approve` as written or with two dashes.
    pub(super) fn option(&self, names: &str) -> Option<&'a str> {
        self.words
            .iter()
            .take(self.before_end)
            .find(|word| is_option(word) && names.split_ascii_whitespace().any(|name| gives_option(word, name)))
            .copied()
    }

    /// Words that are no options, and everything after `--`.
    pub(super) fn operands(&self) -> impl Iterator<Item = &'a str> {
        let mut ended = false;
        self.words.iter().copied().filter(move |word| {
            let operand = ended || !is_option(word);
            ended |= *word == "--";
            operand
        })
    }
}

/// The module that an interpreter of `words` runs, and the words behind it: `python3 -m pip list`, `python3 -Im pip`,
/// `python3 -mpip` (python(1), "COMMAND LINE").
fn module(words: &[Word]) -> Option<(&str, &[Word])> {
    const FLAGS: &str = "bBdEhiIOPqRsSuvVx?";
    words.iter().enumerate().skip(1).find_map(|(at, word)| {
        let (flags, glued) = word.text.strip_prefix('-')?.split_once('m')?;
        let rest = words.get(at + 1..)?;
        match glued {
            _ if !flags.chars().all(|flag| FLAGS.contains(flag)) => None,
            "" => rest.split_first().map(|(module, rest)| (module.text.as_str(), rest)),
            module => Some((module, rest)),
        }
    })
}

pub(super) fn base_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

fn gives_option(word: &str, name: &str) -> bool {
    let given = word.split('=').next().unwrap_or(word);
    if let Some(exact) = name.strip_prefix('-') {
        return given.strip_prefix('-').is_some_and(|given| given == exact || given.strip_prefix('-') == Some(exact));
    }
    match given.strip_prefix("--") {
        Some(given) => name.len() > 1 && given.len() > 1 && name.starts_with(given),
        None if name.len() == 1 => {
            given.strip_prefix('-').is_some_and(|cluster| cluster.contains(name) && cluster.len() <= 12)
        }
        None => false,
    }
}

/// Whether `word` is one of the names of `step`, as of `list|ls`.
pub(super) fn is_step(step: &str, word: &str) -> bool {
    step.split('|').any(|name| matches_name(name, word))
}

/// `delete-*` stands for every name that starts so.
fn matches_name(name: &str, word: &str) -> bool {
    match (name.strip_prefix('*'), name.strip_suffix('*')) {
        (Some(end), _) => word.ends_with(end),
        (_, Some(start)) => word.starts_with(start),
        _ => name == word,
    }
}

/// Whether one of the blank-separated `list` is `name`.
pub(super) fn names(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == name)
}

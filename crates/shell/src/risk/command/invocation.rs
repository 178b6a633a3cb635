//! A part, seen as a program with options and operands, where in doubt a word is taken for what
//! makes the command more dangerous. Only for saying that a command is dangerous, never that it is not.

use crate::command_line::{Part, Word, WordKind};

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

//! Programs that run another program: what is left when they are taken off.
//!
//! Sources: env(1), timeout(1), nice(1), nohup(1), stdbuf(1) of GNU coreutils; setsid(1), ionice(1)
//! of util-linux; sudo(8), doas(1); xargs(1), find(1) of GNU findutils; bash manual, "Invoking Bash".

use super::command_line::{Shell, Word, WordKind};
use super::obstacle::Obstacle;
use crate::programs;
use crate::programs::fact::Fact;
use crate::programs::name::base_name;
use crate::programs::runs::Wrapper;

/// What a command runs besides itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inner {
    /// Nothing that is known here.
    Nothing,
    /// The words after the first `taken`.
    Rest {
        /// Words of the wrapper.
        taken: usize,
        /// See `Layer::transparent`.
        transparent: bool,
        /// Assignments among its words.
        assignments: Vec<String>,
        /// It appends operands that nobody here knows.
        unknown_operands: bool,
        /// Words that contain this are changed first.
        replaced: Option<String>,
    },
    /// A script, and the shell that reads it.
    Script(String, Shell),
    /// `find -exec` and the like: itself, and these.
    Executed(Vec<Vec<Word>>),
}

/// What the command of `words` runs.
///
/// # Errors
/// When it runs something and its options do not tell what.
pub(super) fn inner(words: &[Word]) -> Result<Inner, Obstacle> {
    let Some((program, operands)) = words.split_first() else { return Ok(Inner::Nothing) };
    let name = base_name(&program.text);
    let odd = || Obstacle::Wrapper(name.to_owned());
    let known = programs::of(name);
    if let Some(wrapper) = known.wrapper {
        return rest(name, wrapper, operands).ok_or_else(odd);
    }
    let takes_script = || operands.iter().any(|word| word.text.starts_with("-c"));
    match name {
        "xargs" => xargs(operands).ok_or_else(odd),
        "find" => Ok(find(operands)),
        _ if known.is(Fact::ReadsOtherLanguage) && takes_script() => Err(odd()),
        _ if known.is(Fact::ReadsBash) => shell(operands, Shell::Bash).ok_or_else(odd),
        _ if known.is(Fact::ReadsPosix) => shell(operands, Shell::Posix).ok_or_else(odd),
        _ => Ok(Inner::Nothing),
    }
}

/// Whether `program` is the system's own program of that name: `./timeout` may be anything.
pub(super) fn is_genuine(program: &str) -> bool {
    let bare = program.strip_prefix("/usr/bin/").or_else(|| program.strip_prefix("/bin/")).unwrap_or(program);
    !bare.contains('/')
}

fn rest(name: &str, wrapper: &Wrapper, operands: &[Word]) -> Option<Inner> {
    // `command -v`, `sudo -l`, `env` alone: they only tell something.
    let asks = operands.is_empty()
        || matches!((name, operands.first().map(|word| word.text.as_str())), ("command", Some("-v" | "-V")))
        || matches!(operands, [only] if matches!(only.text.as_str(), "--help" | "--version"))
        || matches!((name, operands), ("sudo", [only]) if matches!(only.text.as_str(), "-l" | "-v" | "-k" | "-V"));
    if asks {
        return Some(Inner::Nothing);
    }
    let mut index = 0;
    let mut assignments = Vec::new();
    let mut duration = wrapper.duration;
    loop {
        let word = operands.get(index)?;
        if word.kind == WordKind::Varies {
            return None;
        }
        let text = word.text.as_str();
        let dash = text.starts_with('-') && text.len() > 1;
        if dash && wrapper.flags.contains(&text) {
            index += 1;
        } else if dash && wrapper.valued.contains(&text) {
            is_one(operands.get(index + 1)?).then_some(())?;
            index += 2;
        } else if dash && wrapper.glued.iter().any(|start| text.starts_with(start)) || is_niceness(name, text) {
            index += 1;
        } else if dash {
            return None;
        } else if wrapper.assignments && text.contains('=') {
            assignments.push(text.to_owned());
            index += 1;
        } else if duration {
            duration = false;
            is_duration(text).then_some(())?;
            index += 1;
        } else {
            break;
        }
    }
    let taken = index + 1;
    let transparent = wrapper.transparent;
    Some(Inner::Rest { taken, transparent, assignments, unknown_operands: false, replaced: None })
}

/// Whether the value of an option is written out. Of `$(…)` the shell may make several words, of which the next ones are
/// what runs.
fn is_one(value: &Word) -> bool {
    value.kind != WordKind::Varies
}

/// `nice -10`.
fn is_niceness(name: &str, text: &str) -> bool {
    let digits = text.trim_start_matches('-');
    name == "nice" && text.starts_with('-') && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// timeout(1): a decimal number with an optional suffix.
fn is_duration(text: &str) -> bool {
    let number = text.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(text);
    !number.is_empty() && number.chars().all(|character| character.is_ascii_digit() || character == '.')
}

fn xargs(operands: &[Word]) -> Option<Inner> {
    const FLAGS: &[&str] = &["-0", "--null", "-r", "--no-run-if-empty", "-t", "--verbose", "-x", "--exit"];
    const VALUED: &[&str] = &["-n", "-P", "-L", "-s", "-d"];
    const GLUED: &[&str] =
        &["-n", "-P", "-L", "-s", "-d", "--max-args=", "--max-procs=", "--max-lines=", "--delimiter="];
    let mut index = 0;
    let mut replaced = None;
    while let Some(word) = operands.get(index) {
        let text = word.text.as_str();
        if word.kind == WordKind::Varies {
            return None;
        } else if !text.starts_with('-') {
            break;
        } else if let Some(mark) = text.strip_prefix("-I") {
            let separate = mark.is_empty();
            let mark = if separate { operands.get(index + 1).filter(|mark| is_one(mark))?.text.as_str() } else { mark };
            replaced = Some(mark.to_owned());
            index += if separate { 2 } else { 1 };
        } else if FLAGS.contains(&text) {
            index += 1;
        } else if VALUED.contains(&text) {
            is_one(operands.get(index + 1)?).then_some(())?;
            index += 2;
        } else if GLUED.iter().any(|start| text.starts_with(start)) {
            index += 1;
        } else {
            return None;
        }
    }
    if operands.get(index).is_none() {
        // Without a program it runs `echo`.
        return Some(Inner::Nothing);
    }
    let unknown_operands = replaced.is_none();
    Some(Inner::Rest { taken: index + 1, transparent: false, assignments: Vec::new(), unknown_operands, replaced })
}

fn find(operands: &[Word]) -> Inner {
    let starts = |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let mut commands = Vec::new();
    let mut rest = operands.iter();
    while rest.find(|word| starts(word)).is_some() {
        let command: Vec<Word> = rest
            .by_ref()
            .take_while(|word| !matches!(word.text.as_str(), ";" | "+"))
            .map(|word| match word.text.contains("{}") {
                true => Word { text: word.text.clone(), kind: WordKind::Varies },
                false => word.clone(),
            })
            .collect();
        commands.push(command);
    }
    if commands.is_empty() { Inner::Nothing } else { Inner::Executed(commands) }
}

fn shell(operands: &[Word], reader: Shell) -> Option<Inner> {
    let texts: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    let is_exact = |word: &Word| word.kind == WordKind::Exact;
    match texts.as_slice() {
        // Further words would be `$0` and `$1`, and a login shell only reads its start files.
        ["-c" | "-lc" | "-ec" | "-ce" | "-euc" | "-lec", script] | ["-l" | "-e", "-c", script]
            if operands.iter().all(is_exact) && !script.is_empty() =>
        {
            Some(Inner::Script((*script).to_owned(), reader))
        }
        _ if texts
            .iter()
            .take_while(|text| text.starts_with(['-', '+']))
            .any(|text| !text.starts_with("--") && text.contains('c')) =>
        {
            None
        }
        _ => Some(Inner::Nothing),
    }
}

#[cfg(test)]
mod tests {
    use super::super::word::decode;
    use super::{Inner, inner};

    fn unwrapped(line: &str) -> Option<String> {
        let words: Vec<_> = line.split(' ').map(decode).collect();
        match inner(&words) {
            Ok(Inner::Rest { taken, .. }) => {
                Some(words.iter().skip(taken).map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
            }
            Ok(Inner::Nothing) => Some("nothing".to_owned()),
            Ok(other) => Some(format!("{other:?}")),
            Err(_) => None,
        }
    }

    #[test]
    fn wrappers_with_known_options_come_off() {
        for (line, rest) in [
            ("timeout 60 npm test", "npm test"),
            ("timeout -k 5 1.5m x", "x"),
            ("nice -n 5 x y", "x y"),
            ("nice -10 x", "x"),
            ("env CI=1 x", "x"),
            ("sudo -u root rm", "rm"),
            ("/usr/bin/sudo rm", "rm"),
            ("xargs -0 -n 1 grep a", "grep a"),
            ("xargs -I{} cp {} a", "cp {} a"),
            ("stdbuf -oL x", "x"),
            ("command -v git", "nothing"),
            ("bash script.sh", "nothing"),
        ] {
            assert_eq!(unwrapped(line).as_deref(), Some(rest), "{line}");
        }
    }

    #[test]
    fn other_options_make_a_wrapper_an_obstacle() {
        for line in [
            "env -S x",
            "env -i x",
            "timeout --foo 5 x",
            "timeout x",
            "sudo -s",
            "xargs -a f x",
            "timeout -k $(echo) 5 x",
            "timeout -k * 5 x",
            "xargs -n $(echo) x",
            "xargs -I $(echo) x",
            "sudo -u $y x",
            "bash -xc a b",
            "zsh -c x",
            "fish -c x",
        ] {
            assert_eq!(unwrapped(line), None, "{line}");
        }
    }
}

//! Commands that remove, overwrite or publish for good. In doubt a command is one of them: this
//! only ever raises a level.

use super::database_task;
use super::invocation::{Invocation, base_name};
use crate::command_line::{Part, Word, WordKind};
use crate::operand_effects::inner_commands;
use crate::programs;
use crate::programs::class::Class;
use crate::programs::danger::Danger;
use crate::programs::fact::Fact;
use crate::risk::level::RiskLevel;
use crate::risk::sql::classify_sql;

/// So many of the words behind a program that runs one of them are tried, where its entry does not say which one runs.
const TRIED: usize = 3;

/// Why `part` is destructive, as a clause; `None` when it is not known to be.
pub(super) fn reason(part: &Part) -> Option<String> {
    if let Some(device) = part.writes.iter().find(|word| is_device(&word.text)) {
        return Some(format!("writing to `{}` overwrites a disk", device.text));
    }
    itself(part).or_else(|| wrapped(part))
}

/// The same, whatever `part` runs besides itself.
fn itself(part: &Part) -> Option<String> {
    let invocation = Invocation::of(part)?;
    special(&invocation, part).or_else(|| tabled(&invocation)).or_else(|| database_task::reason(&invocation))
}

/// Whether `part` is a program that takes SQL.
pub(super) fn is_sql_client(part: &Part) -> bool {
    Invocation::of(part).is_some_and(|invocation| programs::of(invocation.program).is(Fact::TakesSql))
}

fn tabled(invocation: &Invocation<'_>) -> Option<String> {
    let program = invocation.program;
    let known = programs::find(program)?;
    row(known.destroys, invocation).or_else(|| {
        let verb = invocation.operands().take(8).find(|word| {
            known.destroying_words.split_ascii_whitespace().any(|verb| {
                match (verb.strip_suffix('*'), verb.strip_prefix('*')) {
                    (Some(start), _) => word.starts_with(start),
                    (_, Some(end)) => word.ends_with(end),
                    _ => *word == verb,
                }
            })
        })?;
        Some(format!("`{program} … {verb}` removes something in the cloud"))
    })
}

/// What the first of `rows` says that `invocation` is called like, as a clause.
pub(super) fn row(rows: &[Danger], invocation: &Invocation<'_>) -> Option<String> {
    rows.iter().find_map(|danger| {
        if !danger.path.is_empty() && !invocation.calls(danger.path) {
            return None;
        }
        let option = if danger.options.is_empty() { None } else { Some(invocation.option(danger.options)?) };
        // The words of the path as they were given, not the alternatives of the table.
        let called = invocation.operands().take(danger.path.split_ascii_whitespace().count());
        let shown: Vec<&str> = std::iter::once(invocation.program).chain(called).chain(option).collect();
        Some(format!("`{}` {}", shown.join(" "), danger.does))
    })
}

fn special(invocation: &Invocation<'_>, part: &Part) -> Option<String> {
    let words = &invocation.words;
    match invocation.program {
        "rm" if invocation.varies || part.wrappers.iter().any(|wrapper| is_fed(base_name(wrapper))) => {
            Some("`rm` removes files that a pattern or a variable names".to_owned())
        }
        "dd" => words
            .iter()
            .find(|word| word.strip_prefix("of=").is_some_and(is_device))
            .map(|_| "`dd` overwrites a disk".to_owned()),
        "tee" | "cp" | "mv" | "install" | "cat" => {
            let disk = invocation.program != "cat" && words.iter().any(|word| is_device(word));
            let nowhere = invocation.program == "mv" && words.last() == Some(&"/dev/null");
            (disk || nowhere).then(|| format!("`{}` to a device loses data", invocation.program))
        }
        "truncate" => empties(words).then(|| "`truncate -s 0` empties files".to_owned()),
        "chmod" => chmod(invocation),
        "kill" => {
            words.iter().any(|word| *word == "-1" || *word == "0").then(|| "`kill -1` ends every process".to_owned())
        }
        program if programs::of(program).is(Fact::FindsFiles) => find(words),
        "git" => git(invocation),
        program if program.starts_with(':') && part.text.contains(":|:") => {
            Some("it starts processes without end".to_owned())
        }
        program if programs::called_like(program) == "mongo" => {
            const CALLS: [&str; 6] =
                ["dropDatabase", ".drop(", "deleteMany", "deleteOne", ".remove(", "shutdownServer"];
            words
                .iter()
                .any(|word| CALLS.iter().any(|call| word.contains(call)))
                .then(|| format!("`{}` removes data", invocation.program))
        }
        "gh" if invocation.calls("api") => {
            let method = words.iter().any(|word| word.to_ascii_uppercase().ends_with("DELETE"));
            method.then(|| "`gh api` with DELETE removes something on GitHub".to_owned())
        }
        program if programs::of(program).is(Fact::SendsRequests) => {
            let delete =
                words.iter().any(|word| ["DELETE", "-XDELETE", "--request=DELETE", "--method=DELETE"].contains(word));
            delete.then(|| format!("`{}` with DELETE removes something on another machine", invocation.program))
        }
        program if program.starts_with("mkfs") || program.starts_with("newfs") || program == "mke2fs" => {
            Some(format!("`{program}` formats a disk"))
        }
        program if programs::of(program).is(Fact::TakesSql) => sql(invocation, part),
        _ => None,
    }
}

/// A program that runs what its words say, and was not taken off: what stands where that may begin.
fn wrapped(part: &Part) -> Option<String> {
    let wrapper = base_name(part.program()?);
    let known = programs::of(wrapper);
    // Of one with sub-commands, as git, those that run something are listed; its other words are none.
    let any_word = known.is(Fact::RunsOperands) && matches!(known.class, Class::Never(_));
    if !any_word && !inner_commands::has_place(&part.words) {
        return None;
    }
    inner_commands::of(&part.words).iter().find_map(|found| {
        let any_start = any_word && !found.surely;
        let (starts, tried) = if any_start { (found.starts, TRIED) } else { (usize::from(found.surely), 1) };
        let starts = found.words.iter().take(starts).enumerate().filter(|(_, word)| !word.text.starts_with('-'));
        starts.take(tried).find_map(|(start, _)| {
            let words = found.words.get(start..).unwrap_or_default().to_vec();
            itself(&Part { words, wrappers: vec![wrapper.to_owned()], ..Part::default() })
        })
    })
}

/// Whether `wrapper` hands on operands that do not stand in the line.
fn is_fed(wrapper: &str) -> bool {
    wrapper == "find" || programs::of(wrapper).is(Fact::Fed)
}

/// Disks and memory, not the terminals and the empty device.
fn is_device(path: &str) -> bool {
    const DISKS: [&str; 12] =
        ["sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "loop", "md", "mem", "mapper/"];
    path.strip_prefix("/dev/").is_some_and(|name| DISKS.iter().any(|disk| name.starts_with(disk)))
}

fn empties(words: &[&str]) -> bool {
    let glued = words.iter().any(|word| ["-s0", "--size=0", "-cs0"].contains(word));
    glued || words.iter().zip(words.iter().skip(1)).any(|(option, value)| option.starts_with('-') && *value == "0")
}

fn chmod(invocation: &Invocation<'_>) -> Option<String> {
    invocation.option("R recursive")?;
    let open = |mode: &str| {
        let mode = mode.trim_start_matches('0');
        mode == "777"
            || mode == "666"
            || mode.is_empty()
            || mode.contains("a+w")
            || mode.contains("o+w")
            || mode.contains("a+rw")
    };
    invocation
        .operands()
        .next()
        .is_some_and(open)
        .then(|| "`chmod -R` gives everybody rights to a whole folder".to_owned())
}

fn find(words: &[&str]) -> Option<String> {
    if words.contains(&"-delete") {
        return Some("`find -delete` removes every file that it finds".to_owned());
    }
    let actions = ["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];
    let run = words.iter().position(|word| actions.contains(word))?;
    let inner: Vec<Word> =
        words.iter().skip(run + 1).map(|word| Word { text: (*word).to_owned(), kind: WordKind::Exact }).collect();
    let program = inner.first()?.text.clone();
    let removes = program == "rm" || program == "unlink" || {
        let inner = Part { words: inner, ..Part::default() };
        Invocation::of(&inner).is_some_and(|invocation| tabled(&invocation).is_some())
    };
    removes.then(|| format!("it runs `{program}` on every file that it finds"))
}

fn git(invocation: &Invocation<'_>) -> Option<String> {
    if invocation.calls("push") {
        let refspec = |word: &str| word.starts_with('+') || (word.starts_with(':') && word.len() > 1);
        return invocation.operands().any(refspec).then(|| {
            "`git push` with `+` or `:` in front of a branch overwrites or removes it on the other side".to_owned()
        });
    }
    if invocation.calls("fetch|pull") {
        // git-fetch(1): a tag that the other side lacks may be the only name of a commit. `--prune` is another option.
        let by_name = invocation.words.iter().any(|word| word.starts_with("--prune-t"));
        let prunes = by_name || invocation.option("P").is_some();
        return prunes.then(|| "`git fetch --prune-tags` removes tags that the other side does not have".to_owned());
    }
    if invocation.calls("restore") {
        let index_only = invocation.option("S staged").is_some() && invocation.option("W worktree").is_none();
        return (!index_only).then(|| "`git restore` throws away changes that are not committed".to_owned());
    }
    if invocation.calls("checkout") {
        let files =
            invocation.words.contains(&"--") || invocation.operands().skip(1).any(|word| word == "." || word == "./");
        return files.then(|| "`git checkout` of files throws away changes that are not committed".to_owned());
    }
    None
}

fn sql(invocation: &Invocation<'_>, part: &Part) -> Option<String> {
    let given = invocation.words.iter().flat_map(|word| {
        let glued = word.strip_prefix("-c").or_else(|| word.strip_prefix("-e")).or_else(|| word.strip_prefix("-Q"));
        let long = word.split_once('=').filter(|(name, _)| name.starts_with("--")).map(|(_, value)| value);
        [Some(*word), glued, long].into_iter().flatten()
    });
    let document = part.text.split_once("<<").map(|(_, text)| {
        let body = text.split_once('\n').map_or(text, |(_, body)| body);
        body.trim_start_matches(['<', ' ', '"', '\''])
    });
    given.chain(document).find_map(destructive_sql).map(|because| format!("in `{}`, {because}", invocation.program))
}

/// Why `text` is destructive SQL.
pub(super) fn destructive_sql(text: &str) -> Option<String> {
    classify_sql(text).filter(|found| found.level == RiskLevel::Destructive).map(|found| found.because)
}

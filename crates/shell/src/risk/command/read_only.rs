//! Commands that only look. A command that does is not asked about by default, so that this is an
//! allow-list of programs and of their options: what is not on it is not known only to look.

use super::invocation::{base_name, is_step, names};
use super::{github_api, look_forms};
use crate::command_line::{Part, Word, WordKind};
use crate::interactive::{says_version, tells};
use crate::operand_effects::{only_looks, shape, takes_lists, verifies_signature};
use crate::path::{self, is_broad_folder, may_be_named_in};
use crate::programs::fact::Fact;
use crate::programs::form::{Form, Reaches, Shows, Unknown};
use crate::programs::{self, Program};
use crate::unknown_program::asks_unknown_for_help;

/// Whether `part`, which only looks, shows what files hold; or why it is not known only to look, as a clause.
pub(super) fn check(part: &Part) -> Result<bool, String> {
    if let Some(settled) = part.settled() {
        return check(&settled);
    }
    let Some(program) = part.words.first() else { return Err(no_program(part)) };
    if let Some(printing) = super::printing::prints_credentials(part) {
        return Err(printing.clause());
    }
    if let Some(wrapper) = part.wrappers.iter().find(|wrapper| !programs::of(base_name(wrapper)).is(Fact::Transparent))
    {
        return Err(format!("`{wrapper}` changes how the command runs"));
    }
    if let Some(assignment) = part.assignments.first() {
        let name = assignment.split('=').next().unwrap_or(assignment);
        return Err(format!("it sets `{name}` for the command"));
    }
    if let Some(target) = part.writes.iter().find(|word| !is_nowhere(word)) {
        return Err(format!("it writes the file `{}`", target.text));
    }
    let secret = |word: &&Word| word.kind == WordKind::Varies || may_be_named_in(&word.text);
    if let Some(source) = part.reads.iter().find(secret) {
        return Err(format!("`{}` may be a file that holds secrets", source.text));
    }
    let name = known_program(program).ok_or_else(|| unknown(&program.text))?;
    let mut words: Vec<Word> = part.words.iter().skip(1).flat_map(with_braces_written_out).collect();
    if part.wrappers.iter().any(|wrapper| programs::of(base_name(wrapper)).is(Fact::Fed)) {
        words.push(Word { text: "*".to_owned(), kind: WordKind::Varies });
    }
    if name == "git" {
        words = words.iter().map(Word::at_head).collect();
    }
    let shows_contents = match look_forms::check(name, &words) {
        Some(checked) => checked?,
        None => tabled(name, &words, &part.words)?,
    };
    let told = part.folders.iter().find(|folder| may_be_named_in(folder) || is_broad_folder(folder));
    match told {
        Some(folder) if shows_contents => Err(format!("the folder `{folder}` may hold secrets")),
        _ => Ok(shows_contents),
    }
}

fn no_program(part: &Part) -> String {
    match part.assignments.first() {
        Some(assignment) => {
            let name = assignment.split('=').next().unwrap_or(assignment);
            format!("it sets `{name}`, which may be a setting of a shell or of a program")
        }
        None => "it runs no program".to_owned(),
    }
}

/// `word`, and behind it the words that the shell makes of its braces (`path::braces`): each may be an option, or the name
/// that is looked for. Braces in quotes are taken for some, too.
fn with_braces_written_out(word: &Word) -> Vec<Word> {
    let mut words = vec![word.clone()];
    if word.kind != WordKind::Varies || !path::is_one(&word.text) {
        return words;
    }
    let varies = |text: &str| text.contains(['*', '?', '[', ']', '$', '`', '~', '\\', '{']);
    let kind = |text: &str| if varies(text) { WordKind::Varies } else { WordKind::Exact };
    let written_out = path::expanded(&word.text);
    if written_out.is_empty() {
        words.push(Word { text: "$…".to_owned(), kind: WordKind::Varies });
    }
    words.extend(written_out.into_iter().map(|text| Word { kind: kind(&text), text }));
    words
}

/// The name of a program that is looked for in the usual folders. Any other path may be anything.
fn known_program(word: &Word) -> Option<&str> {
    if word.kind != WordKind::Exact {
        return None;
    }
    let name = word.text.strip_prefix("/usr/bin/").or_else(|| word.text.strip_prefix("/bin/")).unwrap_or(&word.text);
    (!name.contains('/')).then_some(name)
}

fn unknown(program: &str) -> String {
    format!("`{program}` is not a program known only to look")
}

/// Checks `words` against the table, and `all`, with the program, against the entries of programs; answers
/// whether the contents of files are shown.
fn tabled(program: &str, words: &[Word], all: &[Word]) -> Result<bool, String> {
    let known = programs::of(program);
    if let [only] = words
        && only.kind == WordKind::Exact
        && (known.is(Fact::SaysVersion) && ["--version", "-V"].contains(&only.text.as_str())
            || says_version(program, &only.text))
    {
        let says = only.text != "-V" || known.is(Fact::SaysVersionByCapital);
        return if says { Ok(false) } else { Err(unknown(program)) };
    }
    if shows_help(known, words) || asks_unknown_for_help(program, words) {
        return Ok(false);
    }
    let (globals, words) = words.split_at(leading(known, words));
    let Some(form) = form_of(known, words) else {
        if only_looks(all) {
            return match words.iter().find(|word| may_be_named_in(&word.text)) {
                Some(word) => Err(format!("`{program}` may read secrets in `{}`", word.text)),
                None => Ok(true),
            };
        }
        return Err(match words.first() {
            Some(first) if !known.looks.is_empty() => {
                format!("`{program} {}` is not known only to look", first.text)
            }
            _ => unknown(program),
        });
    };
    let words = words.get(form.path.split_ascii_whitespace().count()..).unwrap_or_default();
    accepts(form, words).map_err(|reason| format!("`{program}` {reason}"))?;
    if let Some(word) = globals.iter().chain(words).find(|word| may_reach_another_place(form, &word.text)) {
        return Err(format!("`{program}` connects to what `{}` names", word.text));
    }
    if takes_lists(program)
        && let Some(word) = words.iter().find(|word| word.text.starts_with('@'))
    {
        return Err(format!("`{program}` may read options from `{}`", word.text));
    }
    let verifies = |(front, word): (&Word, &Word)| verifies_signature(&front.text, &word.text);
    if program == "git" && all.iter().zip(all.iter().skip(1)).any(verifies) {
        return Err("`git` verifies a signature with the program that the repository's settings name".to_owned());
    }
    if program == "gh" && form.path == "api" {
        github_api::only_looks(words).map_err(|reason| format!("`gh api` {reason}"))?;
    }
    // A file may be called like a filter, and be found by a pattern.
    let is_found = |word: &&Word| word.kind == WordKind::Varies && !word.text.starts_with(['/', '.', '$']);
    let takes_filter = known.is(Fact::TakesJq) && form.path.is_empty();
    if takes_filter && words.iter().find(|word| !word.text.starts_with('-')).filter(is_found).is_some() {
        return Err(format!("`{program}` gets a filter that may be anything"));
    }
    if known.is(Fact::TakesJq) && words.iter().any(|word| word.text.to_lowercase().contains("env")) {
        return Err(format!("`{program}` may show the environment, which may hold secrets"));
    }
    if program == "tmux" && !tells(&all.iter().skip(1).map(|word| word.text.as_str()).collect::<Vec<_>>()) {
        return Err("`tmux` gets a second command, or a format that may run one".to_owned());
    }
    let is_kubectl = programs::called_like(program) == "kubectl";
    if is_kubectl && words.iter().any(|word| ["-file", "templatefile"].iter().any(|name| word.text.contains(name))) {
        return Err(format!("`{program}` takes its format from a file"));
    }
    let may_be_secret = |word: &Word| word.kind == WordKind::Varies || word.text.to_lowercase().contains("secret");
    if is_kubectl && words.iter().any(may_be_secret) {
        return Err(format!("`{program}` may show secrets of the cluster"));
    }
    Ok(form.shows != Shows::Facts)
}

/// Where the operands of `part` can make its program connect to, when it is called in a way that only looks.
pub(super) fn reaches(part: &Part) -> Option<Reaches> {
    let settled = part.settled();
    let part = settled.as_ref().unwrap_or(part);
    check(part).ok()?;
    form_in(part).map(|(_, form)| form.reaches)
}

/// Whether `part` begins with a sub-command that only looks on this machine, and that no word behind it turns to anything
/// else: `git show`, and not `git branch`, which lists or removes by what it gets. An option may still write a file or run
/// a program.
pub(crate) fn begins_to_look(part: &Part) -> bool {
    let Some((known, form)) = form_in(part) else { return false };
    let Some(first) = form.path.split_ascii_whitespace().next() else { return false };
    let names_first = |path: &str| {
        path.split_ascii_whitespace().next().is_some_and(|step| first.split('|').any(|name| is_step(step, name)))
    };
    let does_more = known.destroys.iter().any(|danger| names_first(danger.path))
        || known.changes.iter().any(|(path, _)| names_first(path));
    form.reaches == Reaches::Nothing && form.most_operands == usize::MAX && form.only_with.is_empty() && !does_more
}

/// What is known of the program of `part`, and its form that says most of how its words begin.
fn form_in(part: &Part) -> Option<(&'static Program, &'static Form)> {
    let (program, words) = part.words.split_first()?;
    let known = programs::of(known_program(program)?);
    let words = words.get(leading(known, words)..).unwrap_or_default();
    form_of(known, words).map(|form| (known, form))
}

/// The form of the program that says most of how `words` begin.
fn form_of(known: &'static Program, words: &[Word]) -> Option<&'static Form> {
    let forms = known.looks.iter().filter(|form| starts_with(words, form.path));
    forms.max_by_key(|form| (form.path.split_ascii_whitespace().count(), !form.path.ends_with('*')))
}

/// How many of `words` are options in front of a sub-command with which the program does no more than without them.
fn leading(known: &Program, words: &[Word]) -> usize {
    let mut rest = words.iter();
    let mut taken = 0;
    while let Some(word) = rest.next() {
        let is_value = |value: &&Word| value.kind == WordKind::Exact && !value.text.starts_with('-');
        taken += match known_leading(known.leading, word) {
            Some(Follows::Nothing) => 1,
            Some(_) if rest.next().filter(is_value).is_some() => 2,
            _ => return taken,
        };
    }
    taken
}

/// What follows the global option `word`: `--quiet`, and of `--region=` `--region=x` as well as `--region x`.
fn known_leading(list: &str, word: &Word) -> Option<Follows> {
    let text = word.text.as_str();
    let is_valued = |name: &str| list.split_ascii_whitespace().any(|entry| entry.strip_suffix('=') == Some(name));
    if word.kind != WordKind::Exact {
        return None;
    }
    match text.split_once('=') {
        _ if names(list, text) && !text.ends_with('=') => Some(Follows::Nothing),
        Some((name, _)) if name.starts_with("--") && is_valued(name) => Some(Follows::Nothing),
        None if is_valued(text) => Some(Follows::Value),
        _ => None,
    }
}

/// Whether a part that only looks is a program that is asked for help and does nothing else.
pub(super) fn asks_for_help(part: &Part) -> bool {
    let known = part.words.split_first().and_then(|(program, words)| Some((known_program(program)?, words)));
    known.is_some_and(|(program, words)| shows_help(programs::of(program), words))
}

/// Whether the program is asked for help and nothing else: `--help` behind it, a sub-command of it, or one of a group.
fn shows_help(known: &Program, words: &[Word]) -> bool {
    let Some((last, front)) = words.split_last() else { return false };
    let is_own = |word: &Word| known.sub_commands.is_empty() || names(known.sub_commands, &word.text);
    known.is(Fact::SaysHelp)
        && last.kind == WordKind::Exact
        && last.text == "--help"
        && front.iter().all(shape::is_sub_command)
        && match front {
            [] => true,
            [sub] => is_own(sub),
            [group, _] => names(known.groups, &group.text),
            _ => false,
        }
}

/// Whether an operand, an option or its value makes the program connect to a place that nobody has set up.
fn may_reach_another_place(form: &Form, text: &str) -> bool {
    let value = shape::value_of(text);
    match form.reaches {
        Reaches::Nothing | Reaches::Service => false,
        Reaches::Registry => !value.is_empty() && !shape::is_registry_name(value),
        Reaches::Server => shape::is_address(value),
        Reaches::GitHub => shape::is_on_another_forge(text),
        Reaches::Sockets => !text.starts_with('-') && shape::may_name_host(text),
        // lsof(8) `-i@host`.
        Reaches::Names => value.contains('@'),
    }
}

fn starts_with(words: &[Word], path: &str) -> bool {
    let mut words = words.iter();
    path.split_ascii_whitespace()
        .all(|step| words.next().is_some_and(|word| word.kind == WordKind::Exact && is_step(step, &word.text)))
}

/// Whether every word is a known option or an operand that cannot be an option.
fn accepts(form: &Form, words: &[Word]) -> Result<(), String> {
    let mut operands = 0_usize;
    // One that varies may be several.
    let mut may_be_many = false;
    let mut pattern_given = form.shows != Shows::Matches;
    let mut ended = false;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if word.kind == WordKind::Varies {
            varying(form, word, ended)?;
            operands += 1;
            // `gh api repos/o/r/contents/a?ref=b` takes no second one.
            may_be_many |= form.reaches != Reaches::GitHub;
        } else if text.len() > 1 && text.starts_with('-') && text != "--" {
            // Behind `--`, every program that looks for something takes its first operand for the pattern.
            if ended && !pattern_given && operands == 0 {
                operands += 1;
                pattern_given = true;
                continue;
            }
            if ended {
                return Err(format!("gets `{text}`, which looks like an option"));
            }
            let value_follows = known_option(form, text)
                .ok_or_else(|| format!("has the option `{text}`, which is not known only to look"))?;
            pattern_given |=
                ["-e", "-f", "--regexp", "--file", "--files"].iter().any(|option| text.starts_with(option));
            pattern_given |= !text.starts_with("--") && text.contains(['e', 'f']) && form.shows == Shows::Matches;
            let next = if value_follows == Follows::Nothing { None } else { rest.next() };
            if let Some(value) = next {
                // Were the option without a value after all, this would be the next option.
                let is_option = || value.text.len() > 1 && value.text.starts_with('-');
                if value.kind == WordKind::Varies || is_option() && !is_known_number(form, &value.text) {
                    return Err(format!("gets `{}` for `{text}`, which may be an option", value.text));
                }
                secrets(form, &value.text)?;
            } else if value_follows == Follows::Value {
                return Err(format!("needs a value for `{text}`"));
            }
            secrets(form, text)?;
        } else if text == "--" && !ended {
            ended = true;
        } else {
            operands += 1;
            if pattern_given {
                secrets(form, text)?;
            }
            pattern_given = true;
        }
    }
    if !form.only_with.is_empty() && !words.iter().any(|word| gives_one(form, word)) {
        return Err(format!("only looks with one of these options: {}", form.only_with));
    }
    if operands < form.least_operands {
        return Err("looks up what a file of the project names".to_owned());
    }
    let are_too_many = operands > form.most_operands || may_be_many && form.most_operands != usize::MAX;
    if are_too_many { Err("gets more words than it needs only to look".to_owned()) } else { Ok(()) }
}

/// Whether `word` is one of `options`, which stand in it alone and have no value: a cluster is none.
fn gives_one(form: &Form, word: &Word) -> bool {
    let is_asked = |name: &str| form.only_with.split_ascii_whitespace().any(|asked| asked == name);
    let Some(option) = word.text.strip_prefix('-').filter(|_| word.kind == WordKind::Exact) else { return false };
    if is_asked(option.trim_start_matches('-')) {
        return true;
    }
    // Letters together, up to one whose value follows: `-pt pane`.
    let takes_value = |letter: char| {
        matches!(known_option(form, &format!("-{letter}")), None | Some(Follows::Value | Follows::MaybeValue))
    };
    let letters = option.find(takes_value).map_or(option, |end| option.get(..end).unwrap_or_default());
    !option.starts_with('-') && letters.chars().any(|letter| is_asked(letter.encode_utf8(&mut [0; 4])))
}

/// `-5` where that is an option, or a value, that is known only to look.
fn is_known_number(form: &Form, text: &str) -> bool {
    let is_number = text.strip_prefix('-').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    is_number && known_option(form, text).is_some()
}

fn secrets(form: &Form, text: &str) -> Result<(), String> {
    let holds = may_be_named_in(text) || is_broad_folder(text);
    if form.shows != Shows::Facts && holds { Err(format!("may read secrets in `{text}`")) } else { Ok(()) }
}

/// `ended`: behind `--`, where no word is an option.
fn varying(form: &Form, word: &Word, ended: bool) -> Result<(), String> {
    let text = word.text.as_str();
    let refuse = || Err(format!("gets `{text}`, which may be anything"));
    let is_harmless = match form.unknown {
        Unknown::Refused => false,
        Unknown::Operand => ended || !word.may_be_option(),
        Unknown::Any => true,
    };
    if form.shows == Shows::Facts && is_harmless {
        return if look_forms::only_known_variables(text) { Ok(()) } else { refuse() };
    }
    if form.shows != Shows::Facts && may_be_named_in(text) {
        return Err(format!("may read secrets in `{text}`"));
    }
    if form.shows == Shows::Facts && look_forms::is_below_known(word) {
        return Ok(());
    }
    // `sort -t$'\t'`: one character or a few, glued to the letter of an option.
    let option = text.strip_suffix("$'…'").filter(|option| option.len() == 2 && option.starts_with('-'));
    if option.is_some_and(|option| known_option(form, option) == Some(Follows::Value)) {
        return Ok(());
    }
    let start = text.starts_with(|c: char| c.is_alphanumeric() || c == '/' || c == '.');
    let known_end = form.shows == Shows::Facts || look_forms::ends_harmlessly(text);
    let fixed = !text.contains(['$', '`', '\\', '~']) && text.contains(['*', '?', '[', '{']);
    if fixed && known_end && (start || form.unknown != Unknown::Refused) { Ok(()) } else { refuse() }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Nothing,
    Value,
    MaybeValue,
}

/// What follows the option or cluster of options `text`; `None` when one of them is not known.
fn known_option(form: &Form, text: &str) -> Option<Follows> {
    let kind = |name: &str| {
        let options = form.options.split_ascii_whitespace().chain(form.shared.split_ascii_whitespace());
        options.filter_map(|option| option.strip_prefix(name)).find(|kind| ["", "=", "?", "~", ":"].contains(kind))
    };
    if let Some(long) = text.strip_prefix("--") {
        let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        let glued = value.is_some();
        // Go's `flag` and pflag: an option without a value may be switched on or off.
        let is_switched = value.is_some_and(|value| value.parse::<bool>().is_ok())
            && !form.only_with.split_ascii_whitespace().any(|asked| asked == name);
        // One letter is never a long option.
        let kind = kind(name).filter(|_| name.len() > 1)?;
        return match (kind, glued) {
            ("", true) => is_switched.then_some(Follows::Nothing),
            ("=" | ":", false) => Some(Follows::Value),
            ("~", false) => Some(Follows::MaybeValue),
            _ => Some(Follows::Nothing),
        };
    }
    let cluster = text.strip_prefix('-')?;
    if cluster.chars().all(|c| c.is_ascii_digit()) && kind("#").is_some() {
        return Some(Follows::Nothing);
    }
    let mut chars = cluster.chars();
    while let Some(c) = chars.next() {
        let glued = !chars.as_str().is_empty();
        match (kind(c.encode_utf8(&mut [0; 4]))?, glued) {
            ("", _) => {}
            // tree(1): only a number can be glued to it.
            (":", true) => {
                let number = chars.as_str().bytes().all(|byte| byte.is_ascii_digit());
                return number.then_some(Follows::Nothing);
            }
            ("=" | ":", false) => return Some(Follows::Value),
            ("~", false) => return Some(Follows::MaybeValue),
            _ => return Some(Follows::Nothing),
        }
    }
    Some(Follows::Nothing)
}

/// `/dev/null` and the streams that the command has already.
fn is_nowhere(word: &Word) -> bool {
    word.kind == WordKind::Exact && ["/dev/null", "/dev/stdout", "/dev/stderr"].contains(&word.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::command_line::{CommandLine, Shell};

    #[test]
    fn a_line_that_only_sets_something_says_what() {
        let why = |line: &str| check(&CommandLine::analyse(line, Shell::Bash).parts[0]).unwrap_err();
        assert_eq!(why("PATH=/x"), "it sets `PATH`, which may be a setting of a shell or of a program");
        assert_eq!(why("PATH=/x ls"), "it sets `PATH` for the command");
    }

    #[test]
    fn an_option_may_be_switched_off_unless_only_it_makes_the_call_a_look() {
        let looks = |line: &str| check(&CommandLine::analyse(line, Shell::Bash).parts[0]).is_ok();
        assert!(looks("gh pr checks 5 --watch=false"));
        assert!(looks("gh pr list --draft=true"));
        assert!(looks("gh browse --no-browser"));
        assert!(!looks("gh browse --no-browser --no-browser=false"));
        assert!(!looks("gh pr checks 5 --watch=sometimes"));
    }

    #[test]
    fn what_braces_and_patterns_make_of_a_word_counts() {
        let looks = |line: &str| check(&CommandLine::analyse(line, Shell::Bash).parts[0]).is_ok();
        for line in [
            "uniq src/*.py",
            "uniq src/{a,b}.py",
            "uniq a{.txt,2.txt}",
            "uniq .git/{description,hooks/pre-commit}",
            "xxd a*.txt",
            "xxd -p a{.txt,.out}",
            "wc {-l,--files0-from=x}",
            "wc -{l,-files0-from=x}",
            "du {-s,--files0-from=x}",
            "jq -n e{nv,nv}",
            "jq -n e{n..n}v",
            "jq -n e*",
            "kubectl get secr{et,ets} -o yaml",
            "kubectl get s{e..e}crets",
            "kubectl get secr*",
            "kubectl config view -o templatefile=x",
            "kubectl get pods -o go-template-file=x",
        ] {
            assert!(!looks(line), "{line}");
        }
        for line in [
            "cat src/{a,b}.py",
            "ls {src,docs}",
            "head -5 {a,b}.txt",
            "wc -l src/*.rs",
            "uniq a.txt",
            "xxd a.bin",
            "jq -r '.a' a.json",
            "kubectl get pods -n web",
            "du -sh src/{a,b}",
        ] {
            assert!(looks(line), "{line}");
        }
    }
}

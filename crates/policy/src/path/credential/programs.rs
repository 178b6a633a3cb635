//! What each program reads of the files that its words name, as its entry says. Whatever is not known reads all of them.

use super::is_cluster_with;
use super::operands::{is_exclusion, surely_values, values_of};
use handraise_shell::{Part, Word, WordKind, file_use, names_target_folder};

/// The paths that `part` hands to a container or takes in as values of options.
pub(super) fn folder_values(part: &Part, program: &str) -> Vec<Word> {
    let words: Vec<&Word> = part.naming_words().collect();
    let mut found = Vec::new();
    for word in values_of(&words, file_use(program).handed) {
        let fields = word.text.split(',').filter_map(|field| field.split_once('='));
        let source = fields.filter(|(key, _)| ["source", "src"].contains(key)).map(|(_, path)| path).next();
        // `key=path` of kubectl, `path:place` of docker.
        let plain = word.text.rsplit('=').next().and_then(|text| text.split(':').next()).unwrap_or_default();
        let path = source.unwrap_or(plain);
        if !path.is_empty() {
            let kind = if path.contains(['$', '*', '?', '`']) { WordKind::Varies } else { word.kind };
            found.push(Word { text: path.to_owned(), kind });
        }
    }
    found
}

/// Options of programs that take a pattern or a script whose value is one.
const PATTERN_OPTIONS: &str = "-e --regexp --expression";
/// Options of such programs whose value is a file that is read: rg(1), grep(1), ugrep(1).
const LISTS: &str = "--ignore-file --exclude-from --include-from --files-from";
/// Options whose value, in their own word or the next, leaves files out.
const LEAVE_OUT: &[&str] =
    &["--exclude", "--exclude-dir", "--ignore", "--ignore-dir", "--exclude-path", "--ignore-path", "--ignore-pattern"];

/// Whether `program` neither shows nor copies what is in the files that it gets as operands.
pub(super) fn takes_names(program: &str) -> bool {
    file_use(program).names_only.is_some()
}

/// The words of `part`, without its program, that may name what it reads.
pub(super) fn read_words(part: &Part, program: &str) -> Vec<Word> {
    let words: Vec<&Word> = part.naming_words().collect();
    if program == "git" {
        return super::git::read_words(&words);
    }
    if let Some(options) = file_use(program).names_only {
        let lists = program == "tree" && words.iter().any(|word| word.text.starts_with("--from"));
        return if lists { words.into_iter().cloned().collect() } else { values_of(&words, options) };
    }
    without(&words, part, program)
}

/// `words` without patterns, without what is left out, and without where something goes.
fn without(words: &[&Word], part: &Part, program: &str) -> Vec<Word> {
    let pattern = pattern(part, program).map(std::ptr::from_ref);
    let files = file_use(program);
    let patterns = files.first_is_pattern.then_some(PATTERN_OPTIONS);
    let skipped: Vec<usize> =
        std::iter::once(files.written).chain(patterns).flat_map(|options| surely_values(words, options)).collect();
    let logs_in = logs_in_with(words, program);
    let operand = |word: &&&Word| !word.text.starts_with('-');
    let has_target = words.iter().any(|word| names_target_folder(&word.text));
    let goes = files.last_is_destination
        && (program == "rsync" || program == "scp" || !has_target)
        && words.iter().filter(operand).count() > 1;
    let last = words.iter().rev().find(operand).filter(|_| goes).map(|word| std::ptr::from_ref(*word));
    let mut left_out = false;
    let mut kept = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        let glued_to = |option: &&str| text.strip_prefix(option).is_some_and(|rest| rest.starts_with('='));
        let takes_next = LEAVE_OUT.contains(&text);
        let leaves_out = takes_next || LEAVE_OUT.iter().any(glued_to) || is_exclusion(text);
        let is_skipped = left_out || leaves_out || skipped.contains(&index) || logs_in.contains(&index);
        left_out = takes_next && !left_out;
        let is = |other: Option<*const Word>| other.is_some_and(|other| std::ptr::eq(other, *word));
        if !is_skipped && !is(pattern) && !is(last) {
            kept.push((*word).clone());
        }
    }
    kept.extend(folder_values(part, program));
    kept
}

/// Positions of the words that name what the program logs in with, and no more.
fn logs_in_with(words: &[&Word], program: &str) -> Vec<usize> {
    let mut positions = Vec::new();
    if let Some((option, end)) = file_use(program).logs_in_with {
        for (index, word) in words.iter().enumerate() {
            let glued = word.text.strip_prefix(option).and_then(|rest| rest.strip_prefix('='));
            let next = words.get(index + 1).filter(|_| word.text == option);
            if glued.is_some_and(|value| value.ends_with(end)) {
                positions.push(index);
            } else if next.is_some_and(|value| value.text.ends_with(end)) {
                positions.push(index + 1);
            }
        }
    }
    positions
}

/// Options of programs that search whose value is no pattern.
const SEARCH_VALUES: &str =
    "-g --glob --iglob -t --type -T --type-not --include --exclude --exclude-dir -A -B -C -m --max-count --max-depth";

/// The operand that is a pattern or a script, and no file.
fn pattern<'a>(part: &'a Part, program: &str) -> Option<&'a Word> {
    let words = &part.words;
    let given = |word: &&Word| {
        ["--regexp", "--file", "--expression"].iter().any(|option| word.text.starts_with(option))
            || is_cluster_with(&word.text, 'e')
            || is_cluster_with(&word.text, 'f')
    };
    if !file_use(program).first_is_pattern || words.iter().any(|word| given(&word)) {
        return None;
    }
    // `rg --ignore-file LIST PATTERN`: a list is read, and the pattern comes behind it.
    let all: Vec<&Word> = words.iter().collect();
    let lists = values_of(&all, LISTS);
    let is_list = |word: &Word| lists.iter().any(|list| list.text == word.text);
    // Neither is what an option takes: `rg -g '!*' -g '*' PATTERN`.
    let values = surely_values(&all, SEARCH_VALUES);
    let may_be_it = |(at, word): &(usize, &Word)| !values.contains(at) && !is_list(word) && !word.text.starts_with('-');
    words.iter().enumerate().skip(1).find(may_be_it).map(|(_, word)| word)
}

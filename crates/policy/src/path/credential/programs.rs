//! What each program reads of the files that its words name. Whatever is not listed reads all of them.

use super::is_cluster_with;
use super::operands::{is_exclusion, surely_values, values_of};
use handraise_shell::risk::names_listed;
use handraise_shell::{Part, Word, WordKind};

/// Programs that neither show nor copy what is in the files that they name, with the options of each whose value
/// is a file that it reads and repeats, in errors at least. Sources: the manual of each.
const NAMES_ONLY: &[(&str, &str)] = &[
    (
        "ls dir vdir stat test [ [[ df realpath readlink cd pushd popd mkdir rmdir touch rm unlink shred truncate chmod chown chgrp \
        chattr lsattr setfacl getfacl basename dirname echo printf which type true false : trash tee pwd wait sleep exit return",
        "",
    ),
    // find(1) of findutils 4.9, du(1), wc(1): names of files, one of which is repeated where there is none.
    ("find", "-files0-from"),
    ("du", "--files0-from --exclude-from -X"),
    ("wc", "--files0-from"),
    // file(1): names of files, and patterns.
    ("file", "--files-from --magic-file -f -m"),
    ("fd fdfind", "--ignore-file"),
    // tree(1): `--fromfile` takes its operands for listings; see `lists_from_files`.
    ("tree", "--infofile --gitfile"),
];

/// Options of programs that say where something goes.
const WRITES: &[(&str, &str)] = &[
    ("curl", "-o --output -D --dump-header -c --cookie-jar"),
    ("wget", "-O --output-document -o --output-file -a"),
    ("openssl", "-out -keyout"),
    ("sort gpg gpg2 age rage jc pandoc", "-o --output"),
    ("gcc cc g++ clang clang++ ld rustc go tsc esbuild", "-o --outfile"),
    ("sops", "--output"),
    ("op", "-o --out-file --output"),
    ("git", "--output -o --output-directory"),
    ("dd", "of="),
];

/// Options whose value is a file that the program logs in with and does not show: the program, the option, and how
/// the path ends. A file of another form would be shown, in part, in an error. Sources: ssh(1), "-i"; `kubectl options`.
const LOGS_IN_WITH: &[(&str, &str, &str)] =
    &[("ssh scp sftp", "-i", ""), ("kubectl oc helm k9s", "--kubeconfig", "/.kube/config")];

/// Options whose value names a folder or file that a program, or a container, gets to see. Sources: docker-run(1), "-v"
/// and "--mount"; `kubectl create configmap --help`.
const FOLDER_OPTIONS: &[(&str, &str)] = &[
    ("docker podman nerdctl", "-v --volume --mount --build-context"),
    ("docker-compose podman-compose", "-v --volume"),
    ("kubectl oc", "--from-file --from-env-file"),
    ("bwrap", "--bind --ro-bind --dev-bind"),
    ("systemd-nspawn", "--bind --bind-ro"),
    ("singularity apptainer", "-B --bind"),
];

/// The paths that `part` hands to a container or takes in as values of options.
pub(super) fn folder_values(part: &Part, program: &str) -> Vec<Word> {
    let words: Vec<&Word> = part.words.iter().skip(1).collect();
    let options = FOLDER_OPTIONS.iter().filter(|(programs, _)| names_listed(programs, program));
    let mut found = Vec::new();
    for word in options.flat_map(|(_, options)| values_of(&words, options)) {
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

/// Programs whose last operand is where something goes, unless `-t` names that.
const LAST_IS_DESTINATION: &str = "cp rsync scp mv install ln";
/// Programs whose first operand is a pattern or a script, unless an option gives it.
pub(super) const MATCHERS: &str = "grep egrep fgrep rgrep zgrep rg ag ack ugrep jq sed awk gawk mawk";
/// Options of those whose value is a pattern or a script.
const PATTERN_OPTIONS: &str = "-e --regexp --expression";
/// Options whose value, in their own word or the next, leaves files out.
const LEAVE_OUT: &[&str] =
    &["--exclude", "--exclude-dir", "--ignore", "--ignore-dir", "--exclude-path", "--ignore-path", "--ignore-pattern"];

/// Whether `program` neither shows nor copies what is in the files that it gets as operands.
pub(super) fn takes_names(program: &str) -> bool {
    NAMES_ONLY.iter().any(|(programs, _)| names_listed(programs, program))
}

/// The words of `part`, without its program, that may name what it reads.
pub(super) fn read_words(part: &Part, program: &str) -> Vec<Word> {
    let words: Vec<&Word> = part.words.iter().skip(1).collect();
    if program == "git" {
        return super::git::read_words(&words);
    }
    if let Some((_, options)) = NAMES_ONLY.iter().find(|(programs, _)| names_listed(programs, program)) {
        let lists = program == "tree" && words.iter().any(|word| word.text.starts_with("--from"));
        return if lists { words.into_iter().cloned().collect() } else { values_of(&words, options) };
    }
    without(&words, part, program)
}

/// `words` without patterns, without what is left out, and without where something goes.
fn without(words: &[&Word], part: &Part, program: &str) -> Vec<Word> {
    let pattern = pattern(part, program).map(std::ptr::from_ref);
    let given = WRITES.iter().filter(|(programs, _)| names_listed(programs, program)).map(|(_, options)| *options);
    let patterns = names_listed(MATCHERS, program).then_some(PATTERN_OPTIONS);
    let skipped: Vec<usize> = given.chain(patterns).flat_map(|options| surely_values(words, options)).collect();
    let logs_in = logs_in_with(words, program);
    let operand = |word: &&&Word| !word.text.starts_with('-');
    let has_target = words.iter().any(|word| word.text.starts_with("--target") || is_cluster_with(&word.text, 't'));
    let goes = names_listed(LAST_IS_DESTINATION, program)
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
    for (_, option, end) in LOGS_IN_WITH.iter().filter(|(programs, ..)| names_listed(programs, program)) {
        for (index, word) in words.iter().enumerate() {
            let glued = word.text.strip_prefix(option).and_then(|rest| rest.strip_prefix('='));
            let next = words.get(index + 1).filter(|_| word.text == *option);
            if glued.is_some_and(|value| value.ends_with(end)) {
                positions.push(index);
            } else if next.is_some_and(|value| value.text.ends_with(end)) {
                positions.push(index + 1);
            }
        }
    }
    positions
}

/// The operand that is a pattern or a script, and no file.
fn pattern<'a>(part: &'a Part, program: &str) -> Option<&'a Word> {
    let words = &part.words;
    let given = |word: &&Word| {
        ["--regexp", "--file", "--expression"].iter().any(|option| word.text.starts_with(option))
            || is_cluster_with(&word.text, 'e')
            || is_cluster_with(&word.text, 'f')
    };
    if !names_listed(MATCHERS, program) || words.iter().any(|word| given(&word)) {
        return None;
    }
    words.iter().skip(1).find(|word| !word.text.starts_with('-'))
}

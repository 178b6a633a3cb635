//! Words that are texts for people to read, as the message of a commit is: they name no file.

use super::command_line::{Part, Word, WordKind};
use super::programs::name::base_name;
use super::programs::{TextValues, file_use, takes_next};

impl Part {
    /// Its words but the program, without those that are surely texts for people: `git commit -m "renames .claude/hooks"`
    /// names no file.
    pub fn naming_words(&self) -> impl Iterator<Item = &Word> {
        let texts = self.text_positions();
        let words = self.words.iter().enumerate().skip(1);
        words.filter(move |(position, _)| !texts.contains(position)).map(|(_, word)| word)
    }

    /// Positions of the words that are surely texts, or hold one.
    pub(crate) fn text_positions(&self) -> Vec<usize> {
        let Some(program) = self.program().map(base_name) else { return Vec::new() };
        let start = self.sub_command_position(program);
        let rest = self.words.get(start..).unwrap_or_default();
        let called = file_use(program).texts.iter().find_map(|texts| Some((texts, steps(texts.of, rest)?)));
        called.map_or_else(Vec::new, |(texts, steps)| positions(texts, &self.words, start + steps))
    }

    /// Where the first word stands that is no option in front of a sub-command.
    fn sub_command_position(&self, program: &str) -> usize {
        let mut position = 1;
        while let Some(word) = self.words.get(position).filter(|word| word.text.starts_with('-')) {
            position += if takes_next(program, &word.text) { 2 } else { 1 };
        }
        position
    }
}

/// How many of `words` call the sub-command `path`.
fn steps(path: &str, words: &[Word]) -> Option<usize> {
    let mut words = words.iter();
    let mut taken = 0;
    for step in path.split_ascii_whitespace() {
        words.next().filter(|word| word.kind == WordKind::Exact && step.split('|').any(|name| name == word.text))?;
        taken += 1;
    }
    Some(taken)
}

/// Positions of texts among `words`, of which those from `start` on stand behind the sub-command. Behind an option that may
/// have a value, nothing is sure: it may be that option's.
fn positions(texts: &TextValues, words: &[Word], start: usize) -> Vec<usize> {
    let listed = |list: &str, text: &str| list.split_ascii_whitespace().any(|option| option == text);
    // Of what varies, the shell may make several words.
    let is_one = |word: &&Word| word.kind == WordKind::Exact;
    let mut found = Vec::new();
    let mut may_be_value = false;
    let mut position = start;
    while let Some(word) = words.get(position) {
        let text = word.text.as_str();
        let long = text.split_once('=').map(|(name, _)| name).filter(|name| name.starts_with("--"));
        if may_be_value || !text.starts_with('-') {
            may_be_value = false;
        } else if text == "--" {
            break;
        } else if listed(texts.options, text) {
            position += 1;
            found.extend(words.get(position).filter(is_one).map(|_| position));
        } else if long.is_some_and(|name| listed(texts.options, name)) {
            found.extend(is_one(&word).then_some(position));
        } else {
            may_be_value = !text.contains('=') && !listed(texts.flags, text);
        }
        position += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::{CommandLine, Shell};

    /// The words of the last command that may name something.
    fn naming(line: &str) -> Vec<String> {
        let line = CommandLine::analyse(line, Shell::Bash);
        let part = line.parts.last().cloned().unwrap_or_default();
        part.naming_words().map(|word| word.text.clone()).collect()
    }

    #[test]
    fn a_message_names_nothing() {
        for line in [
            "git commit -m '.claude/hooks' src",
            "git commit -q -am .claude/hooks src",
            "git -C sub commit --message='.claude/hooks' src",
            "git --no-pager -c user.name=a commit -m .claude/hooks -m '- ~/.ssh/id' src",
            "git commit -m \"$(cat <<'EOF'\n.claude/hooks\nEOF\n)\" src",
            "git stash push -u -m .claude/hooks src",
            "gh -R a/b pr create --draft --title .claude/hooks --body='~/.ssh/id' src",
            "gh pr comment 5 -b '~/.ssh/id' src",
        ] {
            let named = naming(line);
            assert!(named.iter().any(|word| word == "src"), "{line}: {named:?}");
            assert!(!named.iter().any(|word| word.contains("hooks") || word.contains(".ssh")), "{line}: {named:?}");
        }
    }

    #[test]
    fn what_may_be_something_else_than_a_message_may_name_a_file() {
        for line in [
            // The option in front may take `-m` or `--body` for its value.
            "git commit -F -m .claude/hooks",
            "gh pr comment 5 --body-file --body .claude/hooks",
            "gh pr create -unknown --body .claude/hooks",
            // The end of the options, and what follows a message.
            "git commit -- -m .claude/hooks",
            "git stash push -m x .claude/hooks",
            "git commit -m -m .claude/hooks",
            // Of these the shell may make more than one word.
            "git commit -m .claude/hook*",
            "git commit -m $X.claude/hooks",
            "git commit -m {.claude/hooks,$x}",
            // Another sub-command, another program, and a sub-command that is not told.
            "git add -m .claude/hooks",
            "git $x -m .claude/hooks",
            "tool commit -m .claude/hooks",
            "gh gist create -d x .claude/hooks",
            "git commit -m x -F.claude/hooks",
            "git commit --file=.claude/hooks -m x",
        ] {
            let named = naming(line);
            assert!(named.iter().any(|word| word.contains(".claude/hook")), "{line}: {named:?}");
        }
    }
}

//! Options under all of their names, for rules that deny or ask.

use super::super::command_line::{Word, WordKind};
use super::token::Token;
use super::touch::Touch;
use crate::programs;

/// Letters of the longest word that is surely a cluster of options; a longer one may be a letter with
/// its value, or one long name behind one dash.
const MAX_CLUSTER: usize = 6;

/// Options of a program, or of one sub-command of it, that are the same: a letter and a name.
///
/// Sources: rm(1), cp(1), mv(1), ln(1), chmod(1), chown(1), mkdir(1) of GNU coreutils; git-push(1),
/// git-commit(1), git-branch(1), git-clean(1), git-checkout(1), git-switch(1), git-tag(1), git-add(1),
/// git-rm(1), git-stash(1), git-rebase(1), git-fetch(1), git-merge(1), git-worktree(1); the reference
/// pages of Docker, kubectl, npm, helm, gh; apt-get(8); pip(1); curl(1); wget(1); tar(1); rsync(1); sed(1).
const SAME: &[(&str, &str, &str)] = &[
    ("rm", "", "r=recursive R=recursive f=force d=dir v=verbose i=interactive I=interactive"),
    (
        "cp mv ln install",
        "",
        "r=recursive R=recursive f=force a=archive s=symbolic t=target-directory T=no-target-directory v=verbose",
    ),
    ("chmod chown chgrp", "", "R=recursive f=silent c=changes v=verbose"),
    ("mkdir rmdir", "", "p=parents m=mode v=verbose"),
    ("git", "push", "f=force d=delete u=set-upstream n=dry-run q=quiet v=verbose o=push-option 4=ipv4 6=ipv6"),
    (
        "git",
        "commit",
        "n=no-verify a=all m=message F=file C=reuse-message s=signoff S=gpg-sign p=patch q=quiet v=verbose o=only i=include e=edit",
    ),
    (
        "git",
        "branch",
        "d=delete D=delete D=force f=force m=move M=move M=force c=copy C=copy C=force a=all r=remotes v=verbose u=set-upstream-to l=list",
    ),
    ("git", "clean", "f=force n=dry-run q=quiet i=interactive e=exclude"),
    ("git", "checkout switch", "f=force q=quiet t=track c=create C=force-create d=detach m=merge p=patch"),
    ("git", "tag", "d=delete f=force a=annotate s=sign m=message l=list v=verify"),
    ("git", "add rm", "f=force A=all u=update n=dry-run p=patch e=edit i=interactive q=quiet"),
    ("git", "rebase merge pull", "i=interactive x=exec f=force-rebase q=quiet v=verbose r=rebase m=merge s=strategy"),
    ("git", "fetch", "f=force p=prune t=tags a=append q=quiet v=verbose"),
    (
        "git",
        "reset stash restore worktree",
        "q=quiet f=force u=include-untracked a=all p=patch k=keep-index s=source S=staged W=worktree",
    ),
    ("docker podman", "", "f=force v=volumes a=all d=detach e=env p=publish i=interactive t=tty q=quiet"),
    ("kubectl oc", "", "f=filename n=namespace A=all-namespaces l=selector o=output R=recursive"),
    ("npm pnpm yarn", "", "f=force g=global w=workspace D=save-dev y=yes r=recursive"),
    ("helm", "", "n=namespace f=values i=install o=output"),
    ("gh", "", "R=repo f=force y=yes b=body t=title"),
    ("apt apt-get aptitude", "", "y=yes y=assume-yes q=quiet s=simulate d=download-only"),
    ("pip pip3", "", "U=upgrade e=editable r=requirement y=yes t=target"),
    (
        "curl",
        "",
        "d=data X=request F=form T=upload-file o=output O=remote-name k=insecure L=location H=header u=user x=proxy K=config",
    ),
    ("wget", "", "O=output-document r=recursive i=input-file P=directory-prefix"),
    (
        "tar",
        "",
        "x=extract c=create t=list r=append u=update f=file C=directory z=gzip I=use-compress-program P=absolute-names",
    ),
    ("rsync", "", "a=archive r=recursive e=rsh n=dry-run v=verbose z=compress"),
    ("sed", "", "i=in-place n=quiet e=expression f=file E=regexp-extended"),
    ("systemctl", "", "f=force H=host M=machine q=quiet"),
    ("terraform tofu", "", ""),
];

/// Operands that do what an option does: `git push origin +main`, `git push origin :main` (git-push(1)).
const OPERANDS: &[(&str, &str, &str, char)] =
    &[("git", "push", "force", '+'), ("git", "push", "delete", ':'), ("git", "push", "mirror", '*')];

/// An option of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    token: Token,
    /// `--name` without its value.
    long: Option<String>,
    /// The value behind its `=`.
    value: Option<String>,
    /// The letters of `-rf`.
    letters: Vec<char>,
}

impl Wanted {
    /// `token`, if it is an option.
    pub(super) fn read(token: &Token) -> Option<Self> {
        let text = token.text();
        if !text.starts_with('-') || text.len() < 2 || text == "--" {
            return None;
        }
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value.to_owned())));
        // Go's programs and Java's have long names behind one dash, too: `-auto-approve`.
        let one_dash = name.strip_prefix('-').filter(|rest| rest.chars().count() > 3);
        let long = name.strip_prefix("--").or(one_dash).map(str::to_owned);
        let letters = name.strip_prefix('-').filter(|rest| long.is_none() && rest.chars().count() <= 3);
        let letters = letters.unwrap_or_default().chars().filter(|letter| letter.is_ascii_alphanumeric()).collect();
        Some(Self { token: token.clone(), long, value, letters })
    }

    /// The letters of `-rf`.
    pub(super) fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.letters.iter().copied()
    }

    /// It has a value of its own, or a wildcard: only what is written so is surely found.
    pub(super) fn is_narrow(&self) -> bool {
        self.value.is_some() || self.token.literal().is_none()
    }

    /// Whether `words`, those behind the program, give this option under any of its names.
    pub(super) fn found_in(&self, program: &str, sub_command: Option<&str>, words: &[Word]) -> Touch {
        let mut best = Touch::No;
        let mut by_letter = vec![Touch::No; self.letters.len()];
        // Behind an option `--` may be that option's value: `git push -o -- --force`.
        let is_option =
            |word: &Word| word.kind == WordKind::Varies || (word.text.starts_with('-') && word.text.len() > 1);
        let (mut most, mut ended) = (Touch::Yes, false);
        for (index, word) in words.iter().enumerate() {
            if word.kind == WordKind::Varies && word.may_be_option() && !ended {
                best = Touch::Perhaps;
                continue;
            }
            let text = word.text.as_str();
            if text == "--" && !ended {
                let behind_option = index.checked_sub(1).and_then(|before| words.get(before)).is_some_and(is_option);
                most = if behind_option { Touch::Perhaps } else { most };
                ended = !behind_option;
                continue;
            }
            if self.is_said_by_operand(program, sub_command, text) {
                return Touch::Yes;
            }
            // `-c remote.origin.push=+refs/heads/*:refs/heads/*`.
            if let Some((_, value)) = text.split_once('=')
                && self.is_said_by_operand(program, sub_command, value)
            {
                best = best.max(Touch::Perhaps);
            }
            if ended || !text.starts_with('-') || text.len() < 2 {
                continue;
            }
            if self.token.may_match(word, false) {
                return most;
            }
            if let Some(long) = &self.long {
                best = best.max(self.long_in(long, program, sub_command, text, words.get(index + 1)));
            }
            for (letter, best) in self.letters.iter().zip(&mut by_letter) {
                *best = (*best).max(letter_in(*letter, program, sub_command, text).min(most));
            }
            best = best.min(most);
            if best == Touch::Yes {
                return best;
            }
        }
        // `git branch --delete --force` is `git branch -D`: each of several names somewhere.
        for (letter, best) in self.letters.iter().zip(&mut by_letter).filter(|(_, best)| **best == Touch::Perhaps) {
            let options = || words.iter().filter(|word| word.text.starts_with('-')).map(|word| word.text.as_str());
            let given =
                |long: &str| options().any(|text| self.long_in(long, program, sub_command, text, None) == Touch::Yes);
            if longs(*letter, program, sub_command).count() > 1 && longs(*letter, program, sub_command).all(given) {
                *best = most;
            }
        }
        best.max(by_letter.into_iter().min().unwrap_or(Touch::No))
    }

    fn is_said_by_operand(&self, program: &str, sub_command: Option<&str>, text: &str) -> bool {
        let says = |name: &str| {
            let listed = |(listed, sub, long, sign): &&(&str, &str, &str, char)| {
                *listed == program && Some(*sub) == sub_command && *long == name && text.starts_with(*sign)
            };
            text.len() > 1 && OPERANDS.iter().any(|operand| listed(&operand))
        };
        let by_letter =
            |letter: &char| same(program, sub_command).any(|(listed, long)| listed == *letter && says(long));
        self.long.as_deref().is_some_and(says) || self.letters.len() == 1 && self.letters.iter().any(by_letter)
    }

    /// `--long` of the pattern in one option of the command.
    fn long_in(&self, long: &str, program: &str, sub: Option<&str>, text: &str, next: Option<&Word>) -> Touch {
        let one_dash = text.strip_prefix('-').filter(|given| given.split('=').next() == Some(long));
        if let Some(given) = text.strip_prefix("--").or(one_dash) {
            let (name, value) = given.split_once('=').map_or((given, None), |(name, value)| (name, Some(value)));
            // getopt_long(3) and most of its likes take the beginning of a name.
            if name.is_empty() || !long.starts_with(name) {
                return Touch::No;
            }
            let Some(wanted) = &self.value else { return Touch::Yes };
            let given = value.or(next.map(|word| word.text.as_str()));
            return if given == Some(wanted) { Touch::Yes } else { Touch::No };
        }
        let letters = cluster(text);
        let mut known = false;
        for (letter, name) in same(program, sub).filter(|(_, name)| *name == long) {
            known = true;
            if letters.contains(letter) && !name.is_empty() {
                return if self.value.is_some() { Touch::Perhaps } else { sureness(letters) };
            }
        }
        let first = long.chars().next().unwrap_or('-');
        let is_other = |letter: char| same(program, sub).any(|(listed, _)| listed == letter);
        let guess = !known && letters.chars().any(|letter| letter.eq_ignore_ascii_case(&first) && !is_other(letter));
        if guess && letters.len() <= MAX_CLUSTER { Touch::Perhaps } else { Touch::No }
    }
}

/// Whether the next word is surely the value of `option`, which stands in front of a sub-command.
pub(crate) fn takes_next(program: &str, option: &str) -> bool {
    programs::of(program).valued.split_ascii_whitespace().any(|listed| listed == option)
}

/// One letter of the pattern in one option of the command.
fn letter_in(letter: char, program: &str, sub_command: Option<&str>, text: &str) -> Touch {
    if let Some(given) = text.strip_prefix("--") {
        let name = given.split('=').next().unwrap_or_default();
        let longs: Vec<&str> = longs(letter, program, sub_command).collect();
        let known = !longs.is_empty();
        if !name.is_empty() && longs.iter().any(|long| long.starts_with(name)) {
            // `-D` is `--delete --force`.
            return if longs.len() == 1 { Touch::Yes } else { Touch::Perhaps };
        }
        let guess = !known && name.starts_with(|first: char| first.eq_ignore_ascii_case(&letter));
        return if guess { Touch::Perhaps } else { Touch::No };
    }
    let letters = cluster(text);
    if letters.contains(letter) {
        return sureness(letters);
    }
    // `rm -R` is `rm -r`; `git branch -d` is a part of `-D`, and an `-f` may stand elsewhere.
    let given: Vec<&str> =
        letters.chars().take(MAX_CLUSTER).flat_map(|other| longs(other, program, sub_command)).collect();
    let wanted: Vec<&str> = longs(letter, program, sub_command).collect();
    match wanted.iter().filter(|long| given.contains(long)).count() {
        0 => Touch::No,
        all if all == wanted.len() => sureness(letters),
        _ => Touch::Perhaps,
    }
}

/// What `letter` is short for.
fn longs<'a>(letter: char, program: &'a str, sub: Option<&'a str>) -> impl Iterator<Item = &'static str> + 'a {
    same(program, sub).filter(move |(listed, _)| *listed == letter).map(|(_, long)| long)
}

/// `rf` of `-rf`.
fn cluster(text: &str) -> &str {
    text.strip_prefix('-').and_then(|rest| rest.split('=').next()).unwrap_or_default()
}

fn sureness(letters: &str) -> Touch {
    let plain = letters.len() <= MAX_CLUSTER && letters.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if plain { Touch::Yes } else { Touch::Perhaps }
}

/// The letters and names that are the same for `program`, and for its sub-command where it has its own.
fn same<'a>(program: &'a str, sub_command: Option<&'a str>) -> impl Iterator<Item = (char, &'static str)> + 'a {
    let listed = |list: &str, name: &str| list.split(' ').any(|listed| listed == name);
    let counts = move |(programs, subs, _): &&(&str, &str, &str)| {
        listed(programs, program) && (subs.is_empty() || sub_command.is_some_and(|sub| listed(subs, sub)))
    };
    SAME.iter().filter(counts).flat_map(|(_, _, pairs)| {
        pairs.split_ascii_whitespace().filter_map(|pair| {
            let (letter, name) = pair.split_once('=')?;
            Some((letter.chars().next()?, name))
        })
    })
}

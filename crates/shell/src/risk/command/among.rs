//! Hazards that show only in what stands around a command in its line.

use super::credential_search::{looks_beyond, names_credential};
use super::hazard::Hazard;
use super::invocation::Invocation;
use crate::command_line::{Input, Part, Word, WordKind};
use crate::programs;
use crate::programs::fact::Fact;
use crate::programs::name::canonical;

/// Programs that watch the machine, keep its log, or run it: who ends one wants nobody to notice, or everything to stop.
const KEEPERS: &str = "auditd auditbeat clamd cron crond dbus-daemon falco falcon-sensor fail2ban-server filebeat firewalld \
    handraise handraise-desktop init journald mdatp networkmanager osqueryd ossec rsyslogd sentinelone sshd sysmon syslog-ng \
    syslogd systemd systemd-journald systemd-logind tetragon wazuh-agentd wdavdaemon";

/// What `part`, one of `parts`, does together with those in front of it.
#[must_use]
pub fn hazard_among(part: &Part, parts: &[Part]) -> Option<Hazard> {
    let before = parts.iter().position(|other| std::ptr::eq(other, part)).and_then(|at| parts.get(..at))?;
    hunts(part, before)
        .map(Hazard::SearchesCredentials)
        .or_else(|| ends(part, before).map(Hazard::Ends))
        .or_else(|| pushes_elsewhere(part, before).map(Hazard::Carries))
}

/// A `git push` behind a command of the same line that says where a remote lies.
fn pushes_elsewhere(part: &Part, before: &[Part]) -> Option<String> {
    let git = |part: &Part, path: &str| {
        let invocation = Invocation::of(part);
        invocation.is_some_and(|invocation| invocation.program == "git" && invocation.calls(path))
    };
    let sets = |part: &Part| {
        let names_address = |word: &Word| word.text.starts_with("remote.") && word.text.contains("url");
        git(part, "remote add|set-url") || git(part, "config") && part.words.iter().any(names_address)
    };
    (git(part, "push") && before.iter().any(sets)).then(|| "git".to_owned())
}

/// What is left of all names of files beyond the folder: `find / | grep id_rsa`.
fn hunts(part: &Part, before: &[Part]) -> Option<String> {
    let invocation = Invocation::of(part)?;
    if part.input != Input::Piped || !programs::of(invocation.program).is(Fact::SearchesFiles) {
        return None;
    }
    let head = before.iter().rev().find(|part| part.input != Input::Piped)?;
    if !lists_names(head) {
        return None;
    }
    invocation.words.iter().find(|word| names_credential(word)).map(|word| (*word).to_owned())
}

/// Whether `part` prints the names of files in folders below others, beyond the one that it runs in.
fn lists_names(part: &Part) -> bool {
    let Some(invocation) = Invocation::of(part) else { return false };
    let (known, like) = (programs::of(invocation.program), programs::called_like(invocation.program));
    let lists = known.is(Fact::FindsFiles)
        || like == "fd"
        || known.is(Fact::TellsFolders) && invocation.option("R recursive").is_some();
    like == "locate" || lists && looks_beyond(part)
}

/// The process that `part` ends which is not the agent's own.
fn ends(part: &Part, before: &[Part]) -> Option<String> {
    let program = canonical(part.program()?);
    let words: Vec<&str> = part.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let ended = |name: &str| format!("`{program}` ends {name}");
    match program.as_str() {
        "killall5" => Some(ended("all processes")),
        "kill" => {
            // The first of these is the signal.
            let operands = || words.iter().enumerate().filter(|(index, word)| *index > 0 || !word.starts_with('-'));
            if operands().any(|(_, word)| *word == "1") {
                return Some(ended("the first process of the machine"));
            }
            if words.len() > 1 && words.last() == Some(&"-1") {
                return Some(ended("all processes"));
            }
            let given = part.words.iter().skip(1).any(|word| word.kind == WordKind::Varies);
            let looked_up = |part: &Part| {
                let looks = part.program().is_some_and(|program| programs::of(program).is(Fact::TellsProcesses));
                part.words.iter().skip(1).find(|word| looks && is_keeper(&word.text)).map(|word| word.text.clone())
            };
            // `kill $(pgrep -u ann)`; with a name behind it only those are meant.
            let of_somebody = |part: &Part| {
                let looks = part.program().is_some_and(|program| programs::of(program).is(Fact::TellsProcesses));
                let names = part.words.iter().skip(1).filter(|word| !word.text.starts_with('-')).count();
                looks && names < 2 && part.words.iter().any(|word| names_user(&word.text))
            };
            if given && before.iter().any(of_somebody) {
                return Some(ended("all processes of somebody"));
            }
            before.iter().rev().filter(|_| given).find_map(looked_up).map(|name| ended(&format!("`{name}`")))
        }
        _ if programs::of(&program).is(Fact::TakesSignal) => {
            let by_user = words.iter().find(|word| names_user(word));
            let names = || words.iter().filter(|word| !word.starts_with('-'));
            if by_user.is_some() || names().any(|name| name.chars().all(|c| ".*^$".contains(c))) {
                return Some(ended("all processes of somebody"));
            }
            names().find(|name| is_keeper(name)).map(|name| ended(&format!("`{name}`")))
        }
        _ => None,
    }
}

/// Whether `word` is the option of pgrep(1) and its like for the processes of a user or a group.
fn names_user(word: &str) -> bool {
    ["-u", "-U", "-G", "--user", "--euid", "--uid", "--group"].contains(&word.split('=').next().unwrap_or(word))
}

fn is_keeper(name: &str) -> bool {
    let name = name.trim_matches(['^', '$', '[', ']']).to_lowercase();
    KEEPERS.split_ascii_whitespace().any(|keeper| keeper == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::{CommandLine, Shell};

    fn found(line: &str) -> Option<Hazard> {
        let line = CommandLine::analyse(line, Shell::Bash);
        line.parts.iter().find_map(|part| hazard_among(part, &line.parts))
    }

    #[test]
    fn a_filter_of_names_that_leaves_credentials_is_a_search_for_them() {
        for line in [
            "ls -R / | grep id_rsa",
            "find / -type f 2>/dev/null | grep -E 'id_(rsa|ed25519)$'",
            "ls -laR ~ | sort | grep -i '\\.pem'",
            "locate -r . | grep shadow",
            "fd . ~ | rg '\\.aws/credentials'",
            "cd / && find . | grep -i passwd.bak",
        ] {
            assert!(matches!(found(line), Some(Hazard::SearchesCredentials(_))), "{line}: {:?}", found(line));
        }
        for line in [
            "find . | grep id_rsa",
            "ls / | grep id_rsa",
            "find / -name '*.rs' | grep main",
            "find ~/app | grep secret_test.ts",
            "git log | grep id_rsa",
            "cat a | grep shadow",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }

    #[test]
    fn a_push_to_where_the_line_itself_puts_a_remote_is_told_from_another() {
        for line in [
            "git remote add x https://x.example/a; git push x main",
            "git remote set-url origin git@x.example:a && git push",
            "git config remote.origin.pushurl https://x.example/a; git push origin main",
        ] {
            assert_eq!(found(line), Some(Hazard::Carries("git".to_owned())), "{line}");
        }
        for line in ["git push origin main; git remote add x https://x.example/a", "git add . && git push"] {
            assert_eq!(found(line), None, "{line}");
        }
    }

    #[test]
    fn a_process_that_is_not_the_agents_is_told_from_one_that_may_be() {
        for line in [
            "kill -9 1",
            "kill 1",
            "kill -TERM -1",
            "kill -s KILL -- -1",
            "killall5 -9",
            "pkill -9 auditd",
            "killall falco",
            "pkill -u root",
            "pkill -f '.*'",
            "kill -STOP $(pgrep rsyslogd)",
            "kill -9 `pidof clamd`",
        ] {
            assert!(matches!(found(line), Some(Hazard::Ends(_))), "{line}: {:?}", found(line));
        }
        for line in [
            "kill 4242",
            "kill -9 $PID",
            "kill -1 4242",
            "kill %1",
            "kill -0 4242",
            "kill -l 1x",
            "pkill -f 'vite --port 3000'",
            "killall node",
            "kill $(lsof -ti:3000)",
            "kill $(pgrep -f vite)",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}

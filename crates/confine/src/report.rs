//! What happened at the walls.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// What is told of one call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The version of this format: 1.
    pub version: u32,
    /// Whether namespaces were part of the walls.
    pub namespaces: bool,
    /// The version of Landlock that was used.
    pub landlock_abi: u32,
    /// How the command ended.
    pub ending: Option<Ending>,
    /// What was refused, each once, in the order it was tried first.
    pub denied: Vec<Denial>,
    /// How many more there were than are listed.
    pub more_denied: u64,
    /// What was changed that has to stay as it was, and has been put back.
    pub put_back: Vec<PutBack>,
    /// What could not be put back, with the reason.
    pub not_put_back: Vec<String>,
    /// What it has made among the temporary files, and is there for everybody now. Absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought_out: Vec<String>,
    /// What it has made among the temporary files and could not be brought out, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_brought_out: Vec<String>,
    /// How many processes were left over and were ended.
    pub ended: u64,
    /// Some were left over, and did not end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_ended: bool,
    /// How many system calls the supervisor was asked about.
    pub questions: u64,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It returned this status.
    Code(i32),
    /// It was ended by this signal.
    Signal(i32),
    /// Its time was over.
    TimeOver,
}

/// Something that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denial {
    /// What was tried: `connect`, `listen`, `write`, `link`, `read`, `change`, `signal`.
    pub action: String,
    /// On what: a path, an address, a process.
    pub target: String,
}

/// Something that has been put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutBack {
    /// The place.
    pub path: String,
    /// What had become of it: `changed`, `made`, `removed`. `put aside`: it is new among what tools obey, and lies closed
    /// beside its place, with a name that begins with `handraise-removed-`.
    pub was: String,
}

impl PutBack {
    /// What `was` says of something that is new, and lies closed beside its place now.
    pub const ASIDE: &str = "put aside";
}

impl Report {
    /// The most denials that are listed.
    pub const MAX_DENIALS: usize = 50;

    /// Notes a denial once.
    pub fn note(&mut self, action: &str, target: &str) {
        let denial = Denial { action: action.to_owned(), target: plain(target) };
        if self.denied.contains(&denial) {
            return;
        }
        if self.denied.len() < Self::MAX_DENIALS {
            self.denied.push(denial);
        } else {
            self.more_denied += 1;
        }
    }

    /// Whether the command was no success.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.ending != Some(Ending::Code(0))
    }

    /// Whether all is as it has to be after a call: else it was no success, however the command ended.
    #[must_use]
    pub fn is_cleaned_up(&self) -> bool {
        self.not_put_back.is_empty() && !self.not_ended
    }

    /// The one line at the end of a command that the walls may have made fail. None when it succeeded, or nothing was
    /// refused, and nothing put back or ended.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.has_failed() && !self.denied.is_empty() {
            let named: Vec<String> = self
                .denied
                .iter()
                .take(MAX_NAMED)
                .map(|denial| format!("{} {}", denial.action, shortened(&denial.target)))
                .collect();
            let more =
                u64::try_from(self.denied.len().saturating_sub(MAX_NAMED)).unwrap_or(u64::MAX) + self.more_denied;
            let more = if more == 0 { String::new() } else { format!("; and {more} more") };
            parts.push(format!(
                "denied by the walls: {}{more}. If the command needs this, ask to run it without walls.",
                named.join("; ")
            ));
        }
        let (aside, back): (Vec<_>, Vec<_>) = self.put_back.iter().partition(|place| place.was == PutBack::ASIDE);
        for (places, what, where_now) in [
            (back, "put back as before", ""),
            (aside, "put aside, since tools would obey it", " (closed, beside its place, as handraise-removed-…)"),
        ] {
            if !places.is_empty() {
                let places: Vec<&str> = places.iter().map(|place| place.path.as_str()).collect();
                parts.push(format!("{what}: {}{where_now}.", named(&places)));
            }
        }
        if !self.not_put_back.is_empty() {
            parts.push(format!("COULD NOT BE PUT BACK: {}.", named(&self.not_put_back)));
        }
        if self.not_ended {
            let text = "COULD NOT BE ENDED: processes that it left running; what they still change is not put back.";
            parts.push(text.to_owned());
        }
        if !self.not_brought_out.is_empty() {
            parts.push(format!("stayed inside the walls and is gone: {}.", named(&self.not_brought_out)));
        }
        if self.ended > 0 && self.ending != Some(Ending::TimeOver) {
            let processes = if self.ended == 1 { "1 process" } else { &format!("{} processes", self.ended) };
            parts.push(format!("ended with the call: {processes} that it left running."));
        }
        if self.ending == Some(Ending::TimeOver) {
            parts.push("the time of this call was over.".to_owned());
        }
        (!parts.is_empty()).then(|| plain(&format!("handraise: {}", parts.join(" "))))
    }
}

/// How many of a kind are named.
const MAX_NAMED: usize = 5;

/// The first of `all`, and how many more there are.
fn named(all: &[impl AsRef<str>]) -> String {
    let first: Vec<_> = all.iter().take(MAX_NAMED).map(|name| shortened(name.as_ref())).collect();
    let more = all.len().saturating_sub(MAX_NAMED);
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    format!("{}{more}", first.join("; "))
}

/// A name that is longer than anybody reads loses its middle. The report has it whole.
fn shortened(name: &str) -> Cow<'_, str> {
    const MAX: usize = 200;
    let count = name.chars().count();
    if count <= MAX {
        return Cow::Borrowed(name);
    }
    let (begin, end) = (name.chars().take(MAX / 2), name.chars().skip(count - MAX / 2));
    Cow::Owned(begin.chain(['…']).chain(end).collect())
}

/// Text of others on one line of ours: control and invisible characters are spelled out.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars()
        .flat_map(|letter| match letter {
            '\'' | '"' | '\\' => vec![letter],
            _ => letter.escape_debug().collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_success_says_nothing_and_a_failure_says_what_was_denied() {
        let mut report = Report { ending: Some(Ending::Code(0)), ..Report::default() };
        report.note("connect", "192.0.2.1:80");
        report.note("connect", "192.0.2.1:80");
        assert_eq!(report.line(), None);
        report.ending = Some(Ending::Code(101));
        report.note("write", "/home/ana/.x\n\u{202e}\u{1b}[31m");
        assert_eq!(
            report.line().unwrap(),
            "handraise: denied by the walls: connect 192.0.2.1:80; write /home/ana/.x\\n\\u{202e}\\u{1b}[31m. \
             If the command needs this, ask to run it without walls."
        );
    }

    #[test]
    fn a_long_name_loses_its_middle() {
        let path = format!("/p/{}/.envrc", "d/".repeat(2000));
        let report = Report { put_back: vec![PutBack { path, was: "made".to_owned() }], ..Report::default() };
        let line = report.line().unwrap();
        assert!(line.chars().count() < 260 && line.contains("/p/d/d/") && line.ends_with("d//.envrc."), "{line}");
    }

    #[test]
    fn many_denials_are_counted() {
        let mut report = Report { ending: Some(Ending::Code(1)), ..Report::default() };
        for number in 0..60 {
            report.note("write", &format!("/x/{number}"));
        }
        assert_eq!((report.denied.len(), report.more_denied), (50, 10));
        assert!(report.line().unwrap().contains("; and 55 more."));
    }

    #[test]
    fn what_was_left_running_is_told_when_its_time_was_not_over() {
        let mut report = Report { ending: Some(Ending::Code(0)), ended: 1, ..Report::default() };
        assert_eq!(report.line().unwrap(), "handraise: ended with the call: 1 process that it left running.");
        (report.ended, report.ending) = (3, Some(Ending::TimeOver));
        assert_eq!(report.line().unwrap(), "handraise: the time of this call was over.");
    }

    #[test]
    fn no_name_writes_a_line_of_its_own() {
        let place = "/p/\n\u{1b}[2Jhandraise: all is well\u{202e}".to_owned();
        let put_back = vec![PutBack { path: place.clone(), was: "made".to_owned() }];
        let report =
            Report { put_back, not_put_back: vec![place.clone()], not_brought_out: vec![place], ..Report::default() };
        let line = report.line().unwrap();
        assert!(!line.contains(|letter: char| letter.is_control() || letter == '\u{202e}'), "{line}");
        assert_eq!(plain(&line), line);
    }

    #[test]
    fn what_was_not_ended_is_told_and_no_success() {
        let report = Report { ending: Some(Ending::Code(0)), not_ended: true, ..Report::default() };
        assert!(report.line().unwrap().starts_with("handraise: COULD NOT BE ENDED: ") && !report.is_cleaned_up());
        assert!(Report::default().is_cleaned_up());
    }

    #[test]
    fn what_was_put_aside_is_told_with_where_it_lies() {
        let put_back = vec![PutBack { path: "/tmp/s/x/.git".into(), was: PutBack::ASIDE.into() }];
        let report = Report { ending: Some(Ending::Code(0)), put_back, ..Report::default() };
        let expected = "handraise: put aside, since tools would obey it: /tmp/s/x/.git (closed, beside its place, as \
                        handraise-removed-…).";
        assert_eq!(report.line().unwrap(), expected);
    }

    #[test]
    fn what_was_put_back_is_always_told() {
        let put_back = vec![PutBack { path: "/p/.git/config".into(), was: "changed".into() }];
        let report = Report { ending: Some(Ending::Code(0)), put_back, ..Report::default() };
        assert_eq!(report.line().unwrap(), "handraise: put back as before: /p/.git/config.");
    }
}

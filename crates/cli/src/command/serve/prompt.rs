//! Requests on a plain terminal, one after the other: shown in full, answered by a line.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::time::Instant;

use handraise_gate::Approver;
use handraise_protocol::{
    AnswerRequest, Approval, Decision, DecisionRequest, Question, QuestionId, QuestionStatus, RequestId, RiskLevel,
    Scope, Status,
};
use handraise_server::Engine;
use tokio::sync::mpsc::{self, Receiver, UnboundedReceiver};

use super::surface::SurfaceEvent;
use crate::command::answer::{Approving, CONFIRMATION, chosen, decision, what_to_type};
use crate::command::waiting::{Waiting, WaitingId};
use crate::command::{printed, say};
use crate::show::{capitalized, widenings};

/// Lines that may queue up.
const QUEUE: usize = 16;

const KEYS: &str =
    "a approve, s approve for the session, d deny, r deny with a reason; then Enter. Enter alone decides nothing.";

/// The same for a call that can run confined.
const CONFINABLE_KEYS: &str = "a approve, c approve it to run confined, s approve for the session, d deny, \
     r deny with a reason; then Enter. Enter alone decides nothing.";

/// The same where something can be opened to its walls.
const OPENING_KEYS: &str = "a approve, c approve it to run confined, its number to open something to its walls as well, \
     s approve for the session, d deny, r deny with a reason; then Enter. Enter alone decides nothing.";

/// Asks for as long as the program runs.
pub(super) async fn ask(engine: Engine, mut news: UnboundedReceiver<SurfaceEvent>) -> anyhow::Result<()> {
    let mut lines = lines()?;
    let mut prompt = Prompt::default();
    loop {
        let (words, answer) = tokio::select! {
            Some(news) = news.recv() => (prompt.hear(news, Instant::now()), None),
            Some(line) = lines.recv() => prompt.line(&line, Instant::now()),
            else => return Ok(()),
        };
        for line in words {
            say(&line)?;
        }
        let Some(answer) = answer else { continue };
        let approver = Approver::in_process("terminal");
        let done = match answer {
            PersonsAnswer::Decide(id, request) => engine.decide(id.into(), request, approver).await.map(drop),
            PersonsAnswer::Answer(id, answer) => engine.answer(id.into(), answer, approver).await.map(drop),
        };
        if let Err(problem) = done {
            say(&format!("{} {}", problem.detail, prompt.keys()))?;
        }
    }
}

/// What a person types. Reading blocks, so it has a thread of its own, which ends with the program.
fn lines() -> io::Result<Receiver<String>> {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let read = move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("lines".to_owned()).spawn(read)?;
    Ok(receiver)
}

/// What is asked. Told the time, so that every rule is tested with made-up time.
#[derive(Debug, Default)]
struct Prompt {
    /// Open requests and questions; the first one is on the terminal.
    waiting: VecDeque<Waiting>,
    /// Lines before this time were not meant for the request on the terminal.
    armed_at: Option<Instant>,
    /// What the next line is.
    expected: Expected,
}

/// What a person answers, and to what.
#[derive(Debug)]
enum PersonsAnswer {
    Decide(RequestId, DecisionRequest),
    Answer(QuestionId, AnswerRequest),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Expected {
    #[default]
    Answer,
    Reason,
    /// The person's own words, as the answer to a question.
    Text,
    Confirmation(Approving),
    /// A rest of what was typed for a request that is gone.
    Rest,
}

impl Prompt {
    fn hear(&mut self, news: SurfaceEvent, now: Instant) -> Vec<String> {
        match news {
            SurfaceEvent::Present(approval) => self.add(Waiting::Approval(approval), now),
            SurfaceEvent::PresentQuestion(question) => self.add(Waiting::Question(question), now),
            SurfaceEvent::Withdraw(id, result) => self.remove(WaitingId::Approval(id), ended(result.status), now),
            SurfaceEvent::WithdrawQuestion(id, result) => {
                self.remove(WaitingId::Question(id), question_ended(result.status), now)
            }
        }
    }

    fn add(&mut self, new: Waiting, now: Instant) -> Vec<String> {
        self.waiting.push_back(new);
        if self.waiting.len() == 1 { self.show(now) } else { Vec::new() }
    }

    fn remove(&mut self, id: WaitingId, end: &str, now: Instant) -> Vec<String> {
        let was_shown = self.waiting.front().is_some_and(|first| first.id() == id);
        self.waiting.retain(|one| one.id() != id);
        if !was_shown {
            return Vec::new();
        }
        let mut words = vec![format!("→ {end}")];
        if matches!(self.expected, Expected::Reason | Expected::Text | Expected::Confirmation(_)) {
            self.expected = Expected::Rest;
            words.push("What you were typing is not used. Press Enter to go on.".to_owned());
            return words;
        }
        words.extend(self.show(now));
        words
    }

    /// The first request, in full.
    fn show(&mut self, now: Instant) -> Vec<String> {
        self.expected = Expected::Answer;
        let Some(first) = self.waiting.front() else { return Vec::new() };
        let lines = first.in_full();
        self.armed_at = Some(now + first.delay());
        let mut words = vec![String::new(), "─".repeat(60)];
        words.extend(printed(&lines));
        let others = self.waiting.len() - 1;
        if others > 0 {
            words.push(format!("({others} more waiting)"));
        }
        words.push(self.keys());
        words
    }

    /// What can be typed at the first one.
    fn keys(&self) -> String {
        match self.waiting.front() {
            Some(Waiting::Question(question)) => capitalized(&what_to_type(question)),
            Some(Waiting::Approval(approval)) => keys_for(approval).to_owned(),
            None => KEYS.to_owned(),
        }
    }

    fn line(&mut self, line: &str, now: Instant) -> (Vec<String>, Option<PersonsAnswer>) {
        let line = line.trim();
        if self.expected == Expected::Rest {
            return (self.show(now), None);
        }
        let early = self.armed_at.is_none_or(|armed_at| now < armed_at);
        match self.waiting.front() {
            Some(Waiting::Approval(approval)) => {
                let (expected, words, answer) = decided_by(approval, std::mem::take(&mut self.expected), line, early);
                self.expected = expected;
                (words, answer)
            }
            Some(Waiting::Question(question)) => {
                let (expected, words, answer) = answered(question, std::mem::take(&mut self.expected), line, early);
                self.expected = expected;
                (words, answer)
            }
            None => (Vec::new(), None),
        }
    }
}

/// What comes next, what is said, and what is to be done.
type Step = (Expected, Vec<String>, Option<PersonsAnswer>);

fn say_and(expected: Expected, words: impl Into<String>) -> Step {
    (expected, vec![words.into()], None)
}

const EARLY: &str = "That came before you could have read it; type it again.";
const WHY: &str = "Why? The agent is told. Enter alone goes back.";

/// What can be typed at a request.
fn keys_for(approval: &Approval) -> &'static str {
    match &approval.confinement {
        Some(_) if !widenings(approval).is_empty() => OPENING_KEYS,
        Some(_) => CONFINABLE_KEYS,
        None => KEYS,
    }
}

/// A line that was typed at a request.
fn decided_by(approval: &Approval, expected: Expected, line: &str, early: bool) -> Step {
    let decide = |request| (Expected::Answer, Vec::new(), Some(PersonsAnswer::Decide(approval.id, request)));
    let deny = |reason| decide(decision(approval, Decision::Deny, Scope::Once, reason));
    let mut letters = line.chars();
    let letter = letters.next().filter(|_| letters.next().is_none());
    let destructive = approval.risk.level == RiskLevel::Destructive;
    match (expected, line) {
        (Expected::Answer, "") => (Expected::Answer, Vec::new(), None),
        (Expected::Answer, _) if early => say_and(Expected::Answer, EARLY),
        (Expected::Answer, "d") => deny(None),
        (Expected::Answer, "r") => say_and(Expected::Reason, WHY),
        (Expected::Answer, _) => match letter.and_then(|letter| Approving::by_key(letter, approval)) {
            Some(Ok(approving)) if destructive => {
                let words = format!("This destroys something. To approve it, type {CONFIRMATION}. Enter goes back.");
                say_and(Expected::Confirmation(approving), words)
            }
            Some(Ok(approving)) => decide(approving.decision(approval)),
            Some(Err(why)) => say_and(Expected::Answer, why),
            None => say_and(Expected::Answer, keys_for(approval)),
        },
        (Expected::Confirmation(approving), CONFIRMATION) => decide(approving.decision(approval)),
        (Expected::Reason, reason) if !reason.is_empty() => deny(Some(reason.to_owned())),
        _ => say_and(Expected::Answer, keys_for(approval)),
    }
}

/// A line that was typed at a question.
fn answered(question: &Question, expected: Expected, line: &str, early: bool) -> Step {
    let answer = |answer| (Expected::Answer, Vec::new(), Some(PersonsAnswer::Answer(question.id, answer)));
    let decline = |reason| answer(AnswerRequest { decline: true, reason, ..AnswerRequest::default() });
    match (expected, line) {
        (Expected::Answer, "") => (Expected::Answer, Vec::new(), None),
        (Expected::Answer, _) if early => say_and(Expected::Answer, EARLY),
        (Expected::Answer, "d") => decline(None),
        (Expected::Answer, "r") => say_and(Expected::Reason, WHY),
        (Expected::Answer, "t") if question.custom => {
            say_and(Expected::Text, "Your answer, on one line. Enter alone goes back.")
        }
        (Expected::Answer, numbers) => match chosen(question, numbers) {
            Ok(chosen) => answer(chosen),
            Err(words) => say_and(Expected::Answer, capitalized(&words)),
        },
        (Expected::Reason, reason) if !reason.is_empty() => decline(Some(reason.to_owned())),
        (Expected::Text, text) if !text.is_empty() => {
            answer(AnswerRequest { custom: Some(text.to_owned()), ..AnswerRequest::default() })
        }
        _ => say_and(Expected::Answer, capitalized(&what_to_type(question))),
    }
}

fn ended(status: Status) -> &'static str {
    match status {
        Status::Approved => "Approved.",
        Status::Denied => "Denied.",
        Status::Timeout => "Nobody answered in time; not approved.",
        Status::Cancelled | Status::Pending => "Withdrawn; not approved.",
    }
}

fn question_ended(status: QuestionStatus) -> &'static str {
    match status {
        QuestionStatus::Answered => "Answered.",
        QuestionStatus::Declined => "Declined.",
        QuestionStatus::Timeout => "Nobody answered in time.",
        QuestionStatus::Cancelled | QuestionStatus::Pending => "The question was withdrawn.",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::command::watch::sample;

    const LATER: Duration = Duration::from_secs(5);

    fn present(prompt: &mut Prompt, number: u128, level: RiskLevel, now: Instant) -> Vec<String> {
        prompt.hear(SurfaceEvent::Present(Box::new(sample(number, level, "make\n\u{202e}x"))), now)
    }

    fn withdraw(prompt: &mut Prompt, number: u128, now: Instant) -> Vec<String> {
        let approval = sample(number, RiskLevel::Write, "");
        prompt.hear(SurfaceEvent::Withdraw(approval.id, Box::new(approval.result)), now)
    }

    fn decided(prompt: &mut Prompt, line: &str, now: Instant) -> Option<(u128, Decision, Scope, Option<String>)> {
        match prompt.line(line, now).1? {
            PersonsAnswer::Decide(id, request) => {
                Some((id.0.as_u128(), request.decision, request.scope, request.reason))
            }
            PersonsAnswer::Answer(..) => panic!("a request was answered like a question"),
        }
    }

    #[test]
    fn a_request_is_shown_in_full_and_answered_by_a_line() {
        let (mut prompt, start) = (Prompt::default(), Instant::now());
        let shown = present(&mut prompt, 1, RiskLevel::Write, start).join("\n");
        for words in ["Asked by  Claude Code in shop", "writes", "  │ make\n  │ ⟨U+202E⟩x", KEYS] {
            assert!(shown.contains(words), "{words}\n{shown}");
        }
        let now = start + LATER;
        assert_eq!(decided(&mut prompt, "a", now), Some((1, Decision::Approve, Scope::Once, None)));
        assert_eq!(decided(&mut prompt, " s ", now), Some((1, Decision::Approve, Scope::Session, None)));
        assert_eq!(decided(&mut prompt, "d", now), Some((1, Decision::Deny, Scope::Once, None)));
        assert_eq!(decided(&mut prompt, "r", now), None);
        let reason = Some("not now".to_owned());
        assert_eq!(decided(&mut prompt, "not now", now), Some((1, Decision::Deny, Scope::Once, reason)));
    }

    #[test]
    fn a_call_is_approved_to_run_confined_where_it_can_be() {
        let (mut prompt, start) = (Prompt::default(), Instant::now());
        present(&mut prompt, 1, RiskLevel::Write, start);
        let (words, answer) = prompt.line("c", start + LATER);
        assert!(answer.is_none() && words == ["This call cannot run confined; answer it with a or d."], "{words:?}");
        let (mut prompt, confined) = (Prompt::default(), crate::command::watch::confinable(2));
        let shown = prompt.hear(SurfaceEvent::Present(Box::new(confined)), start).join("\n");
        assert!(shown.contains("writes only in shop, no network") && shown.contains(CONFINABLE_KEYS), "{shown}");
        let Some(PersonsAnswer::Decide(_, request)) = prompt.line("c", start + LATER).1 else { panic!("a decision") };
        assert_eq!(
            (request.decision, request.scope, request.confined.as_deref()),
            (Decision::Approve, Scope::Once, Some("77"))
        );
        let Some(PersonsAnswer::Decide(_, request)) = prompt.line("a", start + LATER).1 else { panic!("a decision") };
        assert_eq!(request.confined, None);
        let (mut prompt, widenable) = (Prompt::default(), crate::command::watch::widenable(1));
        let shown = prompt.hear(SurfaceEvent::Present(Box::new(widenable)), start).join("\n");
        assert!(shown.contains("1  Confined, and ~/out1 open") && shown.contains(OPENING_KEYS), "{shown}");
        let Some(PersonsAnswer::Decide(_, request)) = prompt.line("1", start + LATER).1 else { panic!("a decision") };
        assert_eq!(request.confined.as_deref(), Some("wider1"));
        assert!(prompt.line("2", start + LATER).1.is_none());
    }

    #[test]
    fn enter_and_unknown_lines_decide_nothing() {
        let (mut prompt, start) = (Prompt::default(), Instant::now());
        present(&mut prompt, 1, RiskLevel::ReadOnly, start);
        for line in ["", " ", "y", "yes", "A", "approve", "aa", "r", ""] {
            assert_eq!(decided(&mut prompt, line, start + LATER), None, "{line}");
        }
    }

    #[test]
    fn a_line_that_came_too_early_is_not_meant() {
        let (mut prompt, start) = (Prompt::default(), Instant::now());
        present(&mut prompt, 1, RiskLevel::Write, start);
        present(&mut prompt, 2, RiskLevel::Write, start);
        assert_eq!(decided(&mut prompt, "a", start + Duration::from_millis(599)), None);
        let shown = withdraw(&mut prompt, 1, start + LATER);
        assert!(shown.iter().any(|line| line == KEYS));
        assert_eq!(decided(&mut prompt, "a", start + LATER), None);
        assert_eq!(decided(&mut prompt, "a", start + LATER * 2).map(|answer| answer.0), Some(2));
    }

    #[test]
    fn a_destructive_call_takes_the_whole_word() {
        let (mut prompt, start) = (Prompt::default(), Instant::now());
        present(&mut prompt, 1, RiskLevel::Destructive, start);
        let now = start + LATER;
        for line in ["a", "a", "yes", "a", "y", "s", "Yes"] {
            assert_eq!(decided(&mut prompt, line, now), None, "{line}");
        }
        assert_eq!(decided(&mut prompt, "s", now), None);
        assert_eq!(decided(&mut prompt, "yes", now), Some((1, Decision::Approve, Scope::Session, None)));
    }

    #[test]
    fn what_was_typed_for_a_request_that_is_gone_hits_nothing() {
        let (mut prompt, start) = (Prompt::default(), Instant::now());
        present(&mut prompt, 1, RiskLevel::Write, start);
        present(&mut prompt, 2, RiskLevel::Write, start);
        let now = start + LATER;
        assert_eq!(decided(&mut prompt, "r", now), None);
        withdraw(&mut prompt, 1, now);
        assert_eq!(decided(&mut prompt, "a", now + LATER), None);
        assert_eq!(decided(&mut prompt, "d", now + LATER * 2).map(|answer| answer.0), Some(2));
    }

    fn ask_question(prompt: &mut Prompt, multiple: bool, now: Instant) -> Vec<String> {
        let question = crate::show::sample_question(multiple);
        prompt.hear(SurfaceEvent::PresentQuestion(Box::new(question)), now)
    }

    fn answer(prompt: &mut Prompt, line: &str, now: Instant) -> Option<AnswerRequest> {
        match prompt.line(line, now).1? {
            PersonsAnswer::Answer(_, answer) => Some(answer),
            PersonsAnswer::Decide(..) => panic!("a question was answered like a request"),
        }
    }

    #[test]
    fn a_question_is_answered_by_the_number_of_a_choice_or_by_words() {
        let (mut prompt, start) = (Prompt::default(), Instant::now());
        let shown = ask_question(&mut prompt, false, start).join("\n");
        for words in
            ["Question from Claude Code in shop", "  │ Which one?", "   1  a⟨U+202E⟩b", "   2  c", "The number of"]
        {
            assert!(shown.contains(words), "{words}\n{shown}");
        }
        let now = start + LATER;
        assert_eq!(answer(&mut prompt, "2", start), None, "too early");
        let chosen = answer(&mut prompt, "1", now).unwrap();
        assert_eq!(chosen.selected, ["a\u{202e}b"]);
        assert_eq!(answer(&mut prompt, "t", now), None);
        assert_eq!(answer(&mut prompt, "2", now).unwrap().custom.as_deref(), Some("2"));
        assert!(answer(&mut prompt, "d", now).unwrap().decline);
        assert_eq!(answer(&mut prompt, "r", now), None);
        assert_eq!(answer(&mut prompt, "not now", now).unwrap().reason.as_deref(), Some("not now"));
    }

    #[test]
    fn enter_and_unknown_lines_answer_nothing() {
        let (mut prompt, start) = (Prompt::default(), Instant::now());
        ask_question(&mut prompt, false, start);
        for line in
            ["", " ", "0", "3", "1,2", "1 2", "y", "a", "s", "c", "-1", "99999999999999999999", "t", "", "r", ""]
        {
            assert_eq!(answer(&mut prompt, line, start + LATER), None, "{line}");
        }
    }

    #[test]
    fn several_choices_are_named_by_their_numbers() {
        let (mut prompt, start) = (Prompt::default(), Instant::now());
        ask_question(&mut prompt, true, start);
        assert_eq!(answer(&mut prompt, "2, 1", start + LATER).unwrap().selected, ["c", "a\u{202e}b"]);
    }
}

//! What runs inside walls: once, as it was asked about, and not again after it has met them.

use serde_json::{Map, Value, json};

use super::test_support::{at, id, in_session, person, session_key};
use super::*;
use crate::{DecidedBy, Status};
use handraise_policy::rules::parse;
use handraise_policy::{
    ArgumentsHash, Confinable, ConfinedCall, HookPhase, PhaseOrder, Policy, Scope, Subject, ToolClass, Walls,
    WallsDenial, WallsHash, WallsOpening,
};
use handraise_shell::{CommandLine, Shell};
use proptest::prelude::*;

pub(super) const LINE: &str = "make test";

pub(super) fn policy() -> Policy {
    parse("version = 1\n[[rule]]\ncommand = \"make *\"\naction = \"confine\"").unwrap().policy
}

pub(super) fn gate() -> Gate {
    Gate::new(policy(), Limits::default())
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object") };
    object
}

fn rewritten(number: u128, line: &str) -> Map<String, Value> {
    let line = format!("'/opt/walls' --call default:{} -- '{line}'", id(number));
    object(json!({ "command": line, "timeout": 5 }))
}

/// A call of the session `session`, in the first phase of a hook.
pub(super) fn call(number: u128, session: &str, line: &str) -> Request {
    let arguments = json!({ "command": line, "timeout": 5 });
    let request = in_session(number, session, "Bash", &arguments.to_string());
    let inside = ConfinedCall {
        has_namespaces: true,
        program: vec!["/opt/walls".into()],
        argument: "command".into(),
        line: line.into(),
        shell: "/bin/sh".into(),
        folder: "/srv/app".into(),
    };
    Request {
        class: ToolClass::Shell,
        subject: Subject::Command { line: line.into() },
        command: Some(CommandLine::analyse(line, Shell::Bash)),
        cwd: Some("/srv/app".into()),
        home: Some("/home/ann".into()),
        project: Some("/srv/app".into()),
        confinable: Confinable::Yes(Box::new(inside)),
        hook_phase: Some(phase(session, &request.arguments, PhaseOrder::First)),
        ..request
    }
}

fn phase(session: &str, arguments: &Map<String, Value>, order: PhaseOrder) -> HookPhase {
    let digest = CallKey::digest(Some(session), None, "Bash", ToolClass::Shell, arguments);
    HookPhase { call: CallKey { id: None, digest }, order, is_of_sub_agent: false }
}

/// Confines nothing by itself.
fn asking(more: &str) -> Policy {
    parse(&format!("version = 1\n{more}")).unwrap().policy
}

pub(super) fn shown(gate: &Gate, number: u128) -> Option<WallsHash> {
    gate.entry(id(number))?.evaluation.offered_walls().map(Walls::hash)
}

fn confined(walls: WallsHash) -> PersonsDecision {
    PersonsDecision { confined: Some(Box::new(walls)), ..PersonsDecision::approve() }
}

pub(super) fn decide(gate: &mut Gate, number: u128, decision: PersonsDecision, seconds: i64) -> Reaction {
    gate.handle(Input::Decide { id: id(number), decision, approver: person() }, at(seconds))
}

pub(super) fn submit(gate: &mut Gate, request: Request, seconds: i64) -> Acknowledgement {
    gate.handle(Input::submit(request), at(seconds)).answer.unwrap()
}

pub(super) fn outcome(gate: &Gate, number: u128) -> Option<Outcome> {
    gate.entry(id(number)).unwrap().life.outcome.clone()
}

fn enter(gate: &mut Gate, number: u128, requester: &str, seconds: i64) -> Result<Acknowledgement, Refusal> {
    gate.handle(Input::EnterWalls { id: id(number), requester: requester.into() }, at(seconds)).answer
}

fn denial(clause: &str, opening: Option<WallsOpening>) -> WallsDenial {
    WallsDenial { clause: clause.into(), opening }
}

fn denied(gate: &mut Gate, number: u128, what: &[&str]) -> Reaction {
    let denied = what.iter().map(|clause| denial(clause, None)).collect();
    reported(gate, number, "default", denied, true)
}

fn reported(gate: &mut Gate, number: u128, requester: &str, denied: Vec<WallsDenial>, failed: bool) -> Reaction {
    gate.handle(Input::WallsReported { id: id(number), requester: requester.into(), denied, failed }, at(5))
}

#[test]
fn what_is_confined_is_approved_with_its_walls_and_as_it_is_rewritten() {
    let mut gate = gate();
    submit(&mut gate, call(1, "s", LINE), 0);
    let outcome = outcome(&gate, 1).unwrap();
    assert_eq!((outcome.status, outcome.decided_by), (Status::Approved, DecidedBy::Policy));
    assert_eq!(outcome.reason, "Runs confined: writes only in app, no network.");
    assert_eq!(outcome.arguments, Some(rewritten(1, LINE)));
    assert_eq!(outcome.arguments_hash, ArgumentsHash::of(&rewritten(1, LINE)).unwrap());
    assert_eq!(outcome.walls.map(|walls| walls.project).as_deref(), Some("/srv/app"));
}

#[test]
fn walls_are_collected_once_by_who_asked_and_not_for_long() {
    let mut gate = gate();
    submit(&mut gate, call(1, "s", LINE), 0);
    assert_eq!(enter(&mut gate, 1, "another", 1), Err(Refusal::NoWalls));
    let run = gate.walls_of(id(1), "default", at(1)).unwrap().clone();
    assert_eq!((run.line.as_str(), run.shell.as_str(), run.folder.as_str()), (LINE, "/bin/sh", "/srv/app"));
    assert_eq!(enter(&mut gate, 1, "default", 1), Ok(Acknowledgement::Done));
    assert_eq!(enter(&mut gate, 1, "default", 1), Err(Refusal::NoWalls));
    assert!(gate.walls_of(id(1), "default", at(1)).is_none());
    submit(&mut gate, call(2, "s", LINE), 10);
    assert_eq!(enter(&mut gate, 2, "default", 10 + 120), Err(Refusal::NoWalls));
    assert_eq!(enter(&mut gate, 3, "default", 1), Err(Refusal::NoWalls));
}

#[test]
fn what_a_person_is_asked_about_has_no_walls() {
    for request in [
        Request { require_approval: true, ..call(1, "s", LINE) },
        Request { is_redacted: true, ..call(1, "s", LINE) },
        Request { confinable: Confinable::default(), ..call(1, "s", LINE) },
        call(1, "s", "make test && git push"),
    ] {
        let mut gate = gate();
        submit(&mut gate, request, 0);
        assert_eq!(outcome(&gate, 1), None);
        gate.handle(Input::Decide { id: id(1), decision: PersonsDecision::approve(), approver: person() }, at(1))
            .answer
            .unwrap();
        assert_eq!(outcome(&gate, 1).unwrap().walls, None);
        assert_eq!(enter(&mut gate, 1, "default", 1), Err(Refusal::NoWalls));
    }
    for (mode, status) in [(Mode::AskEverything, None), (Mode::DenyEverything, Some(Status::Denied))] {
        let mut gate = gate();
        gate.handle(Input::SetMode(mode), at(0)).answer.unwrap();
        submit(&mut gate, call(1, "s", LINE), 0);
        assert_eq!(outcome(&gate, 1).map(|outcome| outcome.status), status);
    }
}

#[test]
fn what_was_not_recorded_has_no_walls() {
    let mut gate = gate();
    let mut reaction = gate.handle(Input::submit(call(1, "s", LINE)), at(0));
    gate.unrecorded(&mut reaction.effects, at(0));
    assert_eq!(enter(&mut gate, 1, "default", 1), Err(Refusal::NoWalls));
}

#[test]
fn what_has_met_its_walls_goes_to_a_person_who_hears_what_it_wanted() {
    let mut gate = gate();
    submit(&mut gate, call(1, "s", LINE), 0);
    enter(&mut gate, 1, "default", 1).unwrap();
    let reaction = denied(&mut gate, 1, &["connect 192.0.2.1:443", "write /srv/\u{202e}x", "write /a", "write /b"]);
    assert!(matches!(reaction.effects.as_slice(), [Effect::Record(Record::WallsDenied(_, what))] if what.len() == 4));
    submit(&mut gate, call(2, "s", LINE), 6);
    let entry = gate.entry(id(2)).unwrap();
    assert!(entry.life.is_open());
    let why = &entry.evaluation.policy.why;
    assert!(
        why.starts_with("It has run confined in this session, and its walls denied: connect 192.0.2.1:443; write"),
        "{why}"
    );
    assert!(why.ends_with("and 1 more.") && !why.contains('\u{202e}'), "{why}");
    // Neither another call nor another session has met them.
    submit(&mut gate, call(3, "s", "make lint"), 6);
    submit(&mut gate, call(4, "t", LINE), 6);
    assert!([3, 4].into_iter().all(|number| outcome(&gate, number).is_some_and(|outcome| outcome.walls.is_some())));
}

#[test]
fn nobody_reports_denials_of_what_ran_without_walls() {
    let mut gate = gate();
    submit(&mut gate, call(1, "s", "git push"), 0);
    assert_eq!(denied(&mut gate, 1, &["write /a"]).answer, Err(Refusal::NoWalls));
    submit(&mut gate, call(2, "s", LINE), 0);
    let reaction = reported(&mut gate, 2, "another", vec![denial("write /a", None)], true);
    assert_eq!(reaction.answer, Err(Refusal::NoWalls));
    assert_eq!(reported(&mut gate, 2, "default", Vec::new(), false).answer, Err(Refusal::NoWalls));
}

#[test]
fn a_persons_word_for_the_session_counts_more_than_walls() {
    let remembered = |decision: PersonsDecision| {
        let mut gate = gate();
        submit(&mut gate, call(1, "s", LINE), 0);
        enter(&mut gate, 1, "default", 1).unwrap();
        denied(&mut gate, 1, &["write /a"]).answer.unwrap();
        submit(&mut gate, call(2, "s", LINE), 6);
        let decision = decision.with_scope(Scope::Session);
        gate.handle(Input::Decide { id: id(2), decision, approver: person() }, at(7)).answer.unwrap();
        submit(&mut gate, call(3, "s", LINE), 8);
        outcome(&gate, 3).unwrap()
    };
    let approved = remembered(PersonsDecision::approve());
    assert_eq!((approved.status, approved.walls, approved.arguments), (Status::Approved, None, None));
    assert_eq!(remembered(PersonsDecision::deny(None)).status, Status::Denied);
}

#[test]
fn the_rewritten_line_that_is_asked_about_again_is_the_same_call() {
    let mut gate = gate();
    submit(&mut gate, call(1, "s", LINE), 0);
    let again = |number: u128, arguments: Map<String, Value>| {
        let line = arguments["command"].as_str().unwrap().to_owned();
        let arguments_hash = ArgumentsHash::of(&arguments).unwrap();
        let hook_phase = Some(phase("s", &arguments, PhaseOrder::Second));
        Request { arguments, arguments_hash, hook_phase, confinable: Confinable::default(), ..call(number, "s", &line) }
    };
    assert_eq!(submit(&mut gate, again(2, rewritten(7, LINE)), 1), Acknowledgement::Accepted(id(2)), "another call");
    assert_eq!(submit(&mut gate, again(3, rewritten(1, LINE)), 1), Acknowledgement::Joined(id(1)));
    assert_eq!(submit(&mut gate, again(4, rewritten(1, LINE)), 2), Acknowledgement::Accepted(id(4)), "once");
    gate.handle(Input::EndSession(session_key("s")), at(3)).answer.unwrap();
}

#[test]
fn rules_that_are_changed_take_walls_back() {
    for input in [
        Input::SetPolicy(parse("version = 1\npreset = \"strict\"").unwrap().policy.into()),
        Input::SetMode(Mode::DenyEverything),
    ] {
        let mut gate = gate();
        submit(&mut gate, call(1, "s", LINE), 0);
        gate.handle(input, at(1)).answer.unwrap();
        assert_eq!(enter(&mut gate, 1, "default", 1), Err(Refusal::NoWalls));
    }
}

#[test]
fn a_person_has_a_call_run_inside_the_walls_that_were_shown() {
    let mut gate = Gate::new(asking("[confine]\ncaches = [\"npm\", \"go\"]"), Limits::default());
    submit(&mut gate, call(1, "s", LINE), 0);
    let walls = shown(&gate, 1).unwrap();
    assert_eq!(decide(&mut gate, 1, confined(walls), 1).answer, Ok(Acknowledgement::Done));
    let outcome = outcome(&gate, 1).unwrap();
    assert_eq!((outcome.status, outcome.decided_by), (Status::Approved, DecidedBy::Person));
    assert_eq!(outcome.reason, "Approved to run confined: writes only in app and 2 caches, no network.");
    assert_eq!(outcome.arguments, Some(rewritten(1, LINE)));
    assert_eq!(gate.walls_of(id(1), "default", at(1)).unwrap().walls.caches, ["npm", "go"]);
    assert_eq!(enter(&mut gate, 1, "default", 1), Ok(Acknowledgement::Done));
    assert_eq!(enter(&mut gate, 1, "default", 1), Err(Refusal::NoWalls));
}

#[test]
fn walls_that_have_changed_are_put_before_the_person_again() {
    let mut gate = Gate::new(asking(""), Limits::default());
    submit(&mut gate, call(1, "s", LINE), 0);
    let before = shown(&gate, 1).unwrap();
    let wider = asking("[confine]\nwrite = [\"/srv/out\"]").into();
    gate.handle(Input::SetPolicy(wider), at(1)).answer.unwrap();
    let reaction = decide(&mut gate, 1, confined(before.clone()), 2);
    assert_eq!(reaction.answer, Err(Refusal::WallsChanged));
    assert_eq!(reaction.effects, [Effect::Withdraw(id(1)), Effect::Present(id(1))]);
    assert_eq!(outcome(&gate, 1), None);
    let now = shown(&gate, 1).unwrap();
    assert_ne!(now, before);
    decide(&mut gate, 1, confined(now), 3).answer.unwrap();
    assert_eq!(outcome(&gate, 1).unwrap().walls.unwrap().write, ["/srv/out"]);
}

#[test]
fn what_cannot_be_confined_is_not_confined_by_a_person_either() {
    let hash = WallsHash::named("0".repeat(64));
    let protected = Request { unseen: Some("its files do not answer".into()), ..call(1, "s", LINE) };
    for request in [
        protected,
        Request { confinable: Confinable::default(), ..call(1, "s", LINE) },
        Request { accepts_edits: false, ..call(1, "s", LINE) },
        Request { project: None, ..call(1, "s", LINE) },
        call(1, "s", "gh auth token"),
        call(1, "s", "cat ~/.ssh/id_ed25519"),
        call(1, "s", "git push"),
    ] {
        let mut gate = Gate::new(asking(""), Limits::default());
        submit(&mut gate, request, 0);
        assert_eq!(shown(&gate, 1), None);
        assert_eq!(decide(&mut gate, 1, confined(hash.clone()), 1).answer, Err(Refusal::NotConfinable));
        assert_eq!(outcome(&gate, 1), None);
    }
    let mut gate = Gate::new(asking(""), Limits::default());
    submit(&mut gate, call(1, "s", LINE), 0);
    assert_eq!(decide(&mut gate, 1, confined(hash), 1).answer, Err(Refusal::WallsChanged), "no walls have this hash");
    assert_eq!(outcome(&gate, 1), None);
}

#[test]
fn a_confined_approval_says_nothing_else() {
    let mut gate = Gate::new(asking(""), Limits::default());
    submit(&mut gate, call(1, "s", LINE), 0);
    let once = confined(shown(&gate, 1).unwrap());
    for decision in [
        PersonsDecision { decision: crate::Decision::Deny, ..once.clone() },
        once.clone().with_scope(Scope::Session),
        PersonsDecision { arguments: Some(object(json!({ "command": "make" }))), ..once.clone() },
        PersonsDecision { late: true, ..once.clone() },
    ] {
        assert_eq!(decide(&mut gate, 1, decision, 1).answer, Err(Refusal::ConfinedAlone));
    }
    assert_eq!(outcome(&gate, 1), None);
    let expires = gate.entry(id(1)).unwrap().life.expires_at;
    gate.handle(Input::Tick, expires).answer.unwrap();
    let late = PersonsDecision { late: true, ..once };
    let late = gate.handle(Input::Decide { id: id(1), decision: late, approver: person() }, expires);
    assert_eq!(late.answer, Err(Refusal::ConfinedAlone), "a late approval would let the next call run without walls");
}

#[test]
fn the_second_phase_of_a_call_that_a_person_has_confined_is_the_rewritten_one() {
    let mut gate = Gate::new(asking(""), Limits::default());
    submit(&mut gate, call(1, "s", LINE), 0);
    let walls = shown(&gate, 1).unwrap();
    decide(&mut gate, 1, confined(walls), 1).answer.unwrap();
    let second = |number: u128, arguments: Map<String, Value>| {
        let line = arguments["command"].as_str().unwrap().to_owned();
        let arguments_hash = ArgumentsHash::of(&arguments).unwrap();
        let hook_phase = Some(phase("s", &arguments, PhaseOrder::Second));
        Request { arguments, arguments_hash, hook_phase, confinable: Confinable::default(), ..call(number, "s", &line) }
    };
    let plain = object(json!({ "command": LINE, "timeout": 5 }));
    assert_eq!(
        submit(&mut gate, second(2, plain), 1),
        Acknowledgement::Accepted(id(2)),
        "it was not approved as it is"
    );
    assert_eq!(outcome(&gate, 2), None);
    assert_eq!(submit(&mut gate, second(3, rewritten(1, LINE)), 1), Acknowledgement::Joined(id(1)));
}

#[test]
fn who_is_asked_hears_what_the_same_walls_have_denied() {
    let mut gate = Gate::new(asking(""), Limits::default());
    submit(&mut gate, call(1, "s", LINE), 0);
    let walls = shown(&gate, 1).unwrap();
    decide(&mut gate, 1, confined(walls), 1).answer.unwrap();
    enter(&mut gate, 1, "default", 2).unwrap();
    denied(&mut gate, 1, &["write /srv/out/x"]).answer.unwrap();
    submit(&mut gate, call(2, "s", LINE), 6);
    let heard = |gate: &Gate, number| {
        let denied = &gate.entry(id(number)).unwrap().evaluation.denied_by_walls;
        denied.iter().map(|denial| denial.clause.clone()).collect::<Vec<_>>()
    };
    assert_eq!(heard(&gate, 2), ["write /srv/out/x"]);
    let wider = asking("[confine]\nwrite = [\"/srv/out\"]").into();
    gate.handle(Input::SetPolicy(wider), at(7)).answer.unwrap();
    submit(&mut gate, call(3, "s", LINE), 8);
    assert_eq!(heard(&gate, 3), [""; 0], "those are other walls");
}

/// What met its walls runs inside of wider ones at once, also where it waits for a person already.
#[test]
fn walls_that_were_widened_are_tried_again() {
    let confining = |more: &str| {
        let rule = "[[rule]]\ncommand = \"make *\"\naction = \"confine\"\n";
        parse(&format!("version = 1\n{rule}{more}")).unwrap().policy
    };
    let mut gate = Gate::new(confining(""), Limits::default());
    submit(&mut gate, call(1, "s", LINE), 0);
    enter(&mut gate, 1, "default", 1).unwrap();
    denied(&mut gate, 1, &["write /srv/out/x"]).answer.unwrap();
    submit(&mut gate, call(2, "s", LINE), 6);
    assert_eq!(outcome(&gate, 2), None);
    // What is asked about stays so while nothing has changed about its walls.
    gate.handle(Input::SetPolicy(confining("").into()), at(7)).answer.unwrap();
    assert_eq!(outcome(&gate, 2), None);
    gate.handle(Input::SetPolicy(confining("[confine]\nwrite = [\"/srv/out\"]").into()), at(8)).answer.unwrap();
    let outcome = outcome(&gate, 2).unwrap();
    assert_eq!((outcome.status, outcome.decided_by), (Status::Approved, DecidedBy::Policy));
    assert_eq!(outcome.walls.unwrap().write, ["/srv/out"]);
}

/// A call that a person has run confined, and that its walls have denied these.
fn met(policy: Policy, openings: &[WallsOpening]) -> Gate {
    let mut gate = Gate::new(policy, Limits::default());
    submit(&mut gate, call(1, "s", LINE), 0);
    let walls = shown(&gate, 1).unwrap();
    decide(&mut gate, 1, confined(walls), 1).answer.unwrap();
    enter(&mut gate, 1, "default", 1).unwrap();
    let denied = openings.iter().map(|opening| denial("write somewhere", Some(opening.clone()))).collect();
    reported(&mut gate, 1, "default", denied, true).answer.unwrap();
    submit(&mut gate, call(2, "s", LINE), 6);
    gate
}

fn folder(path: &str) -> WallsOpening {
    WallsOpening::Folder(path.into())
}

#[test]
fn wider_walls_are_offered_and_are_those_of_the_policy_then() {
    let cache = WallsOpening::Cache("npm".into());
    let openings = [folder("/srv/out"), cache.clone(), folder("/srv/out")];
    let mut gate = met(asking("[confine]\ncaches = [\"go\"]"), &openings);
    let widenings = gate.entry(id(2)).unwrap().evaluation.widenings.clone();
    assert_eq!(widenings.iter().map(|one| one.opening.clone()).collect::<Vec<_>>(), [folder("/srv/out"), cache]);
    let tables: Vec<&str> = widenings.iter().map(|one| one.table.toml.as_str()).collect();
    assert_eq!(
        tables,
        [
            "[[confine.project]]\nproject = \"/srv/app\"\nwrite = [\"/srv/out\"]\n",
            "[[confine.project]]\ncaches = [\"npm\"]\nproject = \"/srv/app\"\n",
        ]
    );
    for widening in widenings {
        let mut gate = gate.clone();
        let wider = confined(widening.walls.hash());
        assert_eq!(gate.widening(id(2), &wider, &person()), Some(&widening));
        // Until they are in the policy, no answer is about them.
        assert_eq!(decide(&mut gate.clone(), 2, wider.clone(), 7).answer, Err(Refusal::WallsChanged));
        let written = asking(&format!("[confine]\ncaches = [\"go\"]\n{}", widening.table.toml));
        gate.handle(Input::SetPolicy(written.into()), at(7)).answer.unwrap();
        decide(&mut gate, 2, wider, 8).answer.unwrap();
        assert_eq!(outcome(&gate, 2).unwrap().walls, Some(widening.walls));
    }
    let now = confined(shown(&gate, 2).unwrap());
    assert_eq!(gate.widening(id(2), &now, &person()), None, "these are the walls as they are");
    decide(&mut gate, 2, now, 9).answer.unwrap();
    assert_eq!(outcome(&gate, 2).unwrap().walls.unwrap().caches, ["go"]);
}

#[test]
fn who_may_not_decide_widens_nothing() {
    let gate = met(asking(""), &[folder("/srv/out")]);
    let wider = confined(gate.entry(id(2)).unwrap().evaluation.widenings[0].walls.hash());
    let terminal = Approver { authority: Authority::Terminal, ..person() };
    assert_eq!(gate.widening(id(2), &wider, &terminal), None, "a terminal that cannot be told apart from the agent");
    for decision in [
        PersonsDecision { decision: crate::Decision::Deny, ..wider.clone() },
        wider.clone().with_scope(Scope::Session),
        PersonsDecision { late: true, ..wider.clone() },
        PersonsDecision::approve(),
        confined(WallsHash::named("0".into())),
    ] {
        assert_eq!(gate.widening(id(2), &decision, &person()), None);
    }
    assert!(gate.widening(id(2), &wider, &person()).is_some());
    let mut gate = gate;
    decide(&mut gate, 2, PersonsDecision::deny(None), 7).answer.unwrap();
    assert_eq!(gate.widening(id(2), &wider, &person()), None, "it is over");
}

#[test]
fn what_acts_later_or_is_protected_is_never_offered() {
    let home = "/home/ann";
    for path in [
        "/srv/app",
        "/srv/app/src",
        "/srv",
        "/",
        home,
        "/home",
        "/home/ann/.claude",
        "/home/ann/.config/autostart",
        "/home/ann/.local/bin",
        "/home/ann/other/.git/hooks",
        "/home/ann/other/.github/workflows",
        "/home/ann/other/.vscode",
        "relative",
        "/srv/hid\u{202e}den",
        "/srv/pat*tern",
    ] {
        let gate = met(asking(""), &[folder(path)]);
        assert_eq!(gate.entry(id(2)).unwrap().evaluation.widenings, [], "{path}");
    }
    let gate = met(asking(""), &[WallsOpening::Cache("all".into())]);
    assert_eq!(gate.entry(id(2)).unwrap().evaluation.widenings, []);
    let closed = asking("[confine]\nwrite = [\"/srv/out\"]\nread_deny = [\"/srv/keys/own\"]\ncaches = [\"npm\"]");
    for opening in [folder("/srv/out/x"), folder("/srv/keys"), WallsOpening::Cache("npm".into())] {
        let gate = met(closed.clone(), std::slice::from_ref(&opening));
        assert_eq!(gate.entry(id(2)).unwrap().evaluation.widenings, [], "{opening:?}");
    }
}

/// What happens while a person looks at walls.
#[derive(Clone, Debug)]
enum Step {
    Submit(u8),
    /// The person sees what waits.
    Look,
    /// The person decides about what was seen last.
    Confine(u8),
    Policy(u8),
    Mode(u8),
    Met(u8),
}

const TABLES: &[&str] = &[
    "",
    "[confine]\ncaches = [\"npm\"]",
    "[confine]\nwrite = [\"out\"]\n[[rule]]\ncommand = \"make *\"\naction = \"confine\"",
    "[[rule]]\ncommand = \"make *\"\naction = \"deny\"",
    "[[rule]]\ncommand = \"make *\"\naction = \"allow\"",
];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..4_u8).prop_map(Step::Submit),
        3 => Just(Step::Look),
        4 => any::<u8>().prop_map(Step::Confine),
        2 => (0..5_u8).prop_map(Step::Policy),
        1 => (0..3_u8).prop_map(Step::Mode),
        2 => any::<u8>().prop_map(Step::Met),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Whatever comes between: a confined answer approves nothing but the call inside the walls that were seen, which are
    /// those of the policy in force.
    #[test]
    fn a_confined_answer_is_about_the_walls_that_were_seen(steps in proptest::collection::vec(step(), 1..40)) {
        let lines = ["make test", "make lint", "frob x", "make test && git push"];
        let mut gate = Gate::new(asking(""), Limits::default());
        let mut number = 0_u128;
        let mut asked: Vec<&str> = vec![""];
        let mut seen: Vec<(u128, WallsHash)> = Vec::new();
        for (second, step) in (0_i64..).zip(steps) {
            match step {
                Step::Submit(line) => {
                    number += 1;
                    asked.push(lines[usize::from(line)]);
                    submit(&mut gate, call(number, "s", lines[usize::from(line)]), second);
                }
                Step::Look => {
                    seen = (1..=number)
                        .filter(|number| gate.entry(id(*number)).is_some_and(|entry| entry.life.is_open()))
                        .filter_map(|number| Some((number, shown(&gate, number)?)))
                        .collect();
                }
                Step::Confine(which) => {
                    let Some((number, walls)) = seen.get(usize::from(which) % seen.len().max(1)).cloned() else { continue };
                    let was_open = outcome(&gate, number).is_none();
                    let reaction = decide(&mut gate, number, confined(walls.clone()), second);
                    let ended = outcome(&gate, number);
                    prop_assert_eq!(reaction.answer.is_ok(), was_open && ended.is_some());
                    if reaction.answer.is_err() {
                        continue;
                    }
                    let outcome = ended.unwrap();
                    prop_assert_eq!((outcome.status, outcome.decided_by), (Status::Approved, DecidedBy::Person));
                    let inside = outcome.walls.unwrap();
                    prop_assert_eq!(inside.hash(), walls);
                    let call = call(number, "s", asked[usize::try_from(number).unwrap()]);
                    let says = gate.evaluate(&call, at(second));
                    prop_assert_eq!(says.policy.walls_around(), Some(&inside));
                    prop_assert!(gate.walls_of(id(number), "default", at(second)).is_some());
                }
                Step::Policy(table) => {
                    gate.handle(Input::SetPolicy(asking(TABLES[usize::from(table)]).into()), at(second)).answer.unwrap();
                }
                Step::Mode(mode) => {
                    let mode = [Mode::Normal, Mode::AskEverything, Mode::DenyEverything][usize::from(mode)];
                    gate.handle(Input::SetMode(mode), at(second)).answer.unwrap();
                }
                Step::Met(which) => {
                    if number > 0 {
                        let _ = denied(&mut gate, u128::from(which) % number + 1, &["write /srv/x"]);
                    }
                }
            }
        }
    }
}

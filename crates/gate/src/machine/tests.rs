use super::test_support::{at, id, in_session, person, request, requests_limited, session_key};
use super::*;
use crate::{DecidedBy, Status};
use handraise_policy::{Breadth, Doubt, Policy, ProcessId, ProcessTree, Scope};

fn gate() -> Gate {
    Gate::new(Policy::default(), Limits::default())
}

fn submit(gate: &mut Gate, request: Request, seconds: i64) -> Reaction {
    gate.handle(Input::submit(request), at(seconds))
}

fn decide(gate: &mut Gate, number: u128, decision: PersonsDecision, seconds: i64) -> Reaction {
    gate.handle(Input::Decide { id: id(number), decision, approver: person() }, at(seconds))
}

fn status(gate: &Gate, number: u128) -> Option<Status> {
    gate.entry(id(number)).unwrap().life.outcome.as_ref().map(|outcome| outcome.status)
}

#[test]
fn what_an_earlier_policy_said_does_not_count() {
    let open: Arc<PolicyInForce> =
        handraise_policy::rules::parse("version = 1\npreset = \"autonomous\"").unwrap().policy.into();
    let mut gate = Gate::new(open.clone(), Limits::default());
    let request = in_session(1, "s", "edit", "{}");
    let foreseen = Some(Box::new(Foreseen::new(&open, &request, at(0))));
    assert_eq!(foreseen.as_ref().unwrap().decision.action, handraise_policy::Action::Allow);
    let strict =
        handraise_policy::rules::parse("version = 1\n[[rule]]\npattern = \"*\"\naction = \"deny\"").unwrap().policy;
    gate.handle(Input::SetPolicy(strict.into()), at(0)).answer.unwrap();
    let input = Input::Submit { request: Box::new(request), foreseen, unless_asked: false };
    gate.handle(input, at(0)).answer.unwrap();
    assert_eq!(gate.entry(id(1)).unwrap().life.outcome.as_ref().unwrap().status, Status::Denied);
}

#[test]
fn a_call_that_asks_is_presented_and_ends_with_the_persons_answer() {
    let mut gate = gate();
    let asked = submit(&mut gate, request("edit", "{}"), 0);
    assert_eq!(asked.effects, [Effect::Record(Record::Requested(id(1))), Effect::Present(id(1))]);

    let decided = decide(&mut gate, 1, PersonsDecision::approve(), 5);
    let outcome = gate.entry(id(1)).unwrap().life.outcome.clone().unwrap();
    assert_eq!(
        decided.effects,
        [
            Effect::Record(Record::Decided(id(1), outcome.clone(), Some("prompt window".into()))),
            Effect::Withdraw(id(1)),
            Effect::Resolve(id(1), outcome.clone()),
        ]
    );
    assert_eq!((outcome.status, outcome.decided_by), (Status::Approved, DecidedBy::Person));
}

#[test]
fn a_timeout_that_is_due_beats_the_click_that_comes_with_it() {
    let mut gate = gate();
    submit(&mut gate, request("edit", "{}"), 0);
    assert_eq!(gate.next_deadline(), Some(at(300)));
    let reaction = decide(&mut gate, 1, PersonsDecision::approve(), 300);
    assert!(matches!(reaction.answer, Err(Refusal::AlreadyOver(outcome)) if outcome.status == Status::Timeout));
    assert!(reaction.effects.contains(&Effect::Withdraw(id(1))));
}

#[test]
fn the_second_of_two_approvers_learns_how_it_ended() {
    let mut gate = gate();
    submit(&mut gate, request("edit", "{}"), 0);
    decide(&mut gate, 1, PersonsDecision::deny(Some("not now".into())), 1);
    let second = decide(&mut gate, 1, PersonsDecision::approve(), 2);
    assert!(matches!(second.answer, Err(Refusal::AlreadyOver(outcome)) if outcome.reason == "not now"));
    assert_eq!(second.effects, []);
}

#[test]
fn a_session_grant_covers_the_same_call_of_that_session_only() {
    let mut gate = gate();
    submit(&mut gate, in_session(1, "a", "edit", "{}"), 0);
    decide(&mut gate, 1, PersonsDecision::approve().with_scope(Scope::Session), 1);

    submit(&mut gate, in_session(2, "a", "edit", "{}"), 2);
    assert_eq!(gate.entry(id(2)).unwrap().life.outcome.as_ref().unwrap().decided_by, DecidedBy::Grant);
    submit(&mut gate, in_session(3, "b", "edit", "{}"), 3);
    assert_eq!(status(&gate, 3), None);
    submit(&mut gate, in_session(4, "a", "edit", r#"{"more":1}"#), 4);
    assert_eq!(status(&gate, 4), None);
    submit(&mut gate, in_session(5, "a:b", "edit", "{}"), 5);
    assert_eq!(status(&gate, 5), None);
}

#[test]
fn a_new_grant_settles_what_waits_and_is_covered() {
    let mut gate = gate();
    for number in 1..=3 {
        submit(&mut gate, in_session(number, "a", "edit", "{}"), 0);
    }
    decide(&mut gate, 2, PersonsDecision::approve().with_scope(Scope::Session), 1);
    assert_eq!([1, 2, 3].map(|number| status(&gate, number)), [Some(Status::Approved); 3]);
}

#[test]
fn a_deny_grant_refuses_without_asking() {
    let mut gate = gate();
    submit(&mut gate, in_session(1, "a", "edit", "{}"), 0);
    decide(
        &mut gate,
        1,
        PersonsDecision { breadth: Breadth::Tool, ..PersonsDecision::deny(None).with_scope(Scope::Session) },
        1,
    );
    submit(&mut gate, in_session(2, "a", "edit", r#"{"other":true}"#), 2);
    assert_eq!(status(&gate, 2), Some(Status::Denied));
}

#[test]
fn grants_end_with_their_time_their_session_and_their_revocation() {
    let mut gate = gate();
    submit(&mut gate, in_session(1, "a", "edit", "{}"), 0);
    decide(&mut gate, 1, PersonsDecision::approve().with_scope(Scope::Minutes), 0);
    submit(&mut gate, in_session(2, "a", "edit", "{}"), 899);
    assert_eq!(status(&gate, 2), Some(Status::Approved));
    submit(&mut gate, in_session(3, "a", "edit", "{}"), 900);
    assert_eq!(status(&gate, 3), None);

    decide(&mut gate, 3, PersonsDecision::approve().with_scope(Scope::Session), 901);
    let grant = gate.grants()[0].id;
    gate.handle(Input::RevokeGrant(grant), at(902)).answer.unwrap();
    submit(&mut gate, in_session(4, "a", "edit", "{}"), 903);
    assert_eq!(status(&gate, 4), None);

    decide(&mut gate, 4, PersonsDecision::approve().with_scope(Scope::Session), 904);
    let ended = gate.handle(Input::EndSession(session_key("a")), at(905));
    assert!(ended.effects.contains(&Effect::LastingEffect(LastingEffect::GrantsChanged)));
    submit(&mut gate, in_session(5, "a", "edit", "{}"), 906);
    assert_eq!(status(&gate, 5), None);

    decide(&mut gate, 5, PersonsDecision::approve().with_scope(Scope::Session), 907);
    let twelve_hours = 12 * 60 * 60;
    submit(&mut gate, in_session(6, "a", "edit", "{}"), 907 + twelve_hours);
    assert_eq!(status(&gate, 6), None);
}

#[test]
fn nothing_is_remembered_without_a_session() {
    let mut gate = gate();
    submit(&mut gate, request("edit", "{}"), 0);
    let refused = decide(&mut gate, 1, PersonsDecision::approve().with_scope(Scope::Session), 1);
    assert_eq!(refused.answer, Err(Refusal::NoSession));
    assert_eq!(status(&gate, 1), None);
}

#[test]
fn a_shell_cannot_be_approved_as_a_whole() {
    let mut gate = gate();
    let shell = Request { class: handraise_policy::ToolClass::Shell, ..in_session(1, "a", "Bash", "{}") };
    submit(&mut gate, shell, 0);
    let wide = PersonsDecision { breadth: Breadth::Tool, ..PersonsDecision::approve().with_scope(Scope::Session) };
    assert_eq!(decide(&mut gate, 1, wide, 1).answer, Err(Refusal::TooWide));
}

#[test]
fn a_retry_with_the_same_key_joins_and_another_call_does_not() {
    let mut gate = gate();
    let keyed = |number, arguments: &str| Request {
        idempotency_key: Some("k".into()),
        ..in_session(number, "a", "edit", arguments)
    };
    submit(&mut gate, keyed(1, "{}"), 0);
    assert_eq!(submit(&mut gate, keyed(2, "{}"), 1).answer, Ok(Acknowledgement::Joined(id(1))));
    assert_eq!(submit(&mut gate, keyed(3, r#"{"x":1}"#), 1).answer, Err(Refusal::KeyReused));

    gate.handle(Input::HangUp { id: id(1), departure: Departure::ConnectionClosed }, at(2)).answer.unwrap();
    assert_eq!(submit(&mut gate, keyed(4, "{}"), 3).answer, Ok(Acknowledgement::Joined(id(1))));
    gate.handle(Input::HangUp { id: id(1), departure: Departure::ConnectionClosed }, at(4)).answer.unwrap();
    gate.handle(Input::Tick, at(34)).answer.unwrap();
    assert_eq!(status(&gate, 1), Some(Status::Cancelled));
}

#[test]
fn a_requester_that_hangs_up_takes_its_request_along() {
    let mut gate = gate();
    submit(&mut gate, request("edit", "{}"), 0);
    let gone = gate.handle(Input::HangUp { id: id(1), departure: Departure::ConnectionClosed }, at(1));
    assert!(gone.effects.contains(&Effect::Withdraw(id(1))));
    assert_eq!(status(&gate, 1), Some(Status::Cancelled));
}

#[test]
fn only_its_own_requester_can_cancel() {
    let mut gate = gate();
    submit(&mut gate, request("edit", "{}"), 0);
    let cancel =
        |requester: &str| Input::Cancel { id: id(1), requester: requester.into(), reason: "changed its mind".into() };
    assert_eq!(gate.handle(cancel("other"), at(1)).answer, Err(Refusal::UnknownRequest));
    assert_eq!(gate.handle(cancel("default"), at(1)).answer, Ok(Acknowledgement::Done));
}

#[test]
fn a_late_approval_becomes_a_ticket_for_one_identical_call() {
    let mut gate = gate();
    submit(&mut gate, in_session(1, "a", "edit", "{}"), 0);
    gate.handle(Input::Tick, at(300)).answer.unwrap();
    let late = PersonsDecision { late: true, ..PersonsDecision::approve() };
    assert_eq!(decide(&mut gate, 1, late, 310).answer, Ok(Acknowledgement::TicketMinted));

    submit(&mut gate, in_session(2, "b", "edit", "{}"), 311);
    assert_eq!(status(&gate, 2), None);
    submit(&mut gate, in_session(3, "a", "edit", "{}"), 312);
    assert_eq!(status(&gate, 3), Some(Status::Approved));
    submit(&mut gate, in_session(4, "a", "edit", "{}"), 313);
    assert_eq!(status(&gate, 4), None);
}

#[test]
fn a_late_approval_that_could_not_be_recorded_is_none() {
    let mut gate = gate();
    submit(&mut gate, in_session(1, "a", "edit", "{}"), 0);
    gate.handle(Input::Tick, at(300)).answer.unwrap();
    let mut late = decide(&mut gate, 1, PersonsDecision { late: true, ..PersonsDecision::approve() }, 310);
    gate.unrecorded(&mut late.effects, at(310));
    submit(&mut gate, in_session(2, "a", "edit", "{}"), 311);
    assert_eq!(status(&gate, 2), None);
}

#[test]
fn an_approval_that_was_not_waited_for_is_good_once_and_for_the_same_call() {
    let mut gate = gate();
    let call = in_session(1, "a", "edit", "{}");
    submit(&mut gate, call.clone(), 0);
    let redeem = |request: &Request| Input::Redeem { request: Box::new(request.clone()), id: id(1) };
    assert_eq!(gate.handle(redeem(&call), at(1)).answer, Err(Refusal::NotRedeemable));
    gate.handle(Input::Keep(id(1)), at(1)).answer.unwrap();
    decide(&mut gate, 1, PersonsDecision::approve(), 2);
    let other = in_session(1, "a", "edit", r#"{"path":"/etc/passwd"}"#);
    assert_eq!(gate.handle(redeem(&other), at(3)).answer, Err(Refusal::NotRedeemable));
    let elsewhere = Request { cwd: Some("/tmp/evil".into()), ..call.clone() };
    assert_eq!(gate.handle(redeem(&elsewhere), at(3)).answer, Err(Refusal::NotRedeemable));
    assert_eq!(gate.handle(redeem(&call), at(3)).answer, Ok(Acknowledgement::Done));
    assert_eq!(gate.handle(redeem(&call), at(4)).answer, Err(Refusal::NotRedeemable));
}

#[test]
fn changed_arguments_are_judged_again() {
    let text = "version = 1\nrule = [{ pattern = \"edit:*passwd*\", action = \"deny\" }]";
    let mut gate = Gate::new(handraise_policy::rules::parse(text).unwrap().policy, Limits::default());
    submit(&mut gate, request("edit", r#"{"path":"a"}"#), 0);
    let with = |arguments: &str| PersonsDecision {
        arguments: Some(serde_json::from_str(arguments).unwrap()),
        ..PersonsDecision::approve()
    };
    assert_eq!(decide(&mut gate, 1, with(r#"{"path":"/etc/passwd"}"#), 1).answer, Err(Refusal::EditDenied));
    decide(&mut gate, 1, with(r#"{"path":"b"}"#), 2).answer.unwrap();
    let outcome = gate.entry(id(1)).unwrap().life.outcome.clone().unwrap();
    assert_ne!(outcome.arguments_hash, gate.entry(id(1)).unwrap().request.arguments_hash);
}

#[test]
fn what_was_not_shown_cannot_be_approved() {
    let mut gate = gate();
    submit(&mut gate, request("edit", "{}"), 0);
    let other = request("edit", r#"{"x":1}"#).arguments_hash;
    let decision = PersonsDecision { arguments_hash: Some(other), ..PersonsDecision::approve() };
    assert_eq!(decide(&mut gate, 1, decision, 1).answer, Err(Refusal::OtherArguments));
}

fn process(pid: u32) -> ProcessId {
    ProcessId { pid, started: 1 }
}

fn by(authority: Authority, lineage: &[u32]) -> Approver {
    let lineage = lineage.iter().copied().map(process).collect();
    Approver { name: "x".into(), authority, process: ApproverProcess { lineage, ..ApproverProcess::default() } }
}

/// The answer to a denial that cannot be carried out, which shows that the approver was accepted.
fn tries(gate: &mut Gate, number: u128, approver: Approver) -> Result<Acknowledgement, Refusal> {
    let decision = PersonsDecision::deny(None).with_scope(Scope::Always);
    gate.handle(Input::Decide { id: id(number), decision, approver }, at(1)).answer
}

const ACCEPTED: Result<Acknowledgement, Refusal> = Err(Refusal::NoSuchRule);
const REFUSED: Result<Acknowledgement, Refusal> = Err(Refusal::OwnProcessTree);

/// shell 10 of a terminal → agent 20 → hook 30
fn tree() -> ProcessTree {
    ProcessTree { agent: vec![process(30), process(20)], terminal: vec![process(15)], ..ProcessTree::default() }
}

#[test]
fn no_process_of_the_agent_can_decide() {
    let mut gate = gate();
    submit(&mut gate, Request { processes: tree(), ..in_session(1, "a", "edit", "{}") }, 0);
    let mut by = |authority, lineage: &[u32]| tries(&mut gate, 1, by(authority, lineage));
    assert_eq!(by(Authority::Terminal, &[99, 50, 10]), ACCEPTED);
    assert_eq!(by(Authority::Terminal, &[40, 20, 10]), REFUSED);
    assert_eq!(by(Authority::Terminal, &[40, 15, 10]), REFUSED);
    assert_eq!(by(Authority::Terminal, &[]), REFUSED);
    assert_eq!(by(Authority::Token, &[99, 50, 10]), ACCEPTED);
    assert_eq!(by(Authority::Token, &[40, 20, 10]), REFUSED);
    assert_eq!(by(Authority::InProcess, &[]), ACCEPTED);
}

#[test]
fn who_has_asked_is_known_for_good_and_for_every_request() {
    let mut gate = gate();
    // Allowed at once, without a session, and refused: all of them have asked.
    let look = Request { declared_risk: Some(handraise_policy::RiskLevel::ReadOnly), ..request("look", "{}") };
    submit(&mut gate, Request { processes: tree(), id: id(7), ..look }, 0);
    gate.handle(Input::Tick, at(1_000_000));
    submit(&mut gate, in_session(1, "b", "edit", "{}"), 0);
    for (authority, lineage) in [(Authority::Terminal, [40, 20]), (Authority::Token, [40, 20])] {
        let approver = by(authority, &lineage);
        assert_eq!(gate.admit(&approver, ApproverAction::Look), Err(Refusal::OwnProcessTree));
        assert_eq!(tries(&mut gate, 1, approver), REFUSED);
    }
}

#[test]
fn a_unit_in_which_an_agent_asked_is_no_place_to_decide_from() {
    let mut gate = gate();
    let unit = |name: &str| Some(format!("app.slice/{name}.scope"));
    let processes = ProcessTree { unit: unit("vte-1"), ..tree() };
    submit(&mut gate, Request { processes, ..in_session(1, "a", "edit", "{}") }, 0);
    for (name, authority, expected) in [
        ("vte-1", Authority::Terminal, REFUSED),
        ("vte-2", Authority::Terminal, ACCEPTED),
        ("vte-1", Authority::Token, REFUSED),
        ("bot", Authority::Token, ACCEPTED),
    ] {
        let mut approver = by(authority, &[99, 50]);
        approver.process.units = unit(name).into_iter().collect();
        assert_eq!(tries(&mut gate, 1, approver), expected, "{name}");
    }
}

#[test]
fn a_process_of_which_too_little_is_known_looks_at_most() {
    let mut gate = gate();
    submit(&mut gate, in_session(1, "a", "edit", "{}"), 0);
    let doubtful = |may_look, authority| {
        let mut approver = by(authority, &[99]);
        approver.process.doubt = Some(Doubt { sentence: "Who is that?".into(), may_look });
        approver
    };
    let refused = || Err::<Acknowledgement, _>(Refusal::UnknownApprover("Who is that?".into()));
    for authority in [Authority::Terminal, Authority::Token] {
        assert_eq!(gate.admit(&doubtful(true, authority), ApproverAction::Look), Ok(()));
        assert_eq!(gate.admit(&doubtful(false, authority), ApproverAction::Look).err(), refused().err());
        assert_eq!(tries(&mut gate, 1, doubtful(true, authority)), refused());
    }
    assert_eq!(tries(&mut gate, 1, doubtful(false, Authority::InProcess)), ACCEPTED);
}

#[test]
fn what_a_hidden_program_asks_is_answered_in_the_window_only() {
    let mut gate = gate();
    let processes = ProcessTree { is_hidden: true, ..ProcessTree::default() };
    submit(&mut gate, Request { processes, ..in_session(1, "a", "edit", "{}") }, 0);
    for authority in [Authority::Terminal, Authority::Token] {
        let refused = tries(&mut gate, 1, by(authority, &[99]));
        assert!(matches!(refused, Err(Refusal::UnknownApprover(_))), "{refused:?}");
    }
    assert_eq!(tries(&mut gate, 1, by(Authority::InProcess, &[])), ACCEPTED);
}

#[test]
fn with_a_window_terminals_and_destruction_are_what_the_person_has_set() {
    let mut gate = gate();
    let level = handraise_policy::RiskLevel::Destructive;
    submit(&mut gate, Request { table_risk: Some(level), ..in_session(1, "a", "wipe", "{}") }, 0);
    submit(&mut gate, in_session(2, "a", "edit", "{}"), 0);
    gate.set_external_decisions(ExternalDecisions { terminals: false, destructive: false });
    let mut says = |number, decision: PersonsDecision, authority| {
        let approver = by(authority, &[99, 50]);
        gate.handle(Input::Decide { id: id(number), decision, approver }, at(1)).answer
    };
    let always = || PersonsDecision::deny(None).with_scope(Scope::Always);
    assert_eq!(says(2, always(), Authority::Terminal), Err(Refusal::TerminalsOff));
    assert_eq!(says(2, always(), Authority::Token), ACCEPTED);
    assert_eq!(says(1, PersonsDecision::approve(), Authority::Token), Err(Refusal::WindowOnly));
    assert_eq!(says(1, always(), Authority::Token), ACCEPTED);
    assert_eq!(says(1, PersonsDecision::approve(), Authority::InProcess), Ok(Acknowledgement::Done));
    assert_eq!(gate.admit(&by(Authority::Terminal, &[99, 50]), ApproverAction::Look), Ok(()));
}

#[test]
fn pausing_asks_about_everything_or_denies_everything() {
    let mut gate = gate();
    let read = |number| Request {
        declared_risk: Some(handraise_policy::RiskLevel::ReadOnly),
        ..in_session(number, "a", "look", "{}")
    };
    gate.handle(Input::SetMode(Mode::AskEverything), at(0)).answer.unwrap();
    submit(&mut gate, read(1), 1);
    assert_eq!(status(&gate, 1), None);
    gate.handle(Input::SetMode(Mode::DenyEverything), at(2)).answer.unwrap();
    assert_eq!(status(&gate, 1), Some(Status::Denied));
    gate.handle(Input::SetMode(Mode::Normal), at(3)).answer.unwrap();
    submit(&mut gate, read(2), 4);
    assert_eq!(status(&gate, 2), Some(Status::Approved));
}

#[test]
fn a_flood_is_refused_and_costs_no_memory() {
    let limits = Limits {
        requests: RegistryLimits { pending: 3, pending_share: 0, finished: 2, ..RegistryLimits::REQUESTS },
        sessions: 3,
        ..Limits::default()
    };
    let mut gate = Gate::new(Policy::default(), limits);
    for number in 1..=3 {
        submit(&mut gate, in_session(number, &number.to_string(), "edit", "{}"), 0).answer.unwrap();
    }
    let fourth = submit(&mut gate, in_session(4, "d", "edit", "{}"), 0);
    assert_eq!(fourth.answer, Err(Refusal::TooManyPending));
    for number in 1..=3 {
        decide(&mut gate, number, PersonsDecision::deny(None), 1);
    }
    for number in 10..1000 {
        submit(&mut gate, in_session(number, &number.to_string(), "edit", "{}"), 2).answer.unwrap();
        decide(&mut gate, number, PersonsDecision::deny(None), 2);
    }
    assert!(gate.sessions().count() <= 3);
    assert!(gate.ended().count() <= 3);
}

#[test]
fn a_session_is_where_its_latest_call_in_a_project_was_made() {
    let mut gate = Gate::new(Policy::default(), Limits::default());
    let session = |gate: &Gate| gate.sessions().next().and_then(|(_, session)| session.project.clone());
    for (number, project, known) in
        [(1, None, None), (2, Some("/a"), Some("/a")), (3, Some("/b"), Some("/b")), (4, None, Some("/b"))]
    {
        let mut request = in_session(number, "s", "edit", "{}");
        request.project = project.map(str::to_owned);
        submit(&mut gate, request, 0).answer.unwrap();
        assert_eq!(session(&gate).as_deref(), known, "{number}");
    }
}

#[test]
fn one_requester_cannot_shut_the_others_out() {
    let limits = requests_limited(RegistryLimits { pending_per_requester: 2, ..RegistryLimits::REQUESTS });
    let mut gate = Gate::new(Policy::default(), limits);
    let by = |requester: &str, number| Request { id: id(number), requester: requester.into(), ..request("edit", "{}") };
    submit(&mut gate, by("loud", 1), 0).answer.unwrap();
    submit(&mut gate, by("loud", 2), 0).answer.unwrap();
    assert_eq!(submit(&mut gate, by("loud", 3), 0).answer, Err(Refusal::TooManyPending));
    assert_eq!(submit(&mut gate, by("quiet", 4), 0).answer, Ok(Acknowledgement::Accepted(id(4))));
}

#[test]
fn shutting_down_denies_what_is_open_and_takes_nothing_more() {
    let mut gate = gate();
    submit(&mut gate, request("edit", "{}"), 0);
    gate.handle(Input::Shutdown, at(1)).answer.unwrap();
    let outcome = gate.entry(id(1)).unwrap().life.outcome.clone().unwrap();
    assert_eq!((outcome.status, outcome.decided_by), (Status::Denied, DecidedBy::Shutdown));
    let late = submit(&mut gate, Request { id: id(2), ..request("edit", "{}") }, 2);
    assert_eq!(late.answer, Err(Refusal::ShuttingDown));
}

#[test]
fn empty_words_never_reach_the_model() {
    let mut gate = gate();
    submit(&mut gate, request("edit", "{}"), 0);
    decide(&mut gate, 1, PersonsDecision::deny(Some("  ".into())), 1);
    let outcome = gate.entry(id(1)).unwrap().life.outcome.clone().unwrap();
    assert_eq!(outcome.reason, "A person denied this call.");
    assert_eq!(outcome.scope, Some(Scope::Once));
}

#[test]
fn a_call_that_lacks_its_secrets_is_decided_by_nobody_but_a_person() {
    let mut gate = Gate::new(Policy::from_preset(handraise_policy::Preset::Autonomous), Limits::default());
    let whole = in_session(1, "s", "edit", "{}");
    assert_eq!(gate.evaluate(&whole, at(0)).action, handraise_policy::Action::Allow);
    let wanted = Request { require_approval: true, ..whole.clone() };
    assert_eq!(gate.evaluate(&wanted, at(0)).action, handraise_policy::Action::Ask);
    let redacted = Request { is_redacted: true, ..whole };
    assert_eq!(gate.evaluate(&redacted, at(0)).action, handraise_policy::Action::Ask);
    submit(&mut gate, redacted, 0);
    assert_eq!(status(&gate, 1), None);
    decide(&mut gate, 1, PersonsDecision::approve(), 1);
    assert_eq!(status(&gate, 1), Some(Status::Approved));
}

const UNSEEN: &str = "its files could not be looked at";

#[test]
fn a_call_whose_files_nobody_could_look_at_is_approved_by_nobody_but_a_person() {
    let allowed = handraise_policy::rules::Rule::new("*", handraise_policy::Action::Allow, None).unwrap();
    for preset in
        [handraise_policy::Preset::Strict, handraise_policy::Preset::Practical, handraise_policy::Preset::Autonomous]
    {
        let policy = Policy { rules: [allowed.clone()].into_iter().collect(), ..Policy::from_preset(preset) };
        let mut gate = Gate::new(policy, Limits::default());
        let seen = in_session(1, "s", "edit", "{}");
        assert_eq!(gate.evaluate(&seen, at(0)).action, handraise_policy::Action::Allow);
        let unseen = Request { id: id(2), ..seen }.with_files_unseen(UNSEEN.to_owned());
        let evaluation = gate.evaluate(&unseen, at(0));
        assert_eq!(
            (evaluation.action, evaluation.policy.grantable),
            (handraise_policy::Action::Ask, false),
            "{preset:?}"
        );
        assert!(evaluation.policy.why.contains(UNSEEN), "{}", evaluation.policy.why);
        submit(&mut gate, unseen, 0);
        assert_eq!(status(&gate, 2), None);
        decide(&mut gate, 2, PersonsDecision::approve(), 1);
        assert_eq!(status(&gate, 2), Some(Status::Approved));
    }
    let denied = handraise_policy::rules::Rule::new("edit", handraise_policy::Action::Deny, None).unwrap();
    let policy = Policy { rules: [denied].into_iter().collect(), ..Policy::default() };
    let unseen = request("edit", "{}").with_files_unseen(UNSEEN.to_owned());
    assert_eq!(Gate::new(policy, Limits::default()).evaluate(&unseen, at(0)).action, handraise_policy::Action::Deny);
}

#[test]
fn what_is_remembered_counts_for_no_call_whose_files_nobody_could_look_at() {
    // A grant.
    let mut gate = gate();
    submit(&mut gate, in_session(1, "s", "edit", "{}"), 0);
    decide(&mut gate, 1, PersonsDecision::approve().with_scope(Scope::Session), 1).answer.unwrap();
    submit(&mut gate, in_session(2, "s", "edit", "{}"), 2);
    assert_eq!(status(&gate, 2), Some(Status::Approved));
    submit(&mut gate, in_session(3, "s", "edit", "{}").with_files_unseen(UNSEEN.to_owned()), 3);
    assert_eq!(status(&gate, 3), None);
    let lasting = decide(&mut gate, 3, PersonsDecision::approve().with_scope(Scope::Session), 4);
    assert_eq!(lasting.answer, Err(Refusal::Protected));

    // A ticket.
    let timed_out = in_session(4, "t", "edit", "{}");
    let mut gate = Gate::new(Policy::default(), Limits::default());
    submit(&mut gate, Request { timeout_seconds: Some(1), ..timed_out.clone() }, 0);
    gate.handle(Input::Tick, at(10)).answer.unwrap();
    let late = PersonsDecision { late: true, ..PersonsDecision::approve() };
    assert_eq!(decide(&mut gate, 4, late, 11).answer, Ok(Acknowledgement::TicketMinted));
    let again = Request { id: id(5), ..timed_out.clone() };
    submit(&mut gate, again.clone().with_files_unseen(UNSEEN.to_owned()), 12);
    assert_eq!(status(&gate, 5), None);
    submit(&mut gate, Request { id: id(6), ..again }, 13);
    assert_eq!(status(&gate, 6), Some(Status::Approved));

    // An approval that is collected under its key.
    let mut gate = Gate::new(Policy::default(), Limits::default());
    let keyed = Request { idempotency_key: Some("key".into()), ..in_session(7, "u", "edit", "{}") };
    submit(&mut gate, keyed.clone(), 0);
    gate.handle(Input::Keep(id(7)), at(1)).answer.unwrap();
    decide(&mut gate, 7, PersonsDecision::approve(), 2).answer.unwrap();
    let unseen = Request { id: id(8), ..keyed.clone() }.with_files_unseen(UNSEEN.to_owned());
    assert_eq!(submit(&mut gate, unseen, 3).answer, Err(Refusal::Unseen(UNSEEN.to_owned())));
    assert_eq!(submit(&mut gate, Request { id: id(9), ..keyed }, 4).answer, Ok(Acknowledgement::Joined(id(7))));
}

#[test]
fn what_is_over_is_bounded_in_bytes() {
    let limits = requests_limited(RegistryLimits { finished_bytes: 100_000, ..RegistryLimits::REQUESTS });
    let mut gate = Gate::new(Policy::default(), limits);
    let held = |gate: &Gate| {
        let arguments = gate.ended().filter_map(|entry| entry.life.outcome.as_ref()?.arguments.as_ref());
        arguments.map(arguments_size).sum::<usize>()
    };
    let changed = request("edit", &format!("{{\"content\":\"{}\"}}", "x".repeat(30_000))).arguments;
    for number in 1..=20 {
        submit(&mut gate, in_session(number, "s", "edit", "{}"), 0);
        let decision = PersonsDecision { arguments: Some(changed.clone()), ..PersonsDecision::approve() };
        decide(&mut gate, number, decision, 1).answer.unwrap();
        gate.handle(Input::Tick, at(1)).answer.unwrap();
        assert!(held(&gate) <= 100_000, "{} bytes", held(&gate));
        assert!(gate.entry(id(number)).is_some(), "the latest one is there");
    }
    assert_eq!(gate.ended().count(), 3);
    gate.handle(Input::Tick, at(10_000)).answer.unwrap();
    assert_eq!((gate.ended().count(), gate.requests.finished_bytes), (0, 0));
}

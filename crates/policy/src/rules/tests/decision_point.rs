//! An external decision point.

use super::*;
use crate::facts::{DecisionPointAnswer, DecisionPointResult};
use Action::{Allow, Ask, Deny};

const URL: &str = "https://decisions.example.com";
const RULES: &str =
    "[[rule]]\npattern = \"look\"\naction = \"allow\"\n[[rule]]\npattern = \"wipe\"\naction = \"deny\"\n";

fn in_force(url: &str) -> PolicyInForce {
    policy(&format!("version = 1\n[authzen]\nurl = \"{url}\"\n{RULES}")).into()
}

fn told(tool: &str, url: &str, answer: DecisionPointAnswer) -> Request {
    Request { decision_point: Some(DecisionPointResult { url: url.to_owned(), answer }), ..request(tool, "{}") }
}

#[test]
fn an_answer_only_tightens() {
    let in_force = in_force(URL);
    let failed = || DecisionPointAnswer::Failed("it could not be reached".to_owned());
    for (tool, permits, denies, fails) in
        [("look", Allow, Deny, Ask), ("edit", Ask, Deny, Ask), ("wipe", Deny, Deny, Deny)]
    {
        let alone = in_force.decide_alone(&request(tool, "{}"), at(0)).action;
        for (answer, expected) in
            [(DecisionPointAnswer::Permits, permits), (DecisionPointAnswer::Denies(None), denies), (failed(), fails)]
        {
            let decision = in_force.decide(&told(tool, URL, answer.clone()), at(0));
            assert_eq!(decision.action, expected, "{tool} {answer:?}");
            assert!(decision.action >= alone);
        }
        // Nobody was asked, or somebody else.
        for asked in [request(tool, "{}"), told(tool, "https://elsewhere.example", DecisionPointAnswer::Permits)] {
            let decision = in_force.decide(&asked, at(0));
            assert_eq!(decision.action, fails, "{tool}");
            assert!(decision.action == Deny || !decision.grantable, "a remembered answer is none");
        }
    }
    let words = DecisionPointAnswer::Denies(Some("mail is for people".to_owned()));
    let why = in_force.decide(&told("look", URL, words), at(0)).why;
    assert_eq!(why, "the decision point at decisions.example.com denies it: “mail is for people”");
}

#[test]
fn one_that_nobody_has_confirmed_makes_every_call_a_question() {
    let (old, new) = (in_force(URL).confirmed, in_force("https://elsewhere.example").confirmed);
    let difference = difference(&old, &new);
    assert!(difference.loosens);
    assert_eq!(difference.settings[0].key, "authzen");
    let both = PolicyInForce { confirmed: old.clone(), unconfirmed: Some(new) };
    assert_eq!(both.decide(&told("look", URL, DecisionPointAnswer::Permits), at(0)).action, Ask);
    // Without it nothing is tightened until somebody has confirmed that.
    let without = PolicyInForce { confirmed: old, unconfirmed: Some(policy(&format!("version = 1\n{RULES}"))) };
    assert_eq!(without.decide(&told("look", URL, DecisionPointAnswer::Denies(None)), at(0)).action, Deny);
}

#[test]
fn calls_go_to_no_address_where_others_can_read_them() {
    let fault = |keys: &str| {
        let errors = parse(&format!("version = 1\n[authzen]\n{keys}\n")).err().unwrap_or_default();
        errors.first().map(|error| error.code.clone()).unwrap_or_default()
    };
    for url in [
        "https://decisions.example.com",
        "https://decisions.example.com:8443/tenant/1/",
        "http://127.0.0.1:3592",
        "http://localhost:3592",
        "http://[::1]:3592",
    ] {
        assert_eq!(fault(&format!("url = \"{url}\"")), "", "{url}");
    }
    for url in [
        "",
        "decisions.example.com",
        "ftp://decisions.example.com",
        "http://decisions.example.com",
        "http://127.0.0.1.example.com",
        "http://127.0.0.1@example.com",
        "http://localhost.example.com",
        "http://[::1].example.com",
        "https://user:password@example.com",
        "https://example.com/?x=1",
        "https://example.com/#x",
        "https://example.com\\\\@x",
        "https://",
        "https://:443",
        "https://example.com:0",
        "https://example.com:99999",
        "https://example.com/ä",
        "https://example.com/a b",
    ] {
        assert_eq!(fault(&format!("url = \"{url}\"")), "policy::bad_url", "{url}");
    }
    assert_eq!(fault("timeout = \"2s\""), "policy::missing_key");
    for timeout in ["0s", "31s", "1h", "soon"] {
        assert_eq!(fault(&format!("url = \"{URL}\"\ntimeout = \"{timeout}\"")), "policy::bad_timeout", "{timeout}");
    }
    let told = parse("version = 1\n[opentelemetry]\nurl = \"http://collector.example.com\"\n").unwrap_err();
    assert_eq!(told[0].code, "policy::bad_url");
}

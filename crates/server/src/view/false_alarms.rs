//! How often an ordinary call is warned about: a warning that comes often is read by nobody.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::GzDecoder;
use handraise_agents::PastCall;
use handraise_policy::{ProcessTree, RequestId};
use handraise_protocol::FindingView;
use uuid::Uuid;

use super::findings::findings;
use super::*;
use crate::intake::{RequesterIdentity, Submission, intake};

/// Calls that agents really made; see `tests/data/calls/README.md`.
const CALLS: &[u8] = include_bytes!("../../../../tests/data/calls/real_calls.jsonl.gz");
/// At most one call in so many has a warning.
const BUDGET: usize = 100;

/// The kinds that these calls are warned about, with the number of calls of each, and why the warning is right.
const JUSTIFIED: &[(FindingKind, usize, &str)] = &[
    (FindingKind::Confusable, 3, "typographic quotes and dashes in commands, where a shell takes them for letters"),
    (
        FindingKind::Control,
        7,
        "control characters: Ctrl+C typed into a program, and the introducer of escape sequences",
    ),
    (FindingKind::Invisible, 20, "characters of private use, as Powerline's, which no ordinary font draws"),
    (FindingKind::Long, 45, "longer than anybody reads at a glance: 2 000 characters, or a line of 1 000"),
    (FindingKind::Markup, 30, "HTML, fences and task lists; told as a note, since no surface acts on them"),
    (
        FindingKind::Narrative,
        5,
        "a text says that a person has authorised it, or that nothing is wrong; told as a note",
    ),
    (FindingKind::Nested, 5, "JSON with a decision in it, as the hooks of agents answer"),
    (FindingKind::Newline, 27, "more than 50 lines; `rm -rf` or `eval` below a first line that names no such program"),
    (FindingKind::Padding, 1, "a table whose columns are far apart"),
];

fn calls() -> Vec<Request> {
    let mut text = String::new();
    GzDecoder::new(CALLS).read_to_string(&mut text).unwrap();
    let calls = text.lines().map(|line| serde_json::from_str::<PastCall>(line).unwrap().with_unix_paths());
    let asked = calls.filter_map(|call| call.request().unwrap());
    let request = |asked| {
        let requester = RequesterIdentity { credential: "tests".into(), is_agent: false };
        intake(&Submission::of_program(asked, requester), RequestId(Uuid::nil()), ProcessTree::default()).unwrap()
    };
    asked.map(request).collect()
}

#[test]
fn real_calls_are_seldom_warned_about_and_each_kind_of_warning_is_justified() {
    let calls = calls();
    assert!(calls.len() > 12_000, "{}", calls.len());
    let mut warned = 0;
    let mut kinds: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for call in &calls {
        let found = findings(call);
        warned += usize::from(!found.is_empty());
        let of_call: BTreeMap<String, &FindingView> =
            found.iter().map(|finding| (format!("{:?}", finding.kind), finding)).collect();
        for (kind, finding) in of_call {
            let example = || format!("{} [{}] {}", finding.sentence, finding.field, call.title());
            kinds.entry(kind).or_insert_with(|| (0, example())).0 += 1;
        }
    }
    let told: Vec<String> = kinds.iter().map(|(kind, (count, example))| format!("{kind} {count}: {example}")).collect();
    let told = told.join("\n");
    assert!(warned * BUDGET <= calls.len(), "{warned} of {} calls are warned about:\n{told}", calls.len());
    let justified = JUSTIFIED.iter().map(|(kind, count, _)| (format!("{kind:?}"), *count));
    let found: BTreeMap<String, usize> = kinds.into_iter().map(|(kind, (count, _))| (kind, count)).collect();
    assert_eq!(found, justified.collect(), "{warned} of {} calls are warned about:\n{told}", calls.len());
}

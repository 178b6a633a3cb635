//! What to open to the walls of a project, because they have denied it to several of its calls.

use std::collections::{BTreeMap, BTreeSet};

use handraise_policy::WallsOpening;
use handraise_protocol::{DecidedBy, Problem, Status, WideningSuggestion};

use super::Engine;
use super::history::PastCalls;
use super::suggestions::OFTEN;
use crate::audit::StoredRequest;
use crate::prepare::{Known, LoggedCall};
use crate::redacted::RedactedRequest;
use crate::view;

/// Most that is suggested: nobody reads more.
const MAX_SUGGESTED: usize = 10;
/// Whose slots looks at the disk take.
const SUGGESTED: &str = "suggested widenings";

/// What tells a call from others: the hash of its arguments, and its folder.
type CallName = (String, Option<String>);

/// One place that was denied to one call.
struct Wanted {
    call: CallName,
    opening: WallsOpening,
    opens: String,
    /// The table that would open it.
    rule: String,
    title: String,
}

/// What is known of one place and one project.
struct DeniedPlace {
    opening: WallsOpening,
    suggestion: WideningSuggestion,
    is_refused: bool,
}

impl Engine {
    /// What the walls of one project have denied to at least three of its last `calls` calls, where no person has denied
    /// one of these, where the walls of today deny it still, and where a prompt would offer to open it.
    pub(super) async fn suggest_widenings(&self, calls: u32) -> Result<Vec<WideningSuggestion>, Problem> {
        let (wanted, refused) = self.wanted(calls).await?;
        let mut places: BTreeMap<String, DeniedPlace> = BTreeMap::new();
        for Wanted { call, opening, opens, rule, title } in wanted {
            let suggestion = WideningSuggestion { opens, rule: rule.clone(), calls: 0, example: title };
            let place = places.entry(rule).or_insert(DeniedPlace { opening, suggestion, is_refused: false });
            place.suggestion.calls += 1;
            place.is_refused |= refused.contains(&call);
        }
        let mut often: Vec<DeniedPlace> =
            places.into_values().filter(|place| place.suggestion.calls >= OFTEN && !place.is_refused).collect();
        often.sort_by_key(|place| std::cmp::Reverse(place.suggestion.calls));
        often.truncate(MAX_SUGGESTED);
        self.still_open(often).await
    }

    /// What was denied to calls of the past, the latest first, and the calls that a person has denied.
    async fn wanted(&self, calls: u32) -> Result<(Vec<Wanted>, BTreeSet<CallName>), Problem> {
        let (mut wanted, mut refused) = (Vec::new(), BTreeSet::new());
        let mut past = PastCalls::latest(calls);
        while let Some(calls) = past.next(self).await? {
            let is_refused = |stored: &&StoredRequest| {
                stored.result.status == Status::Denied && stored.result.decided_by == Some(DecidedBy::Person)
            };
            refused.extend(calls.iter().filter(is_refused).map(name));
            let denied: Vec<StoredRequest> =
                calls.into_iter().filter(|stored| !stored.denied_by_walls.is_empty()).collect();
            wanted.extend(self.preparer.past(denied, wanted_by).await?.into_iter().flatten().flatten());
        }
        Ok((wanted, refused))
    }

    /// Those of `places` that the disk still lets a person open: a folder may have become a repository since.
    async fn still_open(&self, places: Vec<DeniedPlace>) -> Result<Vec<WideningSuggestion>, Problem> {
        let clause = |place: &DeniedPlace| match &place.opening {
            WallsOpening::Folder(folder) => Some(format!("write {folder}/x")),
            WallsOpening::Cache(_) => None,
        };
        let clauses: Vec<String> = places.iter().filter_map(clause).collect();
        let found = self.preparer.denials(SUGGESTED, clauses).await?;
        let is_open = |place: &DeniedPlace| match &place.opening {
            WallsOpening::Folder(_) => found.iter().any(|denial| denial.opening.as_ref() == Some(&place.opening)),
            WallsOpening::Cache(_) => true,
        };
        Ok(places.into_iter().filter(is_open).map(|place| place.suggestion).collect())
    }
}

fn name(stored: &StoredRequest) -> CallName {
    (stored.result.arguments_hash.to_string(), stored.submission.request.cwd.clone())
}

/// What could be opened to the walls of `call`, of what they have denied it.
fn wanted_by(call: LoggedCall<'_>, known: &Known) -> Vec<Wanted> {
    let request = &call.entry.request;
    let asked = RedactedRequest::of(request, &known.redactor);
    let title = handraise_display::line(&asked.request().title(), view::MAX_TITLE);
    let name = (request.arguments_hash.as_str().to_owned(), call.submission.request.cwd.clone());
    // A table with a secret in it would be kept for good.
    let widenings = call.widenings(&known.policy).into_iter();
    let plain = widenings.filter(|widening| known.redactor.text(&widening.table.toml) == widening.table.toml);
    let wanted = plain.map(|widening| Wanted {
        call: name.clone(),
        opens: widening.opening.name(request.home.as_deref()),
        opening: widening.opening,
        rule: widening.table.toml,
        title: title.clone(),
    });
    wanted.collect()
}

//! Calls put before the external decision point that the policy names.

use std::time::Duration;

use futures_util::future::join_all;
use handraise_gate::Evaluation;
use handraise_policy::{Action, DecisionPoint, DecisionPointAnswer, DecisionPointResult, Request};
use handraise_protocol::Problem;

use super::authzen::{question, read_answer};
use super::{Known, Prepared, Preparer};
use crate::outbound::{OutboundError, Post};
use crate::redacted::RedactedRequest;
use crate::turns::Turn;

/// Where AuthZEN 1.0 has its evaluation, below the address of the decision point.
const EVALUATION: &str = "/access/v1/evaluation";
/// Bytes of one question, at most.
const MAX_QUESTION: usize = 256 * 1024;
/// Bytes of an answer, at most.
const MAX_ANSWER: usize = 64 * 1024;

impl Preparer {
    /// `prepared`, calls of one requester, with what the decision point says about each that the rules do not deny. Others
    /// go first meanwhile.
    pub(super) async fn with_decision_point(
        &self,
        prepared: Vec<Result<Prepared, Problem>>,
        known: &Known,
        with_prompt: bool,
        turn: &mut Option<Turn>,
    ) -> Result<Vec<Result<Prepared, Problem>>, Problem> {
        let Some(requester) = prepared.iter().flatten().next().map(|first| first.request.requester.clone()) else {
            return Ok(prepared);
        };
        turn.take();
        let answers = join_all(prepared.iter().map(async |one| {
            let one = one.as_ref().ok()?;
            let (asked, by_rules) = one.for_decision_point();
            self.ask_decision_point(&one.request, asked, by_rules, known).await
        }));
        let answers = answers.await;
        let items = prepared.into_iter().zip(answers).collect();
        self.each(&requester, items, turn, move |inner, (prepared, result), files| {
            let prepared = inner.tightened(prepared.clone()?, result.clone());
            if with_prompt { inner.with_prompt(prepared, files) } else { Ok(prepared) }
        })
        .await
    }

    /// What the decision point of the confirmed policy says about `request`, which is `asked` without its secrets. `None`
    /// where there is none, or the call is denied already.
    pub(super) async fn ask_decision_point(
        &self,
        request: &Request,
        asked: &RedactedRequest,
        by_rules: &Evaluation,
        known: &Known,
    ) -> Option<DecisionPointResult> {
        let point = known.policy.confirmed.authzen.as_ref()?;
        if by_rules.action == Action::Deny {
            return None;
        }
        let answer = match self.answer_of(point, request, asked, by_rules, known).await {
            Ok(answer) => answer,
            Err(why) => {
                tracing::warn!(url = point.url, why, "the decision point gave no answer");
                DecisionPointAnswer::Failed(why)
            }
        };
        Some(DecisionPointResult { url: point.url.clone(), answer })
    }

    async fn answer_of(
        &self,
        point: &DecisionPoint,
        request: &Request,
        asked: &RedactedRequest,
        by_rules: &Evaluation,
        known: &Known,
    ) -> Result<DecisionPointAnswer, String> {
        let question = question(asked.request(), &asked.stored_arguments(), by_rules);
        let body = serde_json::to_vec(&question).map_err(|error| error.to_string())?;
        if body.len() > MAX_QUESTION {
            return Err("the call is too large for it".to_owned());
        }
        let within = Duration::from_secs(point.timeout_seconds.into());
        // No requester has more out at once than looks at files.
        let slot = self.0.decision_point_slots.wait(&request.requester, within).await;
        let _slot = slot.ok_or("it has not answered about earlier calls yet")?;
        let url = format!("{}{EVALUATION}", point.url);
        let post = Post { url, content_type: "application/json", body, within, most: MAX_ANSWER };
        let answer = self.0.outbound.post(post).await.map_err(|error: OutboundError| error.to_string())?;
        Ok(read_answer(&answer, &known.redactor))
    }
}

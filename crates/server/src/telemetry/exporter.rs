//! The way to a receiver of OTLP over HTTP: a bounded queue that nobody waits for, and a task that empties it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use handraise_policy::rules::TelemetryTarget;
use prost::Message;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::span::{CallSpan, request};
use crate::outbound::{OutboundClient, Post};

/// Calls that wait for the receiver; what comes while it is full is counted and dropped.
const QUEUE: usize = 2048;
/// Calls in one message.
const BATCH: usize = 256;
/// How long a message may take.
const WITHIN: Duration = Duration::from_secs(10);
/// How long the receiver is waited for once Handraise ends.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Bytes of an answer that are read; it says nothing that is needed.
const MAX_ANSWER: usize = 64 * 1024;
/// Where OTLP over HTTP takes spans (OTLP specification 1.x, "OTLP/HTTP Request").
const TRACES: &str = "/v1/traces";

/// Tells a receiver about calls, beside the engine.
#[derive(Clone, Debug)]
pub(crate) struct Telemetry {
    queue: mpsc::Sender<(TelemetryTarget, CallSpan)>,
    dropped: Arc<AtomicU64>,
}

impl Telemetry {
    /// Also gives the work that empties the queue, which ends with `stopping`.
    pub(crate) fn new(stopping: CancellationToken) -> (Self, impl Future<Output = ()> + Send) {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let dropped = Arc::new(AtomicU64::new(0));
        (Self { queue, dropped: dropped.clone() }, export(waiting, dropped, stopping))
    }

    /// Tells `target` about `call` when there is time for that. Never waits.
    pub(crate) fn tell(&self, target: TelemetryTarget, call: CallSpan) {
        if self.queue.try_send((target, call)).is_err() {
            drop_calls(&self.dropped, 1);
        }
    }
}

async fn export(
    mut waiting: mpsc::Receiver<(TelemetryTarget, CallSpan)>,
    dropped: Arc<AtomicU64>,
    stopping: CancellationToken,
) {
    let client = OutboundClient::new();
    let mut batch = Vec::with_capacity(BATCH);
    let mut failing = false;
    loop {
        tokio::select! {
            // What was decided before the end is still told.
            biased;
            count = waiting.recv_many(&mut batch, BATCH) => if count == 0 { return },
            () = stopping.cancelled() => return,
        }
        while let Some((target, _)) = batch.first() {
            let target = target.clone();
            let (same, others) = batch.drain(..).partition(|(other, _)| *other == target);
            batch = others;
            let calls: Vec<CallSpan> = Vec::into_iter(same).map(|(_, call)| call).collect();
            let count = u64::try_from(calls.len()).unwrap_or_default();
            let body = request(&calls, dropped.load(Ordering::Relaxed)).encode_to_vec();
            let post = Post {
                url: format!("{}{TRACES}", target.url),
                content_type: "application/x-protobuf",
                body,
                within: WITHIN,
                most: MAX_ANSWER,
            };
            let sent = tokio::select! {
                sent = client.post(post) => sent.map_err(|error| error.to_string()),
                () = ending(&stopping) => Err("Handraise ends".to_owned()),
            };
            match sent {
                Ok(_) => failing = false,
                Err(why) => {
                    drop_calls(&dropped, count);
                    if !failing {
                        tracing::warn!(url = target.url, why, "calls cannot be told to the receiver");
                    }
                    failing = true;
                }
            }
        }
    }
}

/// Handraise ends, and has waited for the receiver for long enough.
async fn ending(stopping: &CancellationToken) {
    stopping.cancelled().await;
    tokio::time::sleep(LAST_WORDS).await;
}

fn drop_calls(dropped: &AtomicU64, count: u64) {
    dropped.fetch_add(count, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use handraise_protocol::{ApprovalResult, ArgumentsHash, RequestId, RiskLevel, Status};
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_full_queue_drops_and_counts() {
        let call = CallSpan {
            tool: "t".to_owned(),
            server: None,
            agent: None,
            session: None,
            action: None,
            result: ApprovalResult {
                id: RequestId(Uuid::nil()),
                status: Status::Denied,
                decided_by: None,
                scope: None,
                reason: None,
                rule: None,
                risk: RiskLevel::Write,
                arguments: None,
                confined: None,
                arguments_hash: ArgumentsHash::from(
                    handraise_policy::ArgumentsHash::of(&serde_json::Map::new()).unwrap(),
                ),
                requested_at: Timestamp::UNIX_EPOCH,
                decided_at: None,
                expires_at: Timestamp::UNIX_EPOCH,
                trace_id: None,
            },
            entry: None,
        };
        let (telemetry, _exporting) = Telemetry::new(CancellationToken::new());
        for _ in 0..QUEUE + 3 {
            telemetry.tell(TelemetryTarget { url: "http://127.0.0.1:1".to_owned() }, call.clone());
        }
        assert_eq!(telemetry.dropped.load(Ordering::Relaxed), 3);
    }
}

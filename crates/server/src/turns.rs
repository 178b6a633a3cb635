//! Whose turn it is: requesters share the engine, however many calls one of them makes.
//!
//! A call takes a turn before it reaches the engine, and gives it back when the engine has answered; waiting for a
//! person takes none. Few turns are out at once, and whoever waits for one gets it in the order of the requesters, not
//! of the calls: beside a flood, a call waits for at most one call of each other requester. What one requester may ask
//! for in a while is bounded too, far above what any agent does.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use handraise_protocol::{Problem, ProblemCode};
use tokio::sync::oneshot;

/// Turns that are out at once: one call in the engine, and one ready to be.
const OUT: usize = 2;
/// Calls of one requester that may wait for a turn: a program that runs a thousand at once is no flood.
const WAITING: usize = 4_096;
/// Calls of one requester at once.
const CALLS: f64 = 5_000.0;
/// Calls of one requester in a second, in the long run.
const CALLS_A_SECOND: f64 = 200.0;
/// Bytes of arguments of one requester at once.
const BYTES: f64 = 64.0 * 1024.0 * 1024.0;
/// Bytes of arguments of one requester in a second, in the long run.
const BYTES_A_SECOND: f64 = 4.0 * 1024.0 * 1024.0;

/// Hands out turns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    out: usize,
    /// Requesters that wait, the next one first, each with its calls in their order.
    waiting: VecDeque<(String, VecDeque<oneshot::Sender<Turn>>)>,
    budgets: HashMap<String, Budget>,
}

/// What is left to a requester.
#[derive(Clone, Copy, Debug)]
struct Budget {
    calls: f64,
    bytes: f64,
    at: Instant,
}

/// The right to have the engine do something. The next one's when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    /// `None`: it was never taken.
    turns: Option<Turns>,
}

impl Turns {
    /// Waits for a turn of `requester` for a call with so many bytes of arguments.
    ///
    /// # Errors
    /// When it asks for too much.
    pub(crate) async fn take(&self, requester: &str, bytes: usize) -> Result<Turn, Problem> {
        self.lock().charge(requester, bytes)?;
        self.again(requester).await
    }

    /// The same for what was paid for already.
    pub(crate) async fn again(&self, requester: &str) -> Result<Turn, Problem> {
        let turn = match self.lock().line_up(requester)? {
            None => return Ok(Turn { turns: Some(self.clone()) }),
            Some(turn) => turn,
        };
        turn.await.map_err(|_| Problem::new(ProblemCode::ShuttingDown, "The gate has stopped; nothing is approved."))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a turn to the next one, or keeps it.
    fn pass_on(&self) {
        loop {
            let Some(next) = self.lock().next() else { return };
            match next.send(Turn { turns: Some(self.clone()) }) {
                Ok(()) => return,
                // It has gone away meanwhile. Its turn was never its own.
                Err(mut turn) => turn.turns = None,
            }
        }
    }
}

impl Inner {
    fn charge(&mut self, requester: &str, bytes: usize) -> Result<(), Problem> {
        let now = Instant::now();
        let full = Budget { calls: CALLS, bytes: BYTES, at: now };
        // Who has all of it needs no place here.
        self.budgets.retain(|_, budget| budget.at.elapsed() < Duration::from_secs(60));
        let before = self.budgets.get(requester).copied().unwrap_or(full);
        let mut budget = before.after(now);
        #[expect(clippy::cast_precision_loss, reason = "a size is far below 2^52")]
        let bytes = bytes as f64;
        let wait = ((1.0 - budget.calls) / CALLS_A_SECOND).max((bytes - budget.bytes) / BYTES_A_SECOND);
        if wait > 0.0 {
            let seconds = wait.ceil().clamp(1.0, 60.0);
            let what = format!(
                "This requester asks for more than can be looked at: at most {CALLS_A_SECOND} calls and \
                 {} MiB of arguments in a second, in the long run. Try again in {seconds} s.",
                BYTES_A_SECOND / 1024.0 / 1024.0
            );
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is 1 to 60")]
            let retry_after_seconds = Some(seconds as u32);
            return Err(Problem { retry_after_seconds, ..Problem::new(ProblemCode::TooManyRequests, what) });
        }
        budget.calls -= 1.0;
        budget.bytes -= bytes;
        self.budgets.insert(requester.to_owned(), budget);
        Ok(())
    }

    /// `None`: it is its turn.
    fn line_up(&mut self, requester: &str) -> Result<Option<oneshot::Receiver<Turn>>, Problem> {
        if self.out < OUT {
            self.out += 1;
            return Ok(None);
        }
        let index = self.waiting.iter().position(|(name, _)| name == requester);
        let (sender, turn) = oneshot::channel();
        match index.and_then(|index| self.waiting.get_mut(index)) {
            Some((_, calls)) => {
                if calls.len() >= WAITING {
                    calls.retain(|call| !call.is_closed());
                }
                if calls.len() >= WAITING {
                    let what = format!("{WAITING} calls of this requester wait already. Try again in a second.");
                    let problem = Problem::new(ProblemCode::TooManyRequests, what);
                    return Err(Problem { retry_after_seconds: Some(1), ..problem });
                }
                calls.push_back(sender);
            }
            None => self.waiting.push_back((requester.to_owned(), VecDeque::from([sender]))),
        }
        Ok(Some(turn))
    }

    /// Whose turn is next; `None`: nobody waits, and there is one turn more.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        while let Some((requester, mut calls)) = self.waiting.pop_front() {
            let call = calls.pop_front();
            if !calls.is_empty() {
                self.waiting.push_back((requester, calls));
            }
            if call.is_some() {
                return call;
            }
        }
        self.out -= 1;
        None
    }
}

impl Budget {
    fn after(self, now: Instant) -> Self {
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        Self {
            calls: (self.calls + seconds * CALLS_A_SECOND).min(CALLS),
            bytes: (self.bytes + seconds * BYTES_A_SECOND).min(BYTES),
            at: now,
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.turns.take() {
            turns.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn beside_a_flood_a_call_waits_for_one_call_of_each_other_requester() {
        let turns = Turns::default();
        let mut held = Vec::new();
        for _ in 0..OUT {
            held.push(turns.take("a", 0).await.unwrap());
        }
        let served = Arc::new(AtomicUsize::new(0));
        let mut floods = Vec::new();
        for requester in ["a", "b", "c"] {
            for _ in 0..100 {
                let (turns, served) = (turns.clone(), served.clone());
                floods.push(tokio::spawn(async move {
                    let turn = turns.take(requester, 0).await.unwrap();
                    served.fetch_add(1, Ordering::Relaxed);
                    drop(turn);
                }));
            }
        }
        tokio::task::yield_now().await;
        let quiet = tokio::spawn({
            let (turns, served) = (turns.clone(), served.clone());
            async move {
                let _turn = turns.take("quiet", 0).await.unwrap();
                served.load(Ordering::Relaxed)
            }
        });
        tokio::task::yield_now().await;
        drop(held);
        let before = quiet.await.unwrap();
        assert!(before <= 3 + OUT, "{before} calls came first");
        for flood in floods {
            flood.await.unwrap();
        }
        assert_eq!((served.load(Ordering::Relaxed), turns.lock().out), (300, 0));
    }

    #[tokio::test]
    async fn who_went_away_holds_no_turn() {
        let turns = Turns::default();
        let held = [turns.take("a", 0).await.unwrap(), turns.take("a", 0).await.unwrap()];
        let gone = tokio::spawn({
            let turns = turns.clone();
            async move { turns.take("b", 0).await }
        });
        tokio::task::yield_now().await;
        gone.abort();
        assert!(gone.await.is_err());
        drop(held);
        assert_eq!(turns.lock().out, 0);
        drop(turns.take("a", 0).await.unwrap());
    }

    #[tokio::test]
    async fn one_requester_has_a_budget_of_its_own() {
        let turns = Turns::default();
        let large = 8 * 1024 * 1024;
        for _ in 0..8 {
            drop(turns.take("loud", large).await.unwrap());
        }
        let refused = turns.take("loud", large).await.unwrap_err();
        assert_eq!((refused.code, refused.retry_after_seconds), (ProblemCode::TooManyRequests, Some(2)));
        drop(turns.take("loud", 0).await.unwrap());
        drop(turns.take("quiet", large).await.unwrap());

        let mut taken = 0;
        let refused = loop {
            match turns.take("many", 0).await {
                Ok(_) => taken += 1,
                Err(refused) => break refused,
            }
            assert!(taken < 100_000, "there is no end");
        };
        assert!(taken >= 5_000, "{taken} calls at once");
        assert_eq!(refused.code, ProblemCode::TooManyRequests);
    }
}

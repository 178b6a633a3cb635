//! How much may wait for a person, and how much of what is over is kept.

use super::{Asked, Refused, Registry};

/// What a value costs beside its text, in bytes: the place that it takes in a list or a map.
pub(crate) const BYTES_PER_ENTRY: usize = 64;

impl<Entry: Asked> Registry<Entry> {
    /// Whether `new` may wait for a person, when `earlier` ones that it comes with do.
    pub(crate) fn check_room(&self, new: &Entry, earlier: &[Entry]) -> Result<(), Refused> {
        let (mut all, mut own, mut bytes, mut in_session, mut in_batch) = (0, 0, new.life().size, 0, 0);
        for other in self.pending().chain(earlier) {
            all += 1;
            if other.requester() != new.requester() {
                continue;
            }
            own += 1;
            bytes += other.life().size;
            if new.session().is_none() || other.session() != new.session() {
                continue;
            }
            match new.batch().is_some() && other.batch() == new.batch() {
                true => in_batch += 1,
                false => in_session += 1,
            }
        }
        let limits = &self.limits;
        if own >= limits.pending_per_requester || all >= limits.pending && own >= limits.pending_share {
            return Err(Refused::TooMany);
        }
        if in_session >= limits.pending_per_session || in_batch >= limits.pending_per_batch {
            return Err(Refused::TooManyInSession);
        }
        // One alone always fits: its size was bounded where it came in.
        if own > 0 && bytes > limits.pending_bytes {
            return Err(Refused::TooManyBytes);
        }
        Ok(())
    }

    /// Whether ended ones hold more than they may, in number or in bytes. The latest one always may.
    pub(super) fn is_finished_full(&self) -> bool {
        let (count, bytes) = (self.finished.len(), self.finished_bytes);
        count > self.limits.finished || count > 1 && bytes > self.limits.finished_bytes
    }
}

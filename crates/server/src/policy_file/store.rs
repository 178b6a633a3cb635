//! Which text is confirmed, which one lies on the disk, and what is in force because of both.

use std::io;
use std::path::PathBuf;

use handraise_locations::{PrivateFileError, read_private, write_private};
use handraise_policy::rules::{PolicyDifference, Protections, difference};
use handraise_policy::{Policy, PolicyInForce};
use jiff::Timestamp;

use super::file::{self, Fingerprint};
use super::look::{Look, Looked, TextOnDisk};
use super::{PolicyEdit, PolicyText, PolicyWrite, RefusedText, etag};

/// What a new user starts with.
pub(crate) const STARTING_POLICY: &str = include_str!("starting_policy.toml");
/// In force where the confirmed policy is lost: nothing passes without being asked.
const STAND_IN: &str = "version = 1\npreset = \"strict\"\n";

/// The two files.
#[derive(Clone, Debug)]
pub(crate) struct PolicyFiles {
    /// The one that a person writes.
    pub(crate) policy: PathBuf,
    /// The text that was confirmed last.
    pub(crate) confirmed: PathBuf,
}

/// Which text is confirmed, and which one lies on the disk.
#[derive(Debug)]
pub(crate) struct PolicyStore {
    files: PolicyFiles,
    confirmed: PolicyText,
    /// A usable text that was put there outside the app, if the file has held one since.
    pending: Option<PolicyText>,
    /// The text on the disk, when it cannot be used.
    refused: Option<RefusedText>,
    /// SHA-256 of the text on the disk; `None`: there is no file.
    on_disk: Option<String>,
    seen: Option<Fingerprint>,
    /// Grows with whatever makes a look that is under way an old one.
    generation: u64,
    protections: Protections,
}

/// A store that was opened, and what is to be done about it.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) store: PolicyStore,
    /// A text that counts as confirmed without a person's word, and why; to be recorded.
    pub(crate) adopted: Option<(PolicyText, &'static str)>,
    /// The confirmed text is not the one that the audit log knows.
    pub(crate) is_lost: bool,
    /// The file was gone and has been written again.
    pub(crate) is_restored: bool,
}

/// What a look at the disk has shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PolicyOnDisk {
    /// The confirmed text is back.
    Confirmed,
    /// Another text that means the same.
    SameInEffect(Box<PolicyText>),
    /// A text that nobody has confirmed.
    Changed,
    /// A text that cannot be used, or none at all.
    Refused,
}

impl PolicyStore {
    /// Reads both files. `recorded` is the SHA-256 of the text that was confirmed last, from the audit
    /// log.
    ///
    /// * Nothing there and nothing recorded: the starting policy is written and counts as confirmed.
    /// * Nothing recorded, as after an update from a version that knew no confirmation: the file counts
    ///   as changed from the starting policy.
    /// * A confirmed text, or a file, with the recorded SHA-256: that text is confirmed.
    /// * None of them has it: somebody else has been at them. Nothing is confirmed, and everything asks.
    pub(crate) fn open(
        files: PolicyFiles,
        protections: Protections,
        recorded: Option<&str>,
    ) -> Result<Opened, PrivateFileError> {
        let kept = match read_private(&files.confirmed) {
            Ok(text) => Some(text),
            Err(error) if error.is_missing() => None,
            // Readable by others or damaged: its text is checked against the log below, or not used.
            Err(_) => file::read(&files.confirmed).ok(),
        };
        let is_recorded = |text: &&String| recorded == Some(etag(text).as_str());
        let on_disk = file::read(&files.policy);
        let known = kept.as_ref().filter(is_recorded).or_else(|| on_disk.as_ref().ok().filter(is_recorded));
        let (base, is_lost) = match (known, recorded, &kept) {
            (Some(text), _, _) => (text.clone(), false),
            (None, None, None) => (STARTING_POLICY.to_owned(), false),
            (None, _, _) => (STAND_IN.to_owned(), true),
        };
        let (confirmed, is_lost) = match PolicyText::read(base) {
            Ok(text) => (text, is_lost),
            // Confirmed under another version's rules for such files.
            Err(_) => (stand_in(), true),
        };
        if known.is_some() && kept.as_ref() != Some(&confirmed.text) {
            write_private(&files.confirmed, confirmed.text.as_bytes())?;
        }
        let is_missing = matches!(&on_disk, Err(error) if error.kind() == io::ErrorKind::NotFound);
        if is_missing {
            write_private(&files.policy, confirmed.text.as_bytes())?;
        }
        let mut store = Self {
            files,
            pending: None,
            refused: None,
            on_disk: Some(confirmed.etag.clone()).filter(|_| is_missing),
            seen: None,
            generation: 0,
            confirmed,
            protections,
        };
        let seen = store.take(store.begin_look().look());
        let is_first = recorded.is_none() && !is_lost;
        let adopted = match seen {
            Some(PolicyOnDisk::SameInEffect(text)) => Some((*text, "same in effect")),
            _ if is_first && store.pending.is_none() && store.refused.is_none() => {
                Some((store.confirmed.clone(), "first start"))
            }
            _ => None,
        };
        if recorded.is_none() && store.refused.is_some() {
            // It may have held a denial, and nothing is there that a person has confirmed.
            store.confirmed = stand_in();
        }
        Ok(Opened { store, adopted, is_lost, is_restored: is_missing && recorded.is_some() })
    }

    /// What is in force: the confirmed policy, and the stricter of both while another one lies there.
    pub(crate) fn in_force(&self) -> PolicyInForce {
        PolicyInForce {
            confirmed: self.guarded(&self.confirmed.policy),
            unconfirmed: self.pending.as_ref().map(|pending| self.guarded(&pending.policy)),
        }
    }

    /// What no policy gives away.
    pub(crate) fn protections(&self) -> &Protections {
        &self.protections
    }

    /// `policy` with what no policy gives away.
    fn guarded(&self, policy: &Policy) -> Policy {
        Policy { protections: self.protections.clone(), ..policy.clone() }
    }

    /// A look at the disk, to be handed to [`PolicyStore::take`] when it is done.
    pub(crate) fn begin_look(&self) -> Look {
        Look {
            path: self.files.policy.clone(),
            seen: self.seen.clone(),
            on_disk: self.on_disk.clone(),
            confirmed: self.confirmed.etag.clone(),
            generation: self.generation,
        }
    }

    /// Takes over what a look has shown. `None`: nothing has changed since the last one, or the file was written or
    /// looked at since this one was begun.
    pub(crate) fn take(&mut self, looked: Looked) -> Option<PolicyOnDisk> {
        let Looked { generation, fingerprint, found } = looked;
        if generation != self.generation {
            return None;
        }
        self.generation += 1;
        self.seen = fingerprint;
        match found {
            TextOnDisk::Same => None,
            TextOnDisk::Refused(refused, etag) => self.refuse(refused, etag),
            TextOnDisk::Confirmed(etag) => {
                self.pending = None;
                self.refused = None;
                self.on_disk = Some(etag);
                Some(PolicyOnDisk::Confirmed)
            }
            TextOnDisk::Usable(text) => {
                self.refused = None;
                self.on_disk = Some(text.etag.clone());
                if text.policy == self.confirmed.policy {
                    self.pending = None;
                    return Some(PolicyOnDisk::SameInEffect(text));
                }
                self.pending = Some(*text);
                Some(PolicyOnDisk::Changed)
            }
        }
    }

    fn refuse(&mut self, refused: RefusedText, on_disk: Option<String>) -> Option<PolicyOnDisk> {
        if self.refused.as_ref() == Some(&refused) {
            return None;
        }
        self.refused = Some(refused);
        self.on_disk = on_disk;
        Some(PolicyOnDisk::Refused)
    }

    /// The text that a person made or confirmed.
    pub(crate) fn confirmed(&self) -> &PolicyText {
        &self.confirmed
    }

    /// The usable text that waits for a person's word.
    pub(crate) fn pending(&self) -> Option<&PolicyText> {
        self.pending.as_ref()
    }

    /// What the pending text changes.
    pub(crate) fn difference(&self) -> Option<PolicyDifference> {
        self.pending.as_ref().map(|pending| difference(&self.confirmed.policy, &pending.policy))
    }

    /// The text on the disk, when it cannot be used.
    pub(crate) fn refused(&self) -> Option<&RefusedText> {
        self.refused.as_ref()
    }

    /// The file that a person writes.
    pub(crate) fn path(&self) -> &std::path::Path {
        &self.files.policy
    }

    /// The text that an editor has to start from, and its SHA-256: what lies on the disk, or the
    /// confirmed text where nothing does.
    pub(crate) fn current(&self) -> (&str, &str) {
        match (&self.refused, &self.pending) {
            (Some(refused), _) if self.on_disk.is_some() => (&refused.text, &refused.etag),
            (None, Some(pending)) => (&pending.text, &pending.etag),
            _ => (&self.confirmed.text, &self.confirmed.etag),
        }
    }

    /// A write that puts `text` on the disk. What was confirmed before is still in force. Looks that are under way are
    /// old ones.
    pub(crate) fn begin_write(&mut self, text: PolicyText) -> PolicyWrite {
        self.generation += 1;
        PolicyWrite::Text { path: self.files.policy.clone(), text: Box::new(text) }
    }

    /// The same with the confirmed text and one change in it.
    pub(crate) fn begin_edit(&mut self, edit: PolicyEdit) -> PolicyWrite {
        self.generation += 1;
        PolicyWrite::Edit { path: self.files.policy.clone(), text: self.confirmed.text.clone(), edit }
    }

    /// A write that puts the confirmed text back on the disk, and what was there beside it.
    pub(crate) fn begin_set_aside(&mut self, at: Timestamp) -> PolicyWrite {
        self.generation += 1;
        PolicyWrite::SetAside { path: self.files.policy.clone(), text: Box::new(self.confirmed.clone()), at }
    }

    /// A write of the copy of the confirmed text. When it fails, nothing is lost: the log has its SHA-256, and the file
    /// itself is it.
    pub(crate) fn begin_copy(&self) -> PolicyWrite {
        PolicyWrite::Copy { path: self.files.confirmed.clone(), text: self.confirmed.text.clone() }
    }

    /// From now on `text`, which lies on the disk, is the confirmed one. Its copy is to be written.
    pub(crate) fn confirm(&mut self, text: PolicyText) {
        // Looked at once more with the next occasion: it may have been written again since.
        self.seen = None;
        self.generation += 1;
        self.on_disk = Some(text.etag.clone());
        self.pending = None;
        self.refused = None;
        self.confirmed = text;
    }

    /// Whether `looked` is of a look that was begun since the file was last written or looked at.
    pub(crate) fn is_of_now(&self, looked: &Looked) -> bool {
        looked.generation == self.generation
    }
}

/// The text that lets nothing pass unasked. It always can be read; the empty policy is the same.
fn stand_in() -> PolicyText {
    PolicyText::read(STAND_IN.to_owned()).unwrap_or_else(|refused| PolicyText {
        policy: Policy::from_preset(handraise_policy::Preset::Strict),
        text: refused.text,
        etag: refused.etag,
        warnings: Vec::new(),
    })
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;

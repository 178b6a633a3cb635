//! What is on the screen, on the disk: a run that was killed leaves notifications with buttons that do nothing, and the
//! next one takes them away.
//!
//! A unique name of a bus is never given to a second connection (D-Bus Specification, "Unique names"). So an id, with
//! the name of the connection that gave it and the id of that bus, is no stranger's notification.

use std::path::PathBuf;

use handraise_locations::write_private;
use serde::{Deserialize, Serialize};
use zbus::names::OwnedUniqueName;

/// A notification on the screen: the connection that shows it, and its id there.
pub(super) type Shown = (OwnedUniqueName, u32);

/// More than this never stand on a screen. A longer list is nobody's record.
const MAX_LEFT: usize = 64;

/// The record of this run.
pub(super) struct Record {
    /// `None`: nothing is kept.
    path: Option<PathBuf>,
    written: Written,
}

/// The record on the disk.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Written {
    /// The bus, by its id.
    bus: String,
    /// Connections of that bus that show notifications, and their ids.
    shown: Vec<(String, u32)>,
}

impl Record {
    /// The record at `path` of what is shown on this `bus`, and what an earlier run left there.
    pub(super) fn open(path: Option<PathBuf>, bus: &str) -> (Self, Vec<Shown>) {
        let text = path.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
        let before = text.and_then(|text| serde_json::from_str::<Written>(&text).ok()).unwrap_or_default();
        let is_same = before.bus == bus && before.shown.len() <= MAX_LEFT;
        let left = before.shown.iter().filter(|_| is_same);
        let left = left.filter_map(|(owner, id)| Some((owner.as_str().try_into().ok()?, *id))).collect();
        (Self { path, written: Written { bus: bus.to_owned(), shown: Vec::new() } }, left)
    }

    /// Keeps what is `shown` now, if that is another than before.
    pub(super) fn keep<'shown>(&mut self, shown: impl Iterator<Item = &'shown Shown>) {
        let mut shown: Vec<_> = shown.map(|(owner, id)| (owner.to_string(), *id)).collect();
        shown.sort();
        let Some(path) = self.path.as_ref().filter(|_| shown != self.written.shown) else { return };
        self.written.shown = shown;
        let written = serde_json::to_vec(&self.written).map_err(|error| error.to_string());
        let kept = written.and_then(|text| write_private(path, &text).map_err(|error| error.to_string()));
        if let Err(error) = kept {
            tracing::debug!(error, "what is on the screen was not recorded");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(owner: &str, id: u32) -> Shown {
        (owner.try_into().unwrap(), id)
    }

    #[test]
    fn the_next_run_on_the_same_bus_finds_what_was_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = Some(folder.path().join("notifications.json"));
        let (mut record, left) = Record::open(path.clone(), "bus");
        assert_eq!(left, []);
        record.keep([shown(":1.7", 3), shown(":1.7", 1)].iter());
        assert_eq!(Record::open(path.clone(), "bus").1, [shown(":1.7", 1), shown(":1.7", 3)]);
        assert_eq!(Record::open(path.clone(), "another bus").1, [], "ids of another bus are strangers'");
        record.keep([].iter());
        assert_eq!(Record::open(path, "bus").1, []);
    }

    #[test]
    fn what_is_no_record_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notifications.json");
        let long = vec![(":1.7", 1); MAX_LEFT + 1];
        for text in [
            "nonsense".to_owned(),
            r#"{"bus":"bus","shown":[["not a unique name",1]]}"#.to_owned(),
            serde_json::json!({ "bus": "bus", "shown": long }).to_string(),
        ] {
            std::fs::write(&path, &text).unwrap();
            assert_eq!(Record::open(Some(path.clone()), "bus").1, [], "{text}");
        }
    }

    #[test]
    fn without_a_place_nothing_is_kept() {
        let (mut record, left) = Record::open(None, "bus");
        record.keep([shown(":1.7", 1)].iter());
        assert_eq!(left, []);
    }
}

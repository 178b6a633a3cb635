//! What the files hold that a call runs.

use std::path::Path;

use handraise_policy::{Request, ScriptFacts, ScriptState};
use sha2::{Digest, Sha256};

use super::PathResolver;
use crate::disk::Disk;

/// Largest file that is compared, in bytes.
const MAX_SCRIPT: u64 = 1024 * 1024;

impl PathResolver {
    /// What the files that `request` runs hold now.
    pub(crate) fn script_facts(&self, request: &Request) -> ScriptFacts {
        let mut disk = Disk::default();
        let states = request.script_candidates().into_iter().map(|candidate| {
            let path = self.absolute(&candidate, request.cwd.as_deref());
            let state = match path {
                Some(path) => state(&path, &mut disk),
                None => ScriptState::Unknown("the folder is not known".to_owned()),
            };
            (candidate, state)
        });
        states.collect()
    }
}

fn state(path: &Path, disk: &mut Disk) -> ScriptState {
    // A folder that is called so is run by nothing.
    if path.is_dir() {
        return ScriptState::Absent;
    }
    match disk.read(path, MAX_SCRIPT) {
        Ok(None) => ScriptState::Absent,
        Ok(Some(held)) => ScriptState::Digest(hex::encode(Sha256::digest(&held))),
        Err(why) => ScriptState::Unknown(why),
    }
}

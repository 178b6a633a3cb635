//! Credentials: 256-bit bearer tokens, kept as SHA-256 hashes.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use handraise_locations::{DEFAULT_REQUESTER, Folders, PrivateFileError, read_private, write_private};
use handraise_protocol::{Challenge, Credential, NewCredential, Role, TokenHash};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Bytes of an id; it is public.
const ID_BYTES: usize = 6;
/// Bytes of a secret.
const SECRET_BYTES: usize = 32;

/// Why credentials cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CredentialError {
    /// A file.
    #[error(transparent)]
    File(#[from] PrivateFileError),
    /// The file of hashes is not what this program writes.
    #[error("{}: {error}; move it away to start with new credentials", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// Another credential has the name.
    #[error("there is a credential of this name")]
    Taken,
    /// The system gives no random numbers.
    #[error("the system gives no random numbers: {0}")]
    Random(getrandom::Error),
}

/// All credentials. Copies share them: the engine changes them, and every connection looks them up.
#[derive(Clone, Debug)]
pub(crate) struct Credentials {
    path: PathBuf,
    entries: Arc<RwLock<Vec<Stored>>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stored {
    #[serde(flatten)]
    credential: Credential,
    /// SHA-256 of the token, in hexadecimal.
    hash: String,
}

#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    credentials: Vec<Stored>,
}

impl Credentials {
    /// Reads them, and makes the requester credentials that are missing: one for each agent in
    /// `agents` and one for everybody else, each in a file of its own that only this user can read.
    pub(crate) fn open(folders: &Folders, agents: &[&str], now: Timestamp) -> Result<Self, CredentialError> {
        let path = folders.credentials_file();
        let entries = match read_private(&path) {
            Ok(text) => {
                let file: File = serde_json::from_str(&text)
                    .map_err(|error| CredentialError::Damaged { path: path.clone(), error })?;
                file.credentials
            }
            Err(error) if error.is_missing() => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let credentials = Self { path, entries: Arc::new(RwLock::new(entries)) };
        for name in agents.iter().copied().chain([DEFAULT_REQUESTER]) {
            let file = folders.token_file(name);
            let known = read_private(&file).ok().and_then(|token| credentials.find(token.trim()));
            if known.is_none_or(|known| known.role != Role::Requester || known.name != name) {
                let mut others = credentials.all();
                others.retain(|entry| entry.credential.role != Role::Requester || entry.credential.name != name);
                let new = credentials.add(others, name, Role::Requester, now)?;
                write_private(&file, new.token.as_bytes())?;
            }
        }
        Ok(credentials)
    }

    /// Makes a credential; its token exists only in the answer.
    pub(crate) fn create(&self, name: &str, role: Role, now: Timestamp) -> Result<NewCredential, CredentialError> {
        self.add(self.all(), name, role, now)
    }

    /// The same, unless there is one of this name.
    pub(crate) fn create_anew(&self, name: &str, role: Role, now: Timestamp) -> Result<NewCredential, CredentialError> {
        if self.list().iter().any(|known| known.name == name) {
            return Err(CredentialError::Taken);
        }
        self.create(name, role, now)
    }

    fn add(
        &self,
        mut entries: Vec<Stored>,
        name: &str,
        role: Role,
        now: Timestamp,
    ) -> Result<NewCredential, CredentialError> {
        let id = random_hexadecimal::<ID_BYTES>()?;
        let prefix = match role {
            Role::Requester => "hrq",
            Role::Approver => "hra",
        };
        let token = format!("{prefix}_{id}_{}", random_hexadecimal::<SECRET_BYTES>()?);
        let credential = Credential { id, name: name.to_owned(), role, created_at: now };
        let hash = TokenHash::of(&token).to_hexadecimal();
        entries.push(Stored { credential: credential.clone(), hash });
        self.replace(entries)?;
        Ok(NewCredential { credential, token })
    }

    /// Forgets a credential; its token is worth nothing from now on.
    pub(crate) fn revoke(&self, id: &str) -> Result<bool, CredentialError> {
        let mut entries = self.all();
        let before = entries.len();
        entries.retain(|entry| entry.credential.id != id);
        if entries.len() == before {
            return Ok(false);
        }
        self.replace(entries)?;
        Ok(true)
    }

    /// All of them, without secrets.
    pub(crate) fn list(&self) -> Vec<Credential> {
        self.all().into_iter().map(|entry| entry.credential).collect()
    }

    /// The credential of `token`. Takes the same time for every wrong token of one id.
    pub(crate) fn find(&self, token: &str) -> Option<Credential> {
        let id = token.split('_').nth(1)?;
        let stored = self.stored(id)?;
        (stored.token_hash()? == TokenHash::of(token)).then_some(stored.credential)
    }

    /// The proof that this server, reached at `address`, knows the credential of `challenge`.
    pub(crate) fn prove(&self, challenge: &Challenge, address: &str) -> Option<String> {
        let stored = self.stored(&challenge.credential)?;
        Some(stored.token_hash()?.prove(challenge, address).proof)
    }

    fn all(&self) -> Vec<Stored> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn stored(&self, id: &str) -> Option<Stored> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.iter().find(|entry| entry.credential.id == id).cloned()
    }

    /// Lets `entries` count once they are saved.
    fn replace(&self, entries: Vec<Stored>) -> Result<(), CredentialError> {
        let file = File { version: 1, credentials: entries };
        let text = serde_json::to_vec_pretty(&file)
            .map_err(|error| CredentialError::Damaged { path: self.path.clone(), error })?;
        write_private(&self.path, &text)?;
        *self.entries.write().unwrap_or_else(PoisonError::into_inner) = file.credentials;
        Ok(())
    }
}

impl Stored {
    /// `None`: a person has changed it into something else. Then no token is this credential's.
    fn token_hash(&self) -> Option<TokenHash> {
        TokenHash::from_hexadecimal(&self.hash)
    }
}

fn random_hexadecimal<const BYTES: usize>() -> Result<String, CredentialError> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(CredentialError::Random)?;
    Ok(hex::encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(root: &std::path::Path) -> (Folders, Credentials) {
        let at = |name: &str| Some(root.join(name));
        let folders = Folders::with(at("config"), at("data"), at("runtime")).unwrap();
        folders.create().unwrap();
        let credentials = Credentials::open(&folders, &["claude-code"], Timestamp::UNIX_EPOCH).unwrap();
        (folders, credentials)
    }

    #[test]
    fn tokens_survive_a_restart_and_only_the_whole_token_counts() {
        let root = tempfile::tempdir().unwrap();
        let (folders, _) = open(root.path());
        let token = read_private(&folders.token_file("claude-code")).unwrap();
        let (_, credentials) = open(root.path());
        assert_eq!(credentials.find(&token).unwrap().name, "claude-code");
        for wrong in
            ["", "hrq", token.strip_suffix(|_: char| true).unwrap(), &format!("{token}0"), &format!("{token} ")]
        {
            assert!(credentials.find(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_revoked_token_is_worth_nothing() {
        let root = tempfile::tempdir().unwrap();
        let (_, credentials) = open(root.path());
        let new = credentials.create("phone", Role::Approver, Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(credentials.find(&new.token).unwrap().role, Role::Approver);
        assert!(credentials.revoke(&new.credential.id).unwrap());
        assert!(credentials.find(&new.token).is_none());
    }

    #[test]
    fn a_proof_is_good_for_one_address_only() {
        let root = tempfile::tempdir().unwrap();
        let (_, credentials) = open(root.path());
        let new = credentials.create("x", Role::Requester, Timestamp::UNIX_EPOCH).unwrap();
        let challenge = Challenge { credential: new.credential.id, nonce: "00".repeat(16) };
        let here = credentials.prove(&challenge, "127.0.0.1:4733").unwrap();
        assert_ne!(here, credentials.prove(&challenge, "127.0.0.1:4734").unwrap());
    }
}

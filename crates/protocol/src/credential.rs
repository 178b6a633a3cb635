//! Credentials, and the server's proof that it knows one.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a credential is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// May ask.
    Requester,
    /// May decide.
    Approver,
}

/// A credential without its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Credential {
    /// Public part of the token.
    pub id: String,
    /// Given by a person; for an agent's own credential the agent's name.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// When it was made.
    #[ts(type = "string")]
    pub created_at: Timestamp,
}

/// Asks for a new credential.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewCredentialRequest {
    /// A name that tells a person who holds it.
    pub name: String,
    /// What it is for.
    pub role: Role,
}

/// A new credential; the token is shown here once and never again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct NewCredential {
    /// The credential.
    pub credential: Credential,
    /// Send it as `Authorization: Bearer TOKEN`.
    pub token: String,
}

/// Asks the server to prove that it knows a credential, before anything is sent to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Challenge {
    /// Public part of the token.
    pub credential: String,
    /// 16 to 64 random bytes, in hexadecimal.
    pub nonce: String,
}

/// `HMAC-SHA256(key = SHA-256(token), "handraise-server-proof-v1\n" nonce "\n" address)` in
/// hexadecimal; `address` is where the connection arrived (`IP:PORT`, or the path of the socket),
/// so that a proof cannot be passed on from another place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ChallengeProof {
    /// The proof.
    pub proof: String,
}

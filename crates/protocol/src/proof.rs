//! The server's proof that it knows a credential, as both sides compute it. `sdk/vectors/proof.jsonl` holds the
//! libraries for other languages to the same formula.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::{Challenge, ChallengeProof};

/// What the text begins with that is proved.
const PURPOSE: &str = "handraise-server-proof-v1";

/// The SHA-256 of a token: what the server keeps of it, and the key of its proof. It never shows itself in a log.
#[derive(Clone)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// Of this token.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// As [`TokenHash::to_hexadecimal`] writes it; `None`: it is something else.
    #[must_use]
    pub fn from_hexadecimal(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        Some(Self(bytes))
    }

    /// As it is stored: 64 hexadecimal digits.
    #[must_use]
    pub fn to_hexadecimal(&self) -> String {
        hex::encode(self.0)
    }

    /// The proof for `challenge` by the server at `address` (`IP:PORT`, or the path of the socket). The formula
    /// stands at [`ChallengeProof`].
    #[must_use]
    pub fn prove(&self, challenge: &Challenge, address: &str) -> ChallengeProof {
        let text = format!("{PURPOSE}\n{}\n{address}", challenge.nonce);
        // HMAC takes keys of every length (RFC 2104, section 2); this one is as long as the digest.
        let code = Hmac::<Sha256>::new_from_slice(&self.0).map(|code| code.chain_update(text).finalize().into_bytes());
        ChallengeProof { proof: code.map(hex::encode).unwrap_or_default() }
    }

    /// Whether `proof` is the one of the server at `address` for `challenge`. It takes the same time for every
    /// wrong proof of the right length.
    #[must_use]
    pub fn is_proved_by(&self, proof: &ChallengeProof, challenge: &Challenge, address: &str) -> bool {
        let expected = self.prove(challenge, address).proof;
        !expected.is_empty() && bool::from(expected.as_bytes().ct_eq(proof.proof.as_bytes()))
    }
}

/// In constant time.
impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TokenHash {}

impl fmt::Debug for TokenHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenHash")
    }
}

//! The server proves that it is Handraise before anything is sent to it. Any program of this user
//! could sit on the port while Handraise is not running, and would answer "allow" to everything.
//! The formula stands at [`handraise_protocol::ChallengeProof`].

use handraise_protocol::Challenge;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::{ClientError, Token};

const NONCE_BYTES: usize = 32;

/// A fresh challenge for the credential of `token`.
///
/// # Errors
/// When the system gives no random numbers.
pub fn challenge(token: &Token) -> Result<Challenge, ClientError> {
    let mut nonce = [0; NONCE_BYTES];
    getrandom::fill(&mut nonce).map_err(|error| ClientError::System(std::io::Error::other(error.to_string())))?;
    Ok(Challenge { credential: token.id().to_owned(), nonce: hexadecimal(&nonce) })
}

/// Whether `proof` shows that the server at `address` knows `token`.
#[must_use]
pub fn is_right(proof: &str, token: &Token, challenge: &Challenge, address: &str) -> bool {
    let key = Sha256::digest(token.text().as_bytes());
    let Ok(mut code) = Hmac::<Sha256>::new_from_slice(&key) else { return false };
    code.update(b"handraise-server-proof-v1\n");
    code.update(challenge.nonce.as_bytes());
    code.update(b"\n");
    code.update(address.as_bytes());
    let expected = hexadecimal(&code.finalize().into_bytes());
    expected.as_bytes().ct_eq(proof.as_bytes()).into()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

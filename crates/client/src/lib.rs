//! What speaking to the server takes: a token, the server's proof that it is Handraise, and the errors of
//! both; and one request from a program that does nothing else meanwhile.
//!
//! Every request travels on a connection of its own, after the server at the other end of that very
//! connection has proved that it knows the credential ([`proof`]).

mod error;
mod exchange;
pub mod proof;
mod token;

pub use error::{ClientError, capitalized};
pub use exchange::{Answer, Patience, post};
pub use token::Token;

/// The largest answer that is read, in bytes.
pub const LARGEST_ANSWER: usize = 32 * 1024 * 1024;
/// How long a server may take to prove itself. The proof waits for nobody.
pub const LONGEST_PROOF: std::time::Duration = std::time::Duration::from_secs(10);

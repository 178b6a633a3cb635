//! One conversation with the server: where it is to be found, how it proves that it is Handraise, what is asked
//! and what it answers.
//!
//! [`Conversation`] does no input or output: bytes go in, bytes and answers come out. Around it are two shells that
//! move the bytes: [`post`] here, which blocks, for a program that does nothing else meanwhile; and the command
//! line's, which waits for several things at once.
//!
//! Every request travels on a connection of its own, after the server at the other end of that very
//! connection has proved that it knows the credential. Any program of this user could sit on the port while
//! Handraise is not running, and would answer "allow" to everything.

mod blocking;
mod conversation;
mod error;
mod event_stream;
mod message;
mod server_address;
mod token;
mod wait;

pub use blocking::post;
pub use conversation::{Conversation, MAX_PROOF, Nonce, Request, Response, Step};
pub use error::{ClientError, capitalized};
pub use message::MAX_ANSWER;
pub use server_address::{ClientIdentity, ServerAddress, ServerAddresses};
pub use token::Token;
#[cfg(unix)]
pub use wait::wait_for;
pub use wait::{Interest, WaitLimit};

//! What holds of every text that the targets are fed, and what they share: an opinion of its own about characters
//! and quoting, and requests. `tests/tests/fuzz_corpus.rs` includes this to feed it what is known already.

pub mod analyser;
mod characters;
pub mod decide;
pub mod display;
pub mod policy_parser;
mod quoting;
pub mod redaction;
mod request;

pub use characters::{first_acting, is_refused_control};
pub use quoting::{requoted, toml_string};
pub use request::{now, shell_request};

//! What a command line can do: look, write, or remove for good.

mod classification;
mod command;
mod level;
mod sql;

pub use classification::Classification;
pub use command::{
    Hazard, classify_command, classify_part, classify_together, handed_on, hazard, hazard_among, may_run_text,
    names_listed, prints_credentials, shows_contents, writing_texts,
};
pub(crate) use command::{begins_to_look, publishes, talks_out};
pub use level::RiskLevel;
pub use sql::classify_sql;

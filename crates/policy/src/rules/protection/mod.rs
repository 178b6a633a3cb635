//! Files that decide who decides: Handraise's own, and the settings that hook an agent up to it.

mod checkout;
mod credential;
mod deciding;
mod guard;
mod named;
mod protections;
mod settings;
mod tree;

pub(super) use credential::credential_words;
pub(super) use guard::Guard;
pub use protections::Protections;
pub use settings::PROJECT_SETTINGS;
pub(super) use settings::is_agent_setting;

//! The running gate: one engine task that owns the domain's state machine, the audit database, and
//! the local API on 127.0.0.1 and a Unix socket.
//!
//! The desktop application and `handraise serve` both embed this crate; they differ in the
//! [`Surface`]s that they put requests on and in where their [`GrantList`] shows grants.

mod approval_result;
mod audit;
mod clock;
mod cloud_event;
mod consequences;
mod credentials;
mod disk;
mod dry_run;
mod engine;
mod environment;
mod file_identity;
mod file_watch;
pub mod hardening;
mod http;
mod intake;
mod keeping;
mod made_files;
mod outbound;
mod paths;
mod peer;
mod policy_file;
mod ports;
mod prepare;
pub mod projects;
mod protections;
mod provenance;
mod redacted;
mod repository;
mod results;
mod sentence;
mod server;
mod skills;
mod store_file;
mod telemetry;
mod threads;
mod turns;
mod view;
mod walls;

pub use audit::{
    Anchor, AuditError, AuditFinding, AuditReport, ExportError, ExportFormat, Head, Verification, check_audit_log,
    export_audit_log,
};
pub use clock::{Clock, SystemClock};
pub use credentials::CredentialError;
pub use dry_run::DryRun;
pub use engine::{Engine, KeptSearch, Published};
pub use policy_file::{EditError, unknown_agents, with_imported};
pub use ports::{GrantList, ListedGrants, StoreError, Surface};
pub use server::{Server, ServerOptions, StartError};
pub use store_file::FileStore;

//! Calls and decisions told to a receiver of OpenTelemetry.

mod exporter;
mod span;

pub(crate) use exporter::Telemetry;
pub(crate) use span::{CallSpan, request};

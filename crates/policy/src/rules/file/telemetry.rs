//! The table `[opentelemetry]`.

use super::reader::{Reader, Value};
use super::url::read_url;
use crate::rules::telemetry::TelemetryTarget;

const KEYS: &[&str] = &["url"];

pub(super) fn read_telemetry(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<TelemetryTarget> {
    let table = reader.table("opentelemetry", value)?;
    reader.check_keys(table, "[opentelemetry]", KEYS);
    let help = "write the address in front of `/v1/traces`, as \"https://collector.example.com\", or \
                \"http://127.0.0.1:4318\" on this machine";
    read_url(reader, table, value, "[opentelemetry]", help).map(|url| TelemetryTarget { url })
}

//! The table `[authzen]`.

use super::reader::{Reader, Value};
use super::url::read_url;
use crate::rules::decision_point::{DEFAULT_SECONDS, DecisionPoint, MAX_SECONDS};

const KEYS: &[&str] = &["url", "timeout"];

pub(super) fn read_authzen(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<DecisionPoint> {
    let table = reader.table("authzen", value)?;
    reader.check_keys(table, "[authzen]", KEYS);
    let timeout = table.get("timeout").and_then(|value| {
        let help = "write a number of seconds, as \"2s\", from 1s to 30s: agents wait meanwhile";
        reader.seconds(value, MAX_SECONDS, help)
    });
    let help = "write the address in front of `/access/v1/evaluation`, as \"https://decisions.example.com\", or \
                \"http://127.0.0.1:8080\" on this machine";
    let url = read_url(reader, table, value, "[authzen]", help)?;
    Some(DecisionPoint { url, timeout_seconds: timeout.unwrap_or(DEFAULT_SECONDS) })
}

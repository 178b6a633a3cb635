//! Values of settings, and what of them can stand in a rule.

use handraise_policy::Action;
use serde_json::{Map, Value};

use crate::ConnectError;

/// Whether `name` stands for itself in a glob on names.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '.' | ':'))
}

/// The object `key` of `root`.
pub(super) fn object<'a>(root: &'a Value, key: &str) -> Result<Option<&'a Map<String, Value>>, ConnectError> {
    match root.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(_) => Err(ConnectError::Shape { place: key.to_owned(), expected: "an object" }),
    }
}

/// The texts of the list `key`.
pub(super) fn strings(object: &Map<String, Value>, key: &str, place: &str) -> Result<Vec<String>, ConnectError> {
    let shape = || ConnectError::Shape { place: place.to_owned(), expected: "a list of texts" };
    match object.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(list)) => {
            list.iter().map(|text| text.as_str().map(str::to_owned).ok_or_else(shape)).collect()
        }
        Some(_) => Err(shape()),
    }
}

/// Addresses of one host. What allows takes only what is sure to be there: the scheme, the very name, and a slash.
pub(super) fn of_host(host: &str, action: Action) -> Result<(Vec<String>, Vec<String>), String> {
    let is_host =
        !host.is_empty() && host.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-'));
    if action >= Action::Ask {
        let plain = host.trim_start_matches("*.").to_lowercase();
        let note = "It is compared with the text of the address, in small letters.".to_owned();
        return Ok((vec![format!("*{plain}*")], vec![note]));
    }
    match is_host {
        true => {
            let host = host.to_lowercase();
            let note = "Addresses with `https://` only.".to_owned();
            Ok((vec![format!("https://{host}/*"), format!("https://{host}")], vec![note]))
        }
        false => {
            Err("It is not the name of one host. A rule compares text, where `*` would also stand for another host."
                .to_owned())
        }
    }
}

//! JSON that every program reads alike.

use handraise_display::{FindingKind, TextRole, findings};
use serde_json::Value;

/// The value of `text`; a byte order mark may stand in front.
///
/// # Errors
/// When it is no JSON (RFC 8259), or an object has a name twice: programs differ in which counts.
pub(super) fn json(text: &str) -> Result<Value, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let twice = findings(text, TextRole::Json).into_iter().find(|finding| finding.kind == FindingKind::DuplicateKey);
    twice.map_or(Ok(value), |finding| Err(finding.sentence.trim_end_matches('.').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_stands_twice_is_refused_at_every_depth() {
        assert!(json(r#"{"a":1,"b":{"a":[null,true,1.5,-2,"x",{"c":1}]}}"#).is_ok());
        assert!(json(r#"{"a":1,"a":2}"#).unwrap_err().contains("twice"));
        assert!(json(r#"{"scripts":[{"b":1,"\u0062":2}]}"#).is_err());
        assert!(json(r#"{"scripts":{"x":"{\"a\":1}","y":{"x":1,"z":"}"},"\u0078":"evil"}}"#).is_err());
        assert!(json(r#"{"a":["{",{"b":1}],"c":{"b":"\\"},"b":2}"#).is_ok());
        assert!(json("\u{feff}{}").is_ok());
        let many: Vec<String> = (0..5_000).map(|number| format!(r#""n{number}":{number}"#)).collect();
        assert!(json(&format!("{{{}}}", many.join(","))).is_ok());
        assert!(json(&format!("{{{},\"n17\":1}}", many.join(","))).is_err());
    }
}

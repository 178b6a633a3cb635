//! The envelope of CloudEvents 1.0.2 in its JSON form (<https://github.com/cloudevents/spec>, "JSON Event Format").

use serde::Serialize;

/// The media type of one such event.
pub(crate) const MEDIA_TYPE: &str = "application/cloudevents+json";

/// An event in its envelope. Source and id together name it, for ever.
#[derive(Debug, Serialize)]
pub(crate) struct CloudEvent<'a, Data> {
    specversion: &'static str,
    id: String,
    source: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    datacontenttype: &'static str,
    /// Further attributes: names of lower-case letters and digits.
    #[serde(flatten)]
    extensions: Extensions<'a>,
    data: Data,
}

/// Attributes beyond those of the specification.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Extensions<'a> {
    /// The hash of the entry of the audit log before this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) previoushash: Option<&'a str>,
    /// The hash of the entry itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entryhash: Option<&'a str>,
}

impl<'a, Data: Serialize> CloudEvent<'a, Data> {
    /// What happened: `data`, of the `kind` that it is called by in `source`.
    pub(crate) fn new(id: String, source: String, kind: &str, data: Data) -> Self {
        Self {
            specversion: "1.0",
            id,
            source,
            kind: format!("io.github.handraise.{kind}"),
            time: None,
            subject: None,
            datacontenttype: "application/json",
            extensions: Extensions::default(),
            data,
        }
    }

    /// With when it happened (RFC 3339), and what it is about.
    pub(crate) fn about(self, time: Option<String>, subject: Option<String>) -> Self {
        Self { time, subject, ..self }
    }

    /// With the attributes `extensions`.
    pub(crate) fn with(self, extensions: Extensions<'a>) -> Self {
        Self { extensions, ..self }
    }
}

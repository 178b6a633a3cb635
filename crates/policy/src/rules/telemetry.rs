//! Where the running gate tells about calls and decisions.

/// The table `[opentelemetry]`: a receiver of OTLP over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelemetryTarget {
    /// Its address, without `/v1/traces` and without a slash at the end.
    pub url: String,
}

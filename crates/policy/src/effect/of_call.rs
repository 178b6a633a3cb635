//! What a tool changes that is no shell.

use super::place;
use super::{Effect, Elsewhere, Here, Lost};
use crate::{Request, RiskLevel, Subject, ToolClass};

/// What `request`, which is no command line, changes at the risk `level`. What the server of its tool says counts where
/// it is stricter, or the server is trusted.
pub(crate) fn of_call(request: &Request, level: RiskLevel, server_trusted: bool) -> Effect {
    let looks = level == RiskLevel::ReadOnly || matches!(request.subject, Subject::Fetch { .. });
    let here = if looks { Here::Nothing } else { Here::Unknown };
    match request.class {
        ToolClass::Shell => Effect::UNKNOWN,
        ToolClass::FileRead if looks => Effect::NOTHING,
        ToolClass::FileWrite => written(request),
        ToolClass::Network => Effect::new(here, Elsewhere::Asked, Lost::FOR_GOOD),
        ToolClass::Mcp => {
            // MCP 2025-11-25, `ToolAnnotations`: what is not said is an open world.
            let is_closed = server_trusted && request.annotations.open_world_hint == Some(false);
            let elsewhere = match (is_closed, looks) {
                (true, _) => Elsewhere::Nothing,
                (false, true) => Elsewhere::Asked,
                (false, false) => Elsewhere::Unknown,
            };
            Effect::new(here, elsewhere, Lost::FOR_GOOD)
        }
        ToolClass::FileRead | ToolClass::Other => Effect::new(here, Elsewhere::Nothing, Lost::FOR_GOOD),
    }
}

/// What a tool for files changes: the files that it names, where it is known which.
fn written(request: &Request) -> Effect {
    // Other arguments may name others.
    if request.subject == Subject::Arguments && request.files.is_empty() {
        return Effect::UNKNOWN;
    }
    let named = request.named_paths();
    named.iter().map(|text| place::at(request, text)).reduce(Effect::and).unwrap_or(Effect::UNKNOWN)
}

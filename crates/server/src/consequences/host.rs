//! Which machine an address leads to.

use handraise_display::host_of;
use handraise_policy::{Request, Subject, ToolClass};
use serde_json::Value;

use super::told::CommandConsequence;

/// Addresses in the arguments of a tool that are told of.
const MAX_HOSTS: usize = 4;

/// The machines that the addresses of `request` lead to.
pub(super) fn told(request: &Request) -> Vec<CommandConsequence> {
    let mut addresses: Vec<&str> = Vec::new();
    match &request.subject {
        Subject::Fetch { url } => addresses.push(url),
        Subject::Arguments if request.class == ToolClass::Mcp => {
            addresses.extend(request.arguments.values().filter_map(Value::as_str).filter(|text| is_address(text)));
        }
        _ => {}
    }
    let mut told: Vec<CommandConsequence> = Vec::new();
    for host in addresses.into_iter().filter_map(host_of) {
        let mut clause = format!("Leads to {}", host.ascii);
        if let Some(address) = host.address {
            clause.push_str(&format!(", which is {address}"));
        }
        if host.ascii != host.written {
            clause.push_str(&format!(", written as {}", host.written));
        }
        if let Some(user) = host.user {
            clause.push_str(&format!("; {user} in front of it is only a name to sign in with"));
        }
        let one = CommandConsequence { clause, ..CommandConsequence::default() };
        if !told.contains(&one) && told.len() < MAX_HOSTS {
            told.push(one);
        }
    }
    told
}

/// The text is an address and nothing else.
fn is_address(text: &str) -> bool {
    let text = text.trim();
    ["http://", "https://", "ws://", "wss://"].iter().any(|scheme| text.starts_with(scheme))
        && !text.contains(char::is_whitespace)
}

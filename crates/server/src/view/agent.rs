//! What an agent is called before a person.

use handraise_display::line;
use handraise_policy::{AgentIdentity, SessionKey};

use crate::intake::RequesterIdentity;

/// Longest name, in characters; the rest is counted.
const MAX_NAME: usize = 80;

/// The name as it was given, one plain line.
pub(crate) fn name(agent: &AgentIdentity) -> String {
    line(&agent.name, MAX_NAME)
}

/// `Claude Code` for an agent that has proved its name. A name that is only claimed is in quotation marks, so that it
/// never looks like a proved one, whatever it is.
pub(crate) fn title(agent: &AgentIdentity) -> String {
    if agent.verified {
        return known(&agent.name).map_or_else(|| name(agent), str::to_owned);
    }
    // A quotation mark inside must not look like the end of the name.
    format!("“{}”", name(agent).replace(['“', '”', '„', '‟', '❝', '❞', '〝', '〞', '"'], "'"))
}

/// The same for whoever asks in the session `key`.
pub(crate) fn session_title(key: &SessionKey) -> String {
    let named = RequesterIdentity::name_of(&key.requester, key.agent.as_deref());
    named.map_or_else(|| line(&key.requester, MAX_NAME), |agent| title(&agent))
}

/// The name for people of the agent called `name`.
pub(super) fn known(name: &str) -> Option<&'static str> {
    handraise_agents::agent(name).map(|agent| agent.display_name())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titled(name: &str, verified: bool) -> String {
        title(&AgentIdentity { name: name.to_owned(), verified })
    }

    #[test]
    fn an_agent_that_proved_its_name_is_called_as_people_call_it() {
        for known in handraise_agents::NAMES {
            assert_eq!(titled(known, true), handraise_agents::agent(known).unwrap().display_name());
        }
        assert_eq!(titled("deploy-bot", true), "deploy-bot");
    }

    #[test]
    fn no_claimed_name_looks_like_a_proved_one() {
        let proved: Vec<String> = handraise_agents::NAMES.iter().map(|name| titled(name, true)).collect();
        let quoted = |name: &String| format!("”{name}“");
        let names = handraise_agents::NAMES.iter().map(|name| (*name).to_owned());
        for claimed in names.chain(proved.iter().cloned()).chain(proved.iter().map(quoted)) {
            let title = titled(&claimed, false);
            let inside = title.strip_prefix('“').and_then(|title| title.strip_suffix('”')).unwrap();
            assert!(!inside.contains(['“', '”', '"']), "{title}");
        }
        assert_eq!(titled("bot” in shop “x", false), "“bot' in shop 'x”");
    }

    #[test]
    fn a_session_is_called_by_what_its_credential_proves() {
        let key = |requester: &str, agent: Option<&str>| SessionKey {
            requester: requester.into(),
            agent: agent.map(Into::into),
            id: "s".into(),
        };
        assert_eq!(session_title(&key("codex", Some("codex"))), "Codex CLI");
        assert_eq!(session_title(&key("default", Some("codex"))), "“codex”");
        assert_eq!(session_title(&key("deploy-bot", Some("codex"))), "“codex”");
        assert_eq!(session_title(&key("default", None)), "default");
    }
}

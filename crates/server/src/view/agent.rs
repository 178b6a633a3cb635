//! What an agent is called before a person.

use handraise_agents::{SUB_AGENT, SUB_AGENT_KIND};
use handraise_display::line;
use handraise_policy::{AgentIdentity, SessionKey};
use handraise_protocol::SubAgent;

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
    quoted(&name(agent))
}

/// `name` in quotation marks, as it is only claimed. One inside must not look like the end of the name.
fn quoted(name: &str) -> String {
    format!("“{}”", name.replace(['“', '”', '„', '‟', '❝', '❞', '〝', '〞', '"'], "'"))
}

/// The sub-agent that these tags of a request name.
pub(super) fn sub_agent(tags: &[String]) -> Option<SubAgent> {
    let named = |beginning: &str| tags.iter().find_map(|tag| tag.strip_prefix(beginning));
    let id = line(named(SUB_AGENT)?, MAX_NAME);
    let title = named(SUB_AGENT_KIND).map_or_else(|| quoted(&id), |kind| quoted(&line(kind, MAX_NAME)));
    Some(SubAgent { id, title })
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
    fn a_sub_agent_is_called_by_its_kind_as_a_claim() {
        let of = |tags: &[&str]| {
            let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
            sub_agent(&tags).map(|sub_agent| (sub_agent.id, sub_agent.title))
        };
        assert_eq!(of(&["sub-agent:a1", "agent-type:Explore"]), Some(("a1".into(), "“Explore”".into())));
        assert_eq!(of(&["sub-agent:a1"]), Some(("a1".into(), "“a1”".into())));
        assert_eq!(of(&["sub-agent:a\u{202e}1", "agent-type:x”"]).map(|(_, title)| title), Some("“x'”".into()));
        assert_eq!(of(&["agent-type:Explore"]), None, "an agent that was started as one kind is no sub-agent");
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

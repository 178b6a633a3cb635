//! The page of each agent says what the code does.

use std::path::PathBuf;

use handraise_agents::Level;

fn page(name: &str) -> String {
    let pages = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/agents");
    std::fs::read_to_string(pages.join(format!("{name}.md"))).unwrap_or_default()
}

#[test]
fn every_agent_has_a_page_that_is_true() {
    for name in handraise_agents::NAMES {
        let (agent, page) = (handraise_agents::agent(name).unwrap(), page(name));
        let mut facts = vec![
            format!("# {}\n", agent.display_name()),
            format!("handraise connect {name}\n"),
            format!("within {} seconds", agent.timing().hook_seconds),
        ];
        facts.extend(
            [Level::User, Level::Project]
                .into_iter()
                .flat_map(|level| agent.files(level))
                .map(|file| file.path.to_owned()),
        );
        facts.extend(agent.stays_open(None).iter().map(|sentence| format!("- {sentence}\n")));
        for fact in facts {
            assert!(page.contains(&fact), "docs/agents/{name}.md does not say: {fact}");
        }
        assert_eq!(agent.has_own_questions(), page.contains("--only-what-agent-asks"), "{name}");
    }
}

#[test]
fn the_overview_names_every_agent_with_what_it_can_do() {
    let overview = page("README");
    let yes = |is: bool| if is { "yes" } else { "no" };
    for name in handraise_agents::NAMES {
        let agent = handraise_agents::agent(name).unwrap();
        let row = format!(
            "| [{}]({name}.md) | `{name}` | {} | {} |",
            agent.display_name(),
            yes(agent.has_own_questions()),
            agent.timing().hook_seconds
        );
        assert!(overview.contains(&row), "docs/agents/README.md does not say: {row}");
    }
}

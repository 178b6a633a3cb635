//! The page of each agent says what the code does.

#![expect(clippy::disallowed_methods, reason = "the pages are files")]

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

#[test]
fn the_page_about_acp_has_settings_that_can_be_pasted() {
    let page = page("acp");
    let examples: Vec<&str> = page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(examples.len(), 2);
    for example in examples {
        let settings: serde_json::Value = serde_json::from_str(example).unwrap();
        for server in settings["agent_servers"].as_object().unwrap().values() {
            let words: Vec<&str> =
                server["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
            assert_eq!((words[0], words[1], words[3]), ("acp", "--agent", "--"));
            assert!(handraise_agents::agent(words[2]).is_some(), "{}", words[2]);
        }
    }
    assert!(self::page("README").contains("(acp.md)"));
}

#[test]
fn the_overview_names_every_file_that_switches_hooks_off_and_what_forbids_it() {
    let overview = page("README");
    for name in handraise_agents::NAMES {
        let agent = handraise_agents::agent(name).unwrap();
        let row = overview.lines().find(|line| line.starts_with(&format!("| {} | `", agent.display_name())));
        assert_eq!(row.is_some(), !agent.off_switches().is_empty(), "{name}");
        let row = row.unwrap_or_default();
        for switch in agent.off_switches() {
            for fact in [switch.file, switch.setting] {
                assert!(row.contains(&format!("`{fact}`")), "docs/agents/README.md does not say of {name}: {fact}");
            }
        }
        for file in agent.system_files() {
            assert!(row.contains(&format!("`/{}`", file.path)), "{name}: {}", file.path);
        }
    }
}

#[test]
fn the_readme_says_how_many_agents_there_are() {
    const WORDS: [&str; 8] = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"];
    let readme = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap_or_default().to_lowercase();
    let word = |count: usize| count.checked_sub(10).and_then(|index| WORDS.get(index)).copied().unwrap_or("many");
    let count = handraise_agents::NAMES.len();
    for fact in [format!("works with {} agents", word(count)), format!("[{} more agents]", word(count - 1))] {
        assert!(readme.contains(&fact), "README.md does not say: {fact}");
    }
}

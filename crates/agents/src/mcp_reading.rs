//! Tools of well-known MCP servers that only read, by the names that their makers give both.
//!
//! The name of a server stands in the settings of the agent, and the agent asks before it starts one that a project brings
//! along. So a name is no proof of what a server is. A server that bears one of these names wrongly learns what the agent
//! asks it, as a search on the web does, and no more.

use handraise_shell::{is_for_reading, is_here};
use serde_json::{Map, Value};

use crate::mcp::server_and_tool;

/// Servers of one maker, and their tools that only read.
struct Reading {
    servers: &'static [&'static str],
    tools: &'static str,
    /// Tools that show a page in a browser of the agent's own; they only read where that is of this machine, or of a place
    /// that only serves what everybody may read.
    opening: &'static str,
}

const fn reading(servers: &'static [&'static str], tools: &'static str) -> Reading {
    Reading { servers, tools, opening: "" }
}

/// Sources: README of `@upstash/context7-mcp`; docs.devin.ai, "DeepWiki MCP"; Linear, "MCP server"; README of
/// `github/github-mcp-server`, "Tools"; README of `@playwright/mcp`, the tools marked "Read-only: true"; README of
/// `chrome-devtools-mcp`, "Tools"; Claude Code, "Use Claude Code with VS Code" and "Preview your app"; AWS Documentation MCP
/// Server; Microsoft Learn MCP Server.
const TABLE: &[Reading] = &[
    reading(&["context7"], "resolve-library-id get-library-docs query-docs"),
    reading(&["deepwiki"], "read_wiki_structure read_wiki_contents ask_question"),
    reading(
        &["linear", "linear-server"],
        "list_comments list_cycles get_document list_documents get_issue list_issues list_issue_statuses get_issue_status \
            list_issue_labels list_my_issues list_projects get_project list_project_labels list_teams get_team list_users \
            get_user list_milestones get_milestone search_documentation",
    ),
    reading(
        &["github"],
        "get_me get_team_members get_teams get_commit get_file_contents get_label get_latest_release get_release_by_tag \
            get_repository_tree get_tag issue_read get_issue get_issue_comments list_issues list_issue_types \
            pull_request_read get_pull_request get_pull_request_diff get_pull_request_files get_pull_request_comments \
            get_pull_request_reviews get_pull_request_status list_pull_requests list_branches list_commits list_label \
            list_releases list_tags list_workflows list_workflow_runs list_workflow_jobs get_workflow_run get_job_logs \
            search_code search_issues search_pull_requests search_repositories search_users get_discussion \
            get_discussion_comments list_discussions list_discussion_categories",
    ),
    Reading {
        servers: &["playwright"],
        tools: "browser_snapshot browser_console_messages browser_network_requests browser_wait_for browser_close",
        opening: "browser_navigate",
    },
    Reading {
        servers: &["chrome-devtools"],
        tools: "list_console_messages get_console_message list_network_requests get_network_request list_pages take_snapshot wait_for \
            close_page",
        opening: "navigate_page new_page",
    },
    Reading {
        servers: &["Claude_Browser", "Claude_Preview"],
        tools: "read_console_messages read_network_requests get_page_text read_page find tabs_context tabs_create tabs_close \
            preview_list preview_logs preview_console_logs preview_network preview_snapshot preview_stop resize_window \
            preview_resize",
        opening: "navigate preview_start",
    },
    reading(&["ide"], "getDiagnostics"),
    reading(
        &["aws-documentation", "awslabs.aws-documentation-mcp-server"],
        "read_documentation search_documentation recommend get_available_services",
    ),
    reading(
        &["microsoft-learn", "microsoft_docs_mcp"],
        "microsoft_docs_search microsoft_docs_fetch microsoft_code_sample_search",
    ),
];

/// How the names of arguments end that say which file a tool writes what it has read to, in small letters and without `_`
/// and `-`: `responseFilePath`, `save_path`.
const WRITES_TO: &[&str] = &[
    "filename",
    "filepath",
    "savepath",
    "saveto",
    "savedir",
    "output",
    "outputpath",
    "outputfile",
    "outputdir",
    "outputdirectory",
    "outfile",
    "outpath",
    "outdir",
    "destination",
    "destinationpath",
    "destinationfile",
    "downloadpath",
    "downloaddir",
    "exportpath",
];
/// How a text begins that names a file of this machine, wherever that stands. `/vercel/next.js` is the name of a library.
const OF_THIS_MACHINE: &[&str] = &[
    "~/",
    "/home/",
    "/Users/",
    "/root/",
    "/tmp/",
    "/private/",
    "/var/",
    "/etc/",
    "/usr/",
    "/opt/",
    "/srv/",
    "/mnt/",
    "/media/",
    "/Volumes/",
    "/workspace/",
    "/workspaces/",
];
/// An argument that names a file of a repository, from its root on: `get_file_contents` of GitHub.
const OF_REPOSITORY: &str = "path";
/// Deepest nesting of arguments that is looked at.
const MAX_DEPTH: usize = 16;

/// Whether a call of `tool`, of the MCP server `server` where that is known, is known only to read.
pub(crate) fn only_reads(tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> bool {
    let (Some(server), tool) = server_and_tool(tool, server) else { return false };
    let of_plugin = |known: &str| {
        // Claude Code, "Plugins reference": `plugin_PLUGIN_SERVER`.
        let rest = server.strip_prefix("plugin_").or_else(|| server.strip_prefix("plugin:"));
        rest.is_some_and(|rest| {
            [format!("{known}_{known}"), format!("{known}:{known}")].iter().any(|name| name == rest)
        })
    };
    let is_of = |reading: &&Reading| reading.servers.iter().any(|known| *known == server || of_plugin(known));
    let listed = |list: &str| list.split_ascii_whitespace().any(|listed| listed == tool);
    let reads = |reading: &Reading| listed(reading.tools) || listed(reading.opening) && shows_a_page(arguments);
    TABLE.iter().filter(is_of).any(reads) && !arguments.iter().any(|(name, value)| names_output(name, value, 0))
}

/// Whether the argument `name` says where on this machine something is to be written.
fn names_output(name: &str, value: &Value, depth: usize) -> bool {
    let plain: String = name.chars().filter(|sign| !matches!(sign, '_' | '-')).collect();
    let plain = plain.to_ascii_lowercase();
    WRITES_TO.iter().any(|ending| plain.ends_with(ending)) || names_path(&plain, value, depth)
}

fn names_path(name: &str, value: &Value, depth: usize) -> bool {
    match value {
        _ if depth > MAX_DEPTH => true,
        Value::String(text) => name != OF_REPOSITORY && OF_THIS_MACHINE.iter().any(|start| text.starts_with(start)),
        Value::Array(values) => values.iter().any(|value| names_path(name, value, depth + 1)),
        Value::Object(fields) => fields.iter().any(|(name, value)| names_output(name, value, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether the arguments name a page to look at, and in which tab.
fn shows_a_page(arguments: &Map<String, Value>) -> bool {
    let is_for_looking = |address: &str| is_here(address) || is_for_reading(address);
    arguments.get("url").and_then(Value::as_str).is_some_and(is_for_looking)
        && arguments.keys().all(|name| matches!(name.as_str(), "url" | "tabId" | "type" | "timeout"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reads(tool: &str, server: Option<&str>, arguments: Value) -> bool {
        only_reads(tool, server, arguments.as_object().unwrap())
    }

    #[test]
    fn a_tool_that_its_maker_says_only_reads_is_known() {
        for (tool, server) in [
            ("mcp__context7__query-docs", None),
            ("query-docs", Some("context7")),
            ("mcp__linear-server__get_issue", Some("linear-server")),
            ("mcp__github__pull_request_read", None),
            ("mcp__plugin_context7_context7__resolve-library-id", None),
            ("mcp__playwright__browser_snapshot", None),
            ("mcp__ide__getDiagnostics", None),
        ] {
            assert!(reads(tool, server, json!({ "query": "x" })), "{tool}");
        }
    }

    #[test]
    fn what_changes_something_or_comes_from_another_server_is_not() {
        for (tool, server) in [
            ("mcp__linear-server__create_issue", None),
            ("mcp__linear-server__update_issue", None),
            ("mcp__github__issue_write", None),
            ("mcp__github__create_or_update_file", None),
            ("mcp__github__merge_pull_request", None),
            ("mcp__playwright__browser_evaluate", None),
            ("mcp__playwright__browser_navigate", None),
            ("mcp__Claude_Browser__javascript_tool", None),
            ("mcp__Claude_Browser__navigate", None),
            ("mcp__evil__get_issue", None),
            ("mcp__evil__query-docs", Some("evil")),
            ("get_issue", None),
            ("mcp__github2__get_issue", None),
            ("mcp__GitHub__get_issue", None),
            ("mcp__context7__get_issue", None),
            ("mcp__plugin_evil_context7__query-docs", None),
            ("mcp__linear__list_issues_and_delete", None),
        ] {
            assert!(!reads(tool, server, json!({ "query": "x" })), "{tool}");
        }
    }

    #[test]
    fn a_browser_of_the_agents_own_shows_pages_of_this_machine_and_for_everybody() {
        for (tool, url) in [
            ("mcp__Claude_Browser__navigate", "http://localhost:3010/docs?v=3"),
            ("mcp__playwright__browser_navigate", "http://127.0.0.1:5173/"),
            ("mcp__playwright__browser_navigate", "https://github.com/a/b/issues/1"),
            ("mcp__chrome-devtools__new_page", "http://localhost:8080"),
        ] {
            assert!(reads(tool, None, json!({ "url": url })), "{tool} {url}");
            assert!(!reads(tool, None, json!({ "url": url, "script": "x" })), "{tool} {url}");
        }
        for (tool, arguments) in [
            ("mcp__playwright__browser_navigate", json!({ "url": "https://evil.example/?a=b" })),
            ("mcp__playwright__browser_navigate", json!({ "url": "file:///etc/passwd" })),
            ("mcp__playwright__browser_navigate", json!({ "url": "javascript:alert(1)" })),
            ("mcp__playwright__browser_navigate", json!({ "url": "http://localhost@evil.example/" })),
            ("mcp__playwright__browser_navigate", json!({})),
            ("mcp__playwright__browser_click", json!({ "url": "http://localhost/" })),
            ("mcp__Claude_Browser__preview_start", json!({ "name": "website" })),
            ("mcp__evil__navigate", json!({ "url": "http://localhost/" })),
            ("mcp__chrome__navigate_page", json!({ "url": "http://localhost/" })),
        ] {
            assert!(!reads(tool, None, arguments.clone()), "{tool} {arguments}");
        }
    }

    #[test]
    fn what_is_read_into_a_file_is_written() {
        assert!(!reads("mcp__playwright__browser_snapshot", None, json!({ "filename": "/home/ann/.bashrc" })));
        for (tool, arguments) in [
            ("take_snapshot", json!({ "filePath": "x" })),
            ("get_network_request", json!({ "reqid": 1, "responseFilePath": "/root/x" })),
            ("get_network_request", json!({ "reqid": 1, "requestFilePath": "x" })),
            ("get_network_request", json!({ "options": { "Save_Path": "x" } })),
            ("list_pages", json!({ "output-path": "x" })),
            ("list_pages", json!({ "exportDestination": "x" })),
            ("list_pages", json!({ "to": "~/x" })),
            ("list_pages", json!({ "to": ["/home/ann/x"] })),
        ] {
            assert!(!reads(&format!("mcp__chrome-devtools__{tool}"), None, arguments.clone()), "{tool} {arguments}");
        }
        for (tool, arguments) in [
            ("mcp__chrome-devtools__get_network_request", json!({ "reqid": 1 })),
            ("mcp__context7__query-docs", json!({ "libraryId": "/vercel/next.js", "query": "routes" })),
            ("mcp__github__get_file_contents", json!({ "owner": "a", "repo": "b", "path": "/opt/a.sh" })),
        ] {
            assert!(reads(tool, None, arguments.clone()), "{tool} {arguments}");
        }
    }
}

//! Names of tools of MCP servers.

/// Divides `mcp__SERVER__TOOL`. Server names may hold two underscores themselves, so the server's
/// own name decides where it is known, else the first pair does.
pub(crate) fn server_and_tool(tool: &str, server: Option<&str>) -> (Option<String>, String) {
    let Some(rest) = tool.strip_prefix("mcp__") else { return (server.map(str::to_owned), tool.to_owned()) };
    // In tool names agents write an underscore for whatever a tool name may not hold.
    let plain =
        |character: char| if character.is_ascii_alphanumeric() || "_-".contains(character) { character } else { '_' };
    let known = server.map(|name| name.chars().map(plain).collect::<String>());
    let by_name = known.and_then(|name| {
        let tool = rest.strip_prefix(&name)?.strip_prefix("__")?.to_owned();
        Some((name, tool))
    });
    let by_underscores = || rest.split_once("__").map(|(server, tool)| (server.to_owned(), tool.to_owned()));
    match by_name.or_else(by_underscores).filter(|(server, tool)| !server.is_empty() && !tool.is_empty()) {
        Some((server, tool)) => (Some(server), tool),
        None => (server.map(str::to_owned), tool.to_owned()),
    }
}

/// Divides `SERVER/TOOL`.
pub(crate) fn divided_by_slash(tool: &str) -> (Option<String>, String) {
    match tool.split_once('/') {
        Some((server, name)) if !server.is_empty() && !name.is_empty() => (Some(server.to_owned()), name.to_owned()),
        _ => (None, tool.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_name_with_two_underscores_is_divided_where_the_server_says() {
        let divided = |tool, server| {
            let (server, tool) = server_and_tool(tool, server);
            (server.unwrap_or_default(), tool)
        };
        let parts = |server: &str, tool: &str| (server.to_owned(), tool.to_owned());
        assert_eq!(divided("mcp__a__b__c", Some("a__b")), parts("a__b", "c"));
        assert_eq!(divided("mcp__a__b__c", None), parts("a", "b__c"));
        assert_eq!(divided("mcp__my_server__go", Some("my server")), parts("my_server", "go"));
        assert_eq!(divided("mcp__plugin_x_db__q", Some("plugin:x:db")), parts("plugin_x_db", "q"));
        assert_eq!(divided("mcp__a__b", Some("something else")), parts("a", "b"));
        assert_eq!(divided("mcp__a", None), parts("", "mcp__a"));
        assert_eq!(divided("mcp____b", Some("s")), parts("s", "mcp____b"));
        assert_eq!(divided("Read", Some("evil")), parts("evil", "Read"));
        assert_eq!(divided("Read", None), parts("", "Read"));
    }

    #[test]
    fn a_slash_divides_only_two_names() {
        assert_eq!(divided_by_slash("github/create/issue"), (Some("github".into()), "create/issue".into()));
        for whole in ["bash", "/bash", "github/"] {
            assert_eq!(divided_by_slash(whole), (None, whole.to_owned()));
        }
    }
}

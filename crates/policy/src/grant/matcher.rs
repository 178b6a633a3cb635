//! Which calls a grant covers.

use crate::path::seen_from_project;
use crate::{ArgumentsHash, GrantEffect, Request, ToolClass};
use handraise_shell::path::is_within;
use handraise_shell::{CommandPattern, MayRun, Part};

/// Which calls a grant covers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Matcher {
    /// One tool with exactly these arguments, in the same working folder.
    Exact(ExactMatcher),
    /// Commands that begin with the same words, in the same project.
    Command(CommandMatcher),
    /// Files in one folder and below it.
    Folder(FolderMatcher),
    /// Every call of one tool.
    Tool(ToolMatcher),
}

/// One tool with exactly these arguments, in the same working folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExactMatcher {
    /// Tool name.
    pub tool: String,
    /// MCP server.
    pub server: Option<String>,
    /// Working folder.
    pub cwd: Option<String>,
    /// The arguments.
    pub arguments_hash: ArgumentsHash,
}

/// Commands that begin with the same words, in the same project.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CommandMatcher {
    /// Command patterns as a rule writes them, as `git commit *`; each covers simple commands of its
    /// own, and a command line is covered when each of its simple commands is.
    pub patterns: Vec<String>,
    /// Project folder.
    pub project: Option<String>,
}

/// Files in one folder and below it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FolderMatcher {
    /// Reading or writing.
    pub class: ToolClass,
    /// The folder, absolute and with symbolic links resolved.
    pub folder: String,
}

/// Every call of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ToolMatcher {
    /// Tool name.
    pub tool: String,
    /// MCP server.
    pub server: Option<String>,
}

impl Matcher {
    /// The matcher for exactly the call in `request`.
    #[must_use]
    pub fn exact(request: &Request) -> Self {
        Self::Exact(ExactMatcher {
            tool: request.tool.clone(),
            server: request.server.clone(),
            cwd: request.cwd.clone(),
            arguments_hash: request.arguments_hash.clone(),
        })
    }

    /// The matcher for every call of the tool in `request`.
    #[must_use]
    pub fn tool(request: &Request) -> Self {
        Self::Tool(ToolMatcher { tool: request.tool.clone(), server: request.server.clone() })
    }

    /// Whether it covers the whole call, whatever its parts are.
    pub(super) fn covers(&self, request: &Request) -> bool {
        match self {
            Self::Exact(exact) => {
                exact.tool == request.tool
                    && exact.server == request.server
                    && exact.cwd == request.cwd
                    && exact.arguments_hash == request.arguments_hash
            }
            Self::Tool(tool) => tool.tool == request.tool && tool.server == request.server,
            Self::Folder(folder) => folder.covers(request),
            Self::Command(_) => false,
        }
    }

    /// Whether it covers one simple command of `request`.
    pub(super) fn covers_part(&self, request: &Request, part: &Part, effect: GrantEffect) -> bool {
        let Self::Command(commands) = self else { return false };
        commands.project == request.project
            && commands.patterns.iter().filter_map(|pattern| CommandPattern::parse(pattern).ok()).any(|pattern| {
                match effect {
                    GrantEffect::Approve => pattern.covers(&seen_from_project(request, part)),
                    GrantEffect::Deny => pattern.touches(&MayRun::of_part(part)),
                }
            })
    }
}

impl FolderMatcher {
    fn covers(&self, request: &Request) -> bool {
        let Some(path) = request.subject.path() else { return false };
        // An agent's own file tools only: a tool of a server may mean anything by a path.
        request.class == self.class
            && request.server.is_none()
            && request
                .paths
                .get(path)
                .is_some_and(|resolved| resolved.path != self.folder && is_within(&resolved.path, &self.folder))
    }
}

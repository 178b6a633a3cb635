//! Where the paths lie that a call changes.

use super::{Effect, Elsewhere, Here, Lost};
use crate::Request;
use crate::path::WordPath;
use crate::scratch_files::is_scratch;
use handraise_shell::path::{components, is_within, lexical};

/// Where what is at the path written as `text` lies, and whether Handraise keeps it.
pub(super) fn at(request: &Request, text: &str) -> Effect {
    let Some(resolved) = request.paths.get(text) else { return Effect::UNKNOWN };
    let lost = match &request.project {
        // Nothing in `.git` is kept, and what a folder holds is not known here.
        Some(project)
            if request.is_kept
                && resolved.is_keepable
                && !resolved.is_folder
                && !is_in_git(&resolved.path, project) =>
        {
            Lost::KEPT
        }
        _ => Lost::FOR_GOOD,
    };
    let here = match of(request, &resolved.path) {
        // A link from elsewhere is elsewhere, and may lead elsewhere by the time at which it is followed.
        Here::Project if !is_named_in_project(request, text) => Here::Machine,
        here => here,
    };
    Effect::new(here, Elsewhere::Nothing, lost)
}

/// Whether `text` names something in the project by its letters: from the working folder on, or from the project's.
fn is_named_in_project(request: &Request, text: &str) -> bool {
    let cwd = request.cwd.as_deref();
    let Some(named) = lexical(text, cwd, request.home.as_deref()) else { return false };
    let is_below = |folder: Option<&str>| folder.is_some_and(|folder| is_within(&named, folder));
    !text.starts_with(['/', '~']) || is_below(request.project.as_deref()) || is_below(cwd)
}

/// The same of what a word names. The names that a shell finds may be links.
pub(super) fn of_word(request: &Request, path: &WordPath, follows_links: bool) -> Effect {
    match path {
        WordPath::Named(text) => at(request, text),
        WordPath::Below { folder, .. } if !follows_links => at(request, folder).not_kept(),
        WordPath::Below { .. } | WordPath::Unknown => Effect::UNKNOWN,
    }
}

/// Where the absolute path `path`, without links, lies.
fn of(request: &Request, path: &str) -> Here {
    match &request.project {
        _ if is_scratch(path, request.home.as_deref()) => Here::Scratch,
        Some(project) if is_within(path, project) => Here::Project,
        _ => Here::Machine,
    }
}

fn is_in_git(path: &str, project: &str) -> bool {
    let below = components(path).skip(components(project).count());
    below.into_iter().any(|name| name.eq_ignore_ascii_case(".git"))
}

//! `path`, `path_in` and `projects`: globs on paths, compared after every symbolic link is resolved.

use globset::{GlobBuilder, GlobMatcher};

use handraise_shell::path::{components, is_within, may_find};

/// A glob on paths. `*` stays within a component, `**` crosses them, `folder/**` is the folder and
/// everything in it.
#[derive(Clone, Debug)]
pub(in crate::rules) struct PathGlob {
    text: String,
    base: Base,
    /// Components without a wildcard before the first that has one.
    prefix: Vec<String>,
    /// Tried on the path from the base on.
    matcher: GlobMatcher,
    /// For `folder/**`: the folder itself, tried likewise.
    folder: Option<GlobMatcher>,
}

/// Where a glob begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::rules) enum Base {
    /// At the root: `/etc/*`.
    Root,
    /// At the user's home folder: `~/work/**`.
    Home,
    /// At the project folder: `src/**`.
    Project,
    /// Anywhere: `**/.env`.
    Anywhere,
}

/// A path glob that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::rules) enum InvalidPathGlob {
    #[error("the path is empty")]
    Empty,
    #[error("the path is longer than {} bytes", crate::path::MAX_PATH_LENGTH)]
    TooLong,
    #[error("`..` never matches, because paths are compared after they are resolved")]
    Parent,
    #[error("`~name` is another user's home folder, which is not known here")]
    OtherHome,
    #[error("the path is no glob: {0}")]
    Syntax(String),
}

impl PathGlob {
    pub(in crate::rules) fn new(text: &str) -> Result<Self, InvalidPathGlob> {
        if text.is_empty() {
            return Err(InvalidPathGlob::Empty);
        }
        if text.len() > crate::path::MAX_PATH_LENGTH {
            return Err(InvalidPathGlob::TooLong);
        }
        let (base, rest) = base(text)?;
        let rest: Vec<&str> = components(rest).collect();
        if rest.contains(&"..") {
            return Err(InvalidPathGlob::Parent);
        }
        let matcher = compile(&rest)?;
        let folder = match rest.split_last() {
            Some((&"**", folder)) => Some(compile(folder)?),
            _ => None,
        };
        let prefix = rest.iter().take_while(|component| is_literal(component)).map(|c| (*c).to_owned()).collect();
        Ok(Self { text: text.to_owned(), base, prefix, matcher, folder })
    }

    pub(in crate::rules) fn text(&self) -> &str {
        &self.text
    }

    pub(in crate::rules) fn base(&self) -> Base {
        self.base
    }

    /// The components without a wildcard that everything it matches begins with, from the base on.
    pub(in crate::rules) fn prefix(&self) -> &[String] {
        &self.prefix
    }

    /// Whether it matches `path`, which is absolute. Without the folder that it begins at, it does not.
    pub(in crate::rules) fn matches(&self, path: &str, home: Option<&str>, project: Option<&str>) -> bool {
        let Some(rest) = self.rest_of(path, home, project) else { return false };
        self.matcher.is_match(&rest) || self.folder.as_ref().is_some_and(|folder| folder.is_match(&rest))
    }

    /// Whether it might match what a shell finds in `folder` by the glob `component`, or something below.
    pub(in crate::rules) fn may_match_below(
        &self,
        folder: &str,
        component: &str,
        home: Option<&str>,
        project: Option<&str>,
    ) -> bool {
        if self.base == Base::Anywhere {
            let last = self.text.rsplit('/').next().unwrap_or(&self.text);
            return !is_literal(last) || may_find(component, last);
        }
        let Some(literal) = self.literal(home, project) else { return true };
        if is_within(folder, &literal) {
            return true;
        }
        let next = components(&literal).nth(components(folder).count());
        is_within(&literal, folder) && next.is_some_and(|next| may_find(component, next))
    }

    /// Whether everything that it matches is in the folder `path`.
    pub(in crate::rules) fn is_below(&self, path: &str, home: Option<&str>, project: Option<&str>) -> bool {
        self.base != Base::Anywhere && self.literal(home, project).is_some_and(|literal| is_within(&literal, path))
    }

    /// The part without a wildcard that everything it matches begins with, absolute.
    fn literal(&self, home: Option<&str>, project: Option<&str>) -> Option<String> {
        let start = match self.base {
            Base::Root | Base::Anywhere => "",
            Base::Home => home?,
            Base::Project => project?,
        };
        Some(format!("{start}/{}", self.prefix.join("/")))
    }

    fn rest_of(&self, path: &str, home: Option<&str>, project: Option<&str>) -> Option<String> {
        let start = match self.base {
            Base::Root | Base::Anywhere => "/",
            Base::Home => home?,
            Base::Project => project?,
        };
        if !is_within(path, start) {
            return None;
        }
        let rest: Vec<&str> = components(path).skip(components(start).count()).collect();
        Some(rest.join("/"))
    }
}

impl PartialEq for PathGlob {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

fn is_literal(component: &str) -> bool {
    !component.contains(['*', '?', '[', '{', '\\'])
}

fn base(text: &str) -> Result<(Base, &str), InvalidPathGlob> {
    if text == "~" {
        return Ok((Base::Home, ""));
    }
    if let Some(rest) = text.strip_prefix("~/") {
        return Ok((Base::Home, rest));
    }
    if text.starts_with('~') {
        return Err(InvalidPathGlob::OtherHome);
    }
    let base = match text {
        _ if text.starts_with('/') => Base::Root,
        "**" => Base::Anywhere,
        _ if text.starts_with("**/") => Base::Anywhere,
        _ => Base::Project,
    };
    Ok((base, text))
}

fn compile(components: &[&str]) -> Result<GlobMatcher, InvalidPathGlob> {
    let text = components.join("/");
    let glob = GlobBuilder::new(&text).literal_separator(true).backslash_escape(true).build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| InvalidPathGlob::Syntax(error.kind().to_string().replace("; ", ", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(glob: &str, path: &str) -> bool {
        PathGlob::new(glob).unwrap().matches(path, Some("/home/ann"), Some("/home/ann/work/app"))
    }

    #[test]
    fn a_glob_begins_at_the_root_the_home_or_the_project() {
        assert!(matches("/etc/*.conf", "/etc/host.conf"));
        assert!(matches("~/.ssh/**", "/home/ann/.ssh/id/key"));
        assert!(matches("src/*.rs", "/home/ann/work/app/src/main.rs"));
        assert!(matches("./src/*.rs", "/home/ann/work/app/src/main.rs"));
        assert!(!matches("src/*.rs", "/home/ann/src/main.rs"));
        assert!(matches("**/.env", "/srv/x/.env"));
        assert!(matches("**", "/srv"));
        assert!(matches("/**", "/srv/x"));
    }

    #[test]
    fn a_star_stays_within_a_component() {
        assert!(!matches("/etc/*.conf", "/etc/x/host.conf"));
        assert!(!matches("src/*", "/home/ann/work/app/src/a/b"));
    }

    #[test]
    fn a_folder_glob_holds_the_folder_and_no_neighbour() {
        assert!(matches("~/.ssh/**", "/home/ann/.ssh"));
        assert!(!matches("~/.ssh/**", "/home/ann/.ssh-old/x"));
        assert!(!matches("~/.ssh/**", "/home/bob/.ssh/x"));
    }

    #[test]
    fn without_its_base_a_glob_matches_nothing() {
        assert!(!PathGlob::new("~/x").unwrap().matches("/home/ann/x", None, None));
        assert!(!PathGlob::new("x").unwrap().matches("/home/ann/x", None, None));
    }

    #[test]
    fn what_a_shell_finds_in_a_folder_may_match() {
        let may = |glob: &str, folder, component| {
            PathGlob::new(glob).unwrap().may_match_below(folder, component, Some("/home/ann"), None)
        };
        assert!(may("~/.ssh/*", "/home/ann", ".s*") && may("~/.ssh/*", "/home/ann/.ssh", "*"));
        assert!(!may("~/.ssh/*", "/home/ann", "*.rs") && !may("~/.ssh/*", "/home/ann/work", "*"));
        assert!(may("**/.env", "/srv", ".e*") && !may("**/.env", "/srv", "*.rs") && may("**/*.pem", "/srv", "x*"));
        assert!(may("src/x", "/srv", "*"));
    }

    #[test]
    fn what_can_never_match_is_refused() {
        assert_eq!(PathGlob::new("../x"), Err(InvalidPathGlob::Parent));
        assert_eq!(PathGlob::new("~bob/x"), Err(InvalidPathGlob::OtherHome));
        assert_eq!(PathGlob::new(""), Err(InvalidPathGlob::Empty));
        assert!(matches!(PathGlob::new("a[b"), Err(InvalidPathGlob::Syntax(_))));
    }
}

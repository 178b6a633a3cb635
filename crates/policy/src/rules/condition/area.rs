//! `path` and `path_in`: where the files are that a call names.

use super::PathGlob;
use crate::control_files::is_control;
use crate::rules::action::Action;
use crate::rules::applies::{Applies, Miss};
use crate::rules::situation::{NamedPath, Situation, Target};
use crate::scratch_files::{is_scratch, is_temporary};
use handraise_shell::path::is_within;

/// The keys `path` and `path_in`.
///
/// A rule that allows needs every path resolved by the file system, and every one to fit. A rule that
/// asks or denies applies when one path fits, as it is written or as it is resolved; where a path
/// cannot be told, it asks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::rules) struct PathCondition {
    /// One of these fits.
    pub(in crate::rules) globs: Vec<PathGlob>,
    /// Inside or outside the project, or a file that decides what runs.
    pub(in crate::rules) place: Option<Area>,
}

/// The key `path_in`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Area {
    /// `project`
    Project,
    /// `outside`
    Outside,
    /// `control`: a file that decides what runs elsewhere or later, wherever it lies.
    Control,
    /// `scratch`: in a folder that an agent keeps for its own plans and drafts, wherever it lies.
    Scratch,
    /// `temporary`: in a folder for temporary files. A rule that allows covers nothing that is there already but folders.
    Temporary,
}

impl Area {
    /// Whether the absolute path `path` is there.
    pub(in crate::rules) fn holds(self, path: &str, home: Option<&str>, project: Option<&str>) -> bool {
        let inside = || project.is_some_and(|project| is_within(path, project));
        match self {
            Self::Project => inside(),
            Self::Outside => !inside(),
            Self::Control => is_control(path, home),
            Self::Scratch => is_scratch(path, home),
            Self::Temporary => is_temporary(path),
        }
    }

    /// Without a project, nothing is in it or outside of it.
    fn is_about_the_project(self) -> bool {
        matches!(self, Self::Project | Self::Outside)
    }

    /// Its word in the file.
    pub(in crate::rules) fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Outside => "outside",
            Self::Control => "control",
            Self::Scratch => "scratch",
            Self::Temporary => "temporary",
        }
    }
}

impl PathCondition {
    pub(in crate::rules) fn is_empty(&self) -> bool {
        self.globs.is_empty() && self.place.is_none()
    }

    pub(super) fn apply(&self, action: Action, situation: &Situation<'_>) -> Applies {
        if self.is_empty() {
            return Applies::Yes;
        }
        match action {
            Action::Allow | Action::Confine => self.allows(situation),
            Action::Ask | Action::Deny => self.tightens(situation),
        }
    }

    fn allows(&self, situation: &Situation<'_>) -> Applies {
        let paths = &situation.paths;
        if matches!(situation.target, Target::Line(_)) {
            return Applies::No(Miss::NotUnderstood);
        }
        if self.place.is_some_and(Area::is_about_the_project) && situation.call.request.project.is_none() {
            return Applies::No(Miss::NoProject);
        }
        // What a shell finds by a glob may be a symbolic link to anywhere.
        if paths.unknown || !paths.below.is_empty() {
            return Applies::No(Miss::UnknownPath);
        }
        let mut all: Vec<&NamedPath> = paths.named.iter().collect();
        // What names no file works on the folder that it runs in; "in the project" means there too.
        let by_place = self.place.is_some_and(|place| place != Area::Temporary);
        if matches!(situation.target, Target::Command(_)) && (by_place || all.is_empty()) {
            let Some(folder) = &paths.folder else { return Applies::No(Miss::UnknownPath) };
            all.push(folder);
        }
        if all.is_empty() {
            return Applies::No(Miss::NoPath);
        }
        for path in all {
            let Some(resolved) = &path.resolved else { return Applies::No(Miss::UnknownPath) };
            let may_be_lost = self.place == Some(Area::Temporary) && !path.is_new;
            if may_be_lost || !self.fits(resolved, situation) {
                return Applies::No(Miss::Path);
            }
        }
        Applies::Yes
    }

    fn tightens(&self, situation: &Situation<'_>) -> Applies {
        let paths = &situation.paths;
        if paths.named.iter().any(|path| path.forms().any(|form| self.fits(form, situation))) {
            return Applies::Yes;
        }
        let untold = |path: &NamedPath| path.forms().next().is_none();
        // What moves or removes a folder does so to everything in it.
        let moves = matches!(situation.target, Target::Command(_)) && situation.may_write() && self.place.is_none();
        if paths.unknown
            || paths.named.iter().any(untold)
            || paths.below.iter().any(|(folder, component)| self.may_fit_below(folder, component, situation))
            || (moves && paths.named.iter().any(|path| self.is_above(path, situation)))
        {
            return Applies::Perhaps;
        }
        let no_path = paths.named.is_empty() && paths.below.is_empty();
        Applies::No(if no_path { Miss::NoPath } else { Miss::Path })
    }

    fn may_fit_below(&self, folder: &NamedPath, component: &str, situation: &Situation<'_>) -> bool {
        let request = situation.call.request;
        let (home, project) = (request.home.as_deref(), request.project.as_deref());
        let by_glob = |form: &str| self.globs.iter().any(|glob| glob.may_match_below(form, component, home, project));
        let by_place = |form: &str| {
            let inside = project.is_some_and(|project| is_within(form, project));
            self.place.is_some_and(|place| !place.is_about_the_project())
                || self.place != Some(if inside { Area::Outside } else { Area::Project })
        };
        let mut forms = folder.forms().peekable();
        forms.peek().is_none() || forms.any(|form| by_place(form) && (self.globs.is_empty() || by_glob(form)))
    }

    fn is_above(&self, path: &NamedPath, situation: &Situation<'_>) -> bool {
        let request = situation.call.request;
        let (home, project) = (request.home.as_deref(), request.project.as_deref());
        path.forms().any(|form| self.globs.iter().any(|glob| glob.is_below(form, home, project)))
    }

    fn fits(&self, path: &str, situation: &Situation<'_>) -> bool {
        let request = situation.call.request;
        let (home, project) = (request.home.as_deref(), request.project.as_deref());
        let in_place = self.place.is_none_or(|place| place.holds(path, home, project));
        in_place && (self.globs.is_empty() || self.globs.iter().any(|glob| glob.matches(path, home, project)))
    }
}

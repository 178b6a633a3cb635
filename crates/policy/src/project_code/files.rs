//! What a file of a project is to the gate: where it is looked for, and what in it counts.

use super::settings::NotUnderstood;
use handraise_shell::path::{components, is_named};

/// Where a file is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileLocation {
    /// In the folder in which the command runs.
    Here,
    /// There and in every folder above, up to the person's home folder, which is the person's own.
    Upwards,
}

/// Reads a file's text.
pub type Find = fn(&str) -> Result<Findings, NotUnderstood>;

/// What in a file makes the program run something.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// That it is there.
    Any,
    /// That it is there, when this says so of its path from the first `*` in its name on, and of each folder on that way:
    /// of `json/` and `json/__init__.py`.
    Named(fn(&str) -> bool),
    /// What this finds in its text. What it cannot read counts as running something.
    Found(Find),
}

/// What was found in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Names of settings that make a program run something.
    pub names: Vec<String>,
    /// Files that are read as well.
    pub further: Vec<FurtherFile>,
}

/// A file that another one names.
#[derive(Clone, Debug)]
pub struct FurtherFile {
    /// Its path from the folder of the file that names it.
    pub path: String,
    /// What reads it.
    pub find: Find,
}

impl PartialEq for FurtherFile {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for FurtherFile {}

/// One file of a project, or all with names like it.
#[derive(Clone, Copy, Debug)]
pub struct ProjectFile {
    /// Its name, or its path from the folder. In each component one `*` stands for any characters.
    pub name: &'static str,
    /// Where it is looked for.
    pub place: FileLocation,
    /// What in it counts.
    pub content: Content,
}

impl ProjectFile {
    /// Whether it is the file at the end of the path of `parts`.
    pub(super) fn is_at(&self, parts: &[&str]) -> bool {
        let mut from_end = parts.iter().rev();
        let is_at_end =
            components(self.name).rev().all(|wanted| from_end.next().is_some_and(|part| is_named(wanted, part)));
        is_at_end
            && match self.content {
                Content::Named(counts) => {
                    let fixed = components(self.name).take_while(|name| !name.contains('*')).count();
                    let varying = components(self.name).count() - fixed;
                    let from = parts.len().saturating_sub(varying);
                    parts.get(from..).is_some_and(|parts| counts(&parts.join("/")))
                }
                Content::Any | Content::Found(_) => true,
            }
    }

    /// Whether the path of `parts`, from the folder in which it is looked for, is this file or lies in it; of a `tree`,
    /// whether it may hold it, too.
    pub(super) fn is_on(&self, parts: &[&str], is_tree: bool) -> bool {
        let names: Vec<&str> = components(self.name).collect();
        let ends_above = parts.len() < names.len();
        let known = parts.get(..names.len().min(parts.len())).unwrap_or_default();
        let counts = match self.content {
            Content::Named(counts) => {
                let fixed = names.iter().take_while(|name| !name.contains('*')).count();
                let varying = known.get(fixed..).unwrap_or_default().join("/");
                varying.is_empty() || counts(&if ends_above { varying + "/" } else { varying })
            }
            Content::Any | Content::Found(_) => true,
        };
        counts && (!ends_above || is_tree) && names.iter().zip(known).all(|(wanted, part)| is_named(wanted, part))
    }

    pub(super) const fn present(name: &'static str) -> Self {
        Self { name, place: FileLocation::Upwards, content: Content::Any }
    }

    pub(super) const fn present_here(name: &'static str) -> Self {
        Self { name, place: FileLocation::Here, content: Content::Any }
    }

    pub(super) const fn found(name: &'static str, find: Find) -> Self {
        Self { name, place: FileLocation::Upwards, content: Content::Found(find) }
    }

    pub(super) const fn found_here(name: &'static str, find: Find) -> Self {
        Self { name, place: FileLocation::Here, content: Content::Found(find) }
    }

    pub(super) const fn module(name: &'static str) -> Self {
        Self { name, place: FileLocation::Here, content: Content::Named(super::python::is_imported) }
    }
}

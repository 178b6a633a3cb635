//! Protected paths as a tree, so that a path is compared with those on its own way only.

use std::collections::BTreeMap;
use std::ops::Bound;

use handraise_shell::path::components;

use crate::path::{ProtectedPath, Protection};

/// A path by its components, without case, since some file systems do not tell it apart: `/a/b/` for `/A/./b`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FoldedPath(String);

impl FoldedPath {
    pub(super) fn of(path: &str) -> Self {
        let path = path.to_lowercase();
        let mut place = String::with_capacity(path.len() + 2);
        for component in components(&path) {
            place.push('/');
            place.push_str(component);
        }
        place.push('/');
        Self(place)
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The component behind `above`, in which it lies.
    pub(super) fn next_below(&self, above: &Self) -> Option<&str> {
        self.0.strip_prefix(&above.0)?.split('/').next().filter(|next| !next.is_empty())
    }
}

/// Protected paths by their places.
#[derive(Clone, Debug, Default)]
pub(super) struct ProtectedTree(BTreeMap<String, Vec<Protection>>);

impl ProtectedTree {
    pub(super) fn new<'a>(paths: impl IntoIterator<Item = &'a ProtectedPath>) -> Self {
        let mut tree: BTreeMap<String, Vec<Protection>> = BTreeMap::new();
        for path in paths {
            tree.entry(FoldedPath::of(&path.path).0).or_default().push(path.protection);
        }
        Self(tree)
    }

    /// What is protected at `place` and above it.
    pub(super) fn around(&self, place: &FoldedPath) -> impl Iterator<Item = Protection> {
        let ways = place.0.match_indices('/').filter_map(|(at, _)| place.0.get(..=at));
        ways.filter_map(|way| self.0.get(way)).flatten().copied()
    }

    /// What is protected at `place` and below it, each with where.
    pub(super) fn within(&self, place: &FoldedPath) -> impl Iterator<Item = (FoldedPath, Protection)> {
        let from = self.0.range::<str, _>((Bound::Included(place.as_str()), Bound::Unbounded));
        let below = from.take_while(|(path, _)| path.starts_with(place.as_str()));
        below.flat_map(|(path, all)| all.iter().map(|protection| (FoldedPath(path.clone()), *protection)))
    }
}

#[cfg(test)]
mod tests {
    use handraise_shell::path::is_within;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_tree_finds_what_comparing_with_each_path_finds(
            paths in prop::collection::vec("(/(a|b|B|ab|\\.)){0,4}/?", 0..8),
            place in "(/(a|A|b|ab|\\.)){0,4}/?",
        ) {
            let protected = |path: &String| ProtectedPath { path: path.clone(), protection: Protection::Own };
            let all: Vec<ProtectedPath> = paths.iter().map(protected).collect();
            let tree = ProtectedTree::new(&all);
            let lower = place.to_lowercase();
            let is_around = |path: &&String| is_within(&lower, &path.to_lowercase());
            let is_below = |path: &&String| is_within(&path.to_lowercase(), &lower);
            let place = FoldedPath::of(&place);
            prop_assert_eq!(tree.around(&place).count(), paths.iter().filter(is_around).count());
            prop_assert_eq!(tree.within(&place).count(), paths.iter().filter(is_below).count());
            for (found, _) in tree.within(&place) {
                let next = components(found.as_str()).nth(components(place.as_str()).count());
                prop_assert_eq!(found.next_below(&place), next);
            }
        }
    }
}

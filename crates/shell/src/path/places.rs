//! Many places of files, looked up at once.

use std::collections::HashMap;

use super::components::{components, is_named};

/// Places of files, each with what it means. A place counts from the root when it begins with `/`, else anywhere; one that
/// ends with `/` is a folder with all that lies in it. In each of its names one `*` stands for any characters.
#[derive(Clone, Debug)]
pub struct Places<T> {
    /// By their first names.
    by_name: HashMap<&'static str, Vec<Place<T>>>,
    /// Those whose first name has a `*`.
    by_pattern: Vec<Place<T>>,
}

#[derive(Clone, Debug)]
struct Place<T> {
    /// In the order in which they were given.
    position: usize,
    names: Vec<&'static str>,
    is_folder: bool,
    from_root: bool,
    meaning: T,
}

impl<T> FromIterator<(&'static str, T)> for Places<T> {
    fn from_iter<I: IntoIterator<Item = (&'static str, T)>>(entries: I) -> Self {
        let mut places = Self { by_name: HashMap::new(), by_pattern: Vec::new() };
        for (position, (text, meaning)) in entries.into_iter().enumerate() {
            let (is_folder, from_root) = (text.ends_with('/'), text.starts_with('/'));
            let place = Place { position, names: components(text).collect(), is_folder, from_root, meaning };
            match place.names.first() {
                Some(first) if !first.contains('*') => places.by_name.entry(first).or_default().push(place),
                _ => places.by_pattern.push(place),
            }
        }
        places
    }
}

impl<T> Places<T> {
    /// What the first place means that the path of `parts` is, or lies in.
    #[must_use]
    pub fn find(&self, parts: &[&str]) -> Option<&T> {
        let found = parts.iter().enumerate().filter_map(|(start, first)| {
            let rest = parts.get(start..)?;
            let named = self.by_name.get(*first).into_iter().flatten();
            let at = |place: &&Place<T>| (start == 0 || !place.from_root) && place.is_at(rest);
            named.chain(&self.by_pattern).filter(at).min_by_key(|place| place.position)
        });
        found.min_by_key(|place| place.position).map(|place| &place.meaning)
    }
}

impl<T> Place<T> {
    /// Whether `rest` begins with its names. The folder itself counts too: it can be replaced as a whole.
    fn is_at(&self, rest: &[&str]) -> bool {
        let begins = rest.len() >= self.names.len();
        begins
            && (self.is_folder || rest.len() == self.names.len())
            && self.names.iter().zip(rest).all(|(name, part)| is_named(name, part))
    }
}

#[cfg(test)]
mod tests {
    use super::{Places, components};

    #[test]
    fn the_first_place_that_a_path_lies_in_is_found() {
        let places: Places<u8> = [("/etc/", 0), (".git/hooks/", 1), (".git/", 2), ("*.mk", 3), ("a/*.c", 4), ("/x", 5)]
            .into_iter()
            .collect();
        let find = |path: &str| places.find(&components(path).collect::<Vec<_>>()).copied();
        for (path, meaning) in [
            ("/etc", 0),
            ("/etc/a/b", 0),
            ("/p/.git/hooks/x", 1),
            ("/p/.git", 2),
            ("/.git/a.mk", 2),
            ("/p/q.mk", 3),
            ("/p/a/b.c", 4),
            ("/x", 5),
        ] {
            assert_eq!(find(path), Some(meaning), "{path}");
        }
        for path in ["/", "/p/etc/a", "/p/x", "/x/y", "/p/.github", "/p/a.mk/b", "/a/b/c.c"] {
            assert_eq!(find(path), None, "{path}");
        }
    }
}

//! Ids as a person reads and types them: the beginning, as much as it takes.

use anyhow::bail;
use handraise_display::line;

/// The least that is shown of an id.
const MIN_ID: usize = 8;
/// The least that is shown of an id that sorts by time (UUID version 7; RFC 9562, 5.7): the time in milliseconds. A list
/// holds some calls, and what it shows is looked for among all.
const MIN_TIMED_ID: usize = 13;
/// Candidates that an ambiguous id is told with.
const MAX_CANDIDATES: usize = 12;
/// Longest text of an id that is told, in characters.
const MAX_SHOWN: usize = 60;

/// The beginning of `id` that none of `all` shares, apart from itself.
fn short<'a>(id: &str, least: usize, all: impl IntoIterator<Item = &'a str>) -> String {
    let same = |other: &str| id.chars().zip(other.chars()).take_while(|(one, two)| one == two).count();
    let others = all.into_iter().filter(|other| *other != id);
    let needed = others.map(|other| same(other) + 1).max().unwrap_or(0).max(least);
    id.chars().take(needed).collect()
}

/// What an id may mean.
pub(crate) struct Candidates {
    /// Each with what to call it.
    known: Vec<(String, String)>,
    /// One of them, as "request".
    noun: &'static str,
    /// A sentence for an id that means nothing: where to look.
    unknown: &'static str,
    /// The least that is shown.
    least: usize,
}

impl Candidates {
    /// Ids, each with what to call it.
    pub(crate) fn new(
        noun: &'static str,
        unknown: &'static str,
        known: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        Self { known: known.into_iter().collect(), noun, unknown, least: MIN_ID }
    }

    /// The same, of ids that sort by time.
    pub(crate) fn timed(self) -> Self {
        Self { least: MIN_TIMED_ID, ..self }
    }

    /// The place of the one whose id begins with `prefix`. A whole id means itself.
    ///
    /// # Errors
    /// When none does, or several do; these are named.
    pub(crate) fn find(&self, prefix: &str) -> anyhow::Result<usize> {
        let prefix = prefix.to_lowercase();
        let begins = |id: &str| !prefix.is_empty() && id.starts_with(&prefix);
        let meant: Vec<usize> =
            self.known.iter().enumerate().filter(|(_, (id, _))| begins(id)).map(|(index, _)| index).collect();
        match meant.as_slice() {
            [] => bail!("no {} has an id that begins with `{}`; {}", self.noun, line(&prefix, MAX_SHOWN), self.unknown),
            [one] => Ok(*one),
            several => {
                let all = || self.known.iter().map(|(id, _)| id.as_str());
                let shown = several.iter().take(MAX_CANDIDATES).filter_map(|index| self.known.get(*index));
                let lines: String =
                    shown.map(|(id, title)| format!("\n  {}  {title}", short(id, self.least, all()))).collect();
                let more = several.len().saturating_sub(MAX_CANDIDATES);
                let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
                let (prefix, noun) = (line(&prefix, MAX_SHOWN), self.noun);
                bail!("`{prefix}` may mean more than one {noun}; write more of the id:{lines}{more}")
            }
        }
    }

    /// The shortest text that means the one at `index`.
    pub(crate) fn short(&self, index: usize) -> String {
        let id = self.known.get(index).map_or("", |(id, _)| id.as_str());
        short(id, self.least, self.known.iter().map(|(id, _)| id.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ids: &[&str]) -> Candidates {
        let known = ids.iter().enumerate().map(|(index, id)| ((*id).to_owned(), format!("call {index}")));
        Candidates::new("call", "`handraise history` lists them", known)
    }

    #[test]
    fn an_id_is_as_short_as_it_can_be() {
        let ids = of(&["01234567-aaaa", "01234567-aabb", "99999999-aaaa"]);
        assert_eq!([0, 1, 2].map(|index| ids.short(index)), ["01234567-aaa", "01234567-aab", "99999999"]);
    }

    #[test]
    fn an_id_that_begins_with_the_time_is_shown_with_all_of_it() {
        let ids = of(&["01a20ab4-5612-7000", "01a20ab4-5613-7000"]).timed();
        assert_eq!(ids.short(0), "01a20ab4-5612");
        assert_eq!(of(&["01a20ab4-5612-7000", "01a20ab4-5612-7100"]).timed().short(0), "01a20ab4-5612-70");
    }

    #[test]
    fn what_is_shown_is_found_again() {
        let ids = of(&["01234567-aaaa", "01234567-aabb", "99999999-aaaa"]);
        for index in 0..3 {
            assert_eq!(ids.find(&ids.short(index)).unwrap(), index);
        }
        assert_eq!(ids.find("01234567-AABB").unwrap(), 1);
    }

    #[test]
    fn an_ambiguous_id_names_the_candidates_and_an_unknown_one_says_where_to_look() {
        let ids = of(&["01234567-aaaa", "01234567-aabb"]);
        let ambiguous = ids.find("0123").unwrap_err().to_string();
        assert!(ambiguous.contains("\n  01234567-aaa  call 0\n  01234567-aab  call 1"), "{ambiguous}");
        assert!(ids.find("").unwrap_err().to_string().contains("no call"));
        let unknown = ids.find("ff\u{1b}[2J").unwrap_err().to_string();
        assert!(unknown.contains("`handraise history` lists them") && !unknown.contains('\u{1b}'), "{unknown}");
        let many: Vec<String> = (0..40).map(|number| format!("01234567-{number:04}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(of(&many).find("01").unwrap_err().to_string().ends_with("and 28 more"));
    }
}

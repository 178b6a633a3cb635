//! Which language the application speaks.

use handraise_protocol::Locale;

/// The language in force: the one that the person has chosen, else the first of the system's that there are words in,
/// else English.
#[must_use]
pub(crate) fn in_force(chosen: Option<Locale>) -> Locale {
    chosen.unwrap_or_else(|| first_known(sys_locale::get_locales()))
}

/// The first of these BCP 47 tags that there are words in.
fn first_known(tags: impl IntoIterator<Item = String>) -> Locale {
    tags.into_iter().find_map(|tag| known(&tag)).unwrap_or_default()
}

fn known(tag: &str) -> Option<Locale> {
    match tag.split(['-', '_']).next()?.to_ascii_lowercase().as_str() {
        // The locale of programs, whose words are English.
        "en" | "c" | "posix" => Some(Locale::En),
        "de" => Some(Locale::De),
        "ja" => Some(Locale::Ja),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_language_that_there_are_words_in_is_spoken() {
        let first = |tags: &[&str]| first_known(tags.iter().map(|tag| (*tag).to_owned()));
        assert_eq!(first(&["de-AT"]), Locale::De);
        assert_eq!(first(&["ja"]), Locale::Ja);
        assert_eq!(first(&["fr-FR", "de-DE", "ja-JP"]), Locale::De);
        assert_eq!(first(&["en-GB", "de-DE"]), Locale::En);
        assert_eq!(first(&["DE"]), Locale::De);
        assert_eq!(first(&["C", "de-DE"]), Locale::En, "LC_ALL=C asks for no language");
        assert_eq!(first(&["den-CA", ""]), Locale::En, "Slavey is no German");
        assert_eq!(first(&[]), Locale::En);
    }

    #[test]
    fn what_the_person_has_chosen_counts_more_than_the_system() {
        assert_eq!(in_force(Some(Locale::Ja)), Locale::Ja);
    }
}

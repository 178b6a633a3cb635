//! How much a name says about its value, and the words that it is made of.

/// How much a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// The value is a secret unless it is a placeholder: `password`.
    Strong,
    /// The value is a secret when it is not a word either: `token` also names parts of a language.
    Medium,
    /// The value is a secret when it looks like one, digests and identifiers included: `DD_APP_KEY`.
    Random,
    /// The value is a secret when it looks like one: `STRIPE_KEY`, `auth`.
    Weak,
}

/// What a name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Secrecy {
    pub(super) kind: &'static str,
    pub(super) strength: Strength,
}

/// The words of a name in lower case: divided at everything that is no letter or digit, and at
/// changes of case (`accessToken`, `DBPassword`).
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in name.split(|character: char| !character.is_alphanumeric()) {
        let mut word = String::new();
        let characters: Vec<char> = part.chars().collect();
        for (place, character) in characters.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|before| characters.get(before));
            let after = characters.get(place + 1);
            let begins = before.is_some_and(|before| {
                character.is_uppercase()
                    && (before.is_lowercase()
                        || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase())))
            });
            if begins {
                words.push(std::mem::take(&mut word));
            }
            word.extend(character.to_lowercase());
        }
        if !word.is_empty() {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_divided_at_separators_and_changes_of_case() {
        assert_eq!(words_of("accessToken"), ["access", "token"]);
        assert_eq!(words_of("DBPassword"), ["db", "password"]);
        assert_eq!(words_of("X-Api-Key"), ["x", "api", "key"]);
        assert_eq!(words_of("spring.datasource.PASSWORD"), ["spring", "datasource", "password"]);
    }
}

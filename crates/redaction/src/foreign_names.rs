//! What names in other languages than English say about their values.
//!
//! These are words of prose more often than names in code, so none says more than that a value is a secret unless it is
//! a word. The packages for other languages do not know them.

use super::secrecy::{Secrecy, Strength, words_of};

/// Whether a name may be the end of a longer word: German and its kin join words, and some scripts do not divide them.
const JOINED: bool = true;
const ALONE: bool = false;

/// Phrases that name a password, divided by blanks.
#[rustfmt::skip]
const PASSWORDS: &[(&str, bool)] = &[
    // German, Dutch, Swedish, Danish and Norwegian, Finnish.
    ("passwort", JOINED), ("kennwort", JOINED), ("zugangsdaten", JOINED), ("wachtwoord", JOINED), ("lösenord", JOINED),
    ("losenord", JOINED), ("adgangskode", JOINED), ("kodeord", JOINED), ("passord", JOINED), ("salasana", JOINED),
    // French, Spanish, Portuguese, Italian, Romanian.
    ("mot de passe", ALONE), ("motdepasse", JOINED), ("mdp", ALONE), ("contraseña", JOINED), ("contrasen\u{303}a", ALONE),
    ("contrasena", JOINED), ("clave secreta", ALONE), ("clave api", ALONE), ("clave de acceso", ALONE), ("clave privada", ALONE),
    ("senha", ALONE), ("palavra passe", ALONE), ("parola d ordine", ALONE), ("parola d'ordine", ALONE), ("parola", ALONE),
    // Polish, Czech and Slovak, Hungarian, Turkish.
    ("hasło", ALONE), ("haslo", ALONE), ("heslo", ALONE), ("jelszó", ALONE), ("şifre", ALONE), ("sifre", ALONE),
    // Russian and Ukrainian, Greek.
    ("пароль", ALONE), ("κωδικός πρόσβασης", ALONE),
    // Chinese, Japanese, Korean.
    ("密码", JOINED), ("密碼", JOINED), ("口令", JOINED), ("パスワード", JOINED), ("暗証番号", JOINED), ("비밀번호", JOINED), ("암호", JOINED),
    // Arabic, Hebrew, Hindi, Vietnamese, Thai, Indonesian.
    ("كلمة المرور", ALONE), ("סיסמה", ALONE), ("पासवर्ड", ALONE), ("mật khẩu", ALONE), ("รหัสผ่าน", JOINED), ("kata sandi", ALONE),
];

/// Phrases that name a key: German.
const KEYS: &[(&str, bool)] = &[("api schlüssel", ALONE), ("geheimer schlüssel", ALONE), ("privater schlüssel", ALONE)];

/// The names, as their words are compared.
#[derive(Debug)]
pub(super) struct ForeignNames(Vec<Foreign>);

#[derive(Debug)]
struct Foreign {
    words: String,
    is_joined: bool,
    kind: &'static str,
}

impl ForeignNames {
    pub(super) fn new() -> Self {
        let of_kind = |kind| {
            move |(phrase, is_joined): &(&str, bool)| Foreign { words: joined(phrase), is_joined: *is_joined, kind }
        };
        Self(PASSWORDS.iter().map(of_kind("password")).chain(KEYS.iter().map(of_kind("api-key"))).collect())
    }

    /// Texts of which one occurs in every one of these names, as they are written with small and capital letters.
    pub(super) fn roots() -> Vec<String> {
        let mut roots = Vec::new();
        for (phrase, _) in PASSWORDS.iter().chain(KEYS) {
            for divider in [" ", "_", "-", ""] {
                let root = phrase.replace(' ', divider);
                // The search does not tell small from capital letters of ASCII.
                if root.is_ascii() {
                    roots.push(root);
                    continue;
                }
                let mut characters = root.chars();
                let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
                roots.extend([root.to_uppercase(), format!("{first}{}", characters.as_str()), root]);
            }
        }
        roots.sort();
        roots.dedup();
        roots
    }

    /// What a name of these words says about its value.
    pub(super) fn secrecy(&self, words: &[String]) -> Option<Secrecy> {
        let name = one_sigma(words.join(" "));
        let name = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == ' ');
        let is_named = |foreign: &&Foreign| {
            let before = name.strip_suffix(foreign.words.as_str());
            before.is_some_and(|before| foreign.is_joined || !before.ends_with(char::is_alphanumeric))
        };
        self.0.iter().find(is_named).map(|foreign| Secrecy { kind: foreign.kind, strength: Strength::Medium })
    }
}

/// Whether a text is nothing but one of these names.
pub(super) fn is_name(lower: &str) -> bool {
    PASSWORDS.iter().any(|(phrase, _)| *phrase == lower)
}

fn joined(phrase: &str) -> String {
    one_sigma(words_of(phrase).join(" "))
}

/// Greek ends words with a small sigma of its own, which capital letters do not tell from the other.
fn one_sigma(text: String) -> String {
    if text.contains('ς') { text.replace('ς', "σ") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_is_found_by_itself_in_small_and_capital_letters() {
        let roots = ForeignNames::roots();
        let names = ForeignNames::new();
        for (phrase, _) in PASSWORDS.iter().chain(KEYS) {
            assert!(roots.contains(&(*phrase).to_owned()), "{phrase}");
            assert!(names.secrecy(&words_of(phrase)).is_some(), "{phrase}");
            assert!(names.secrecy(&words_of(&phrase.to_uppercase())).is_some(), "{phrase}");
        }
        assert!(roots.contains(&"ПАРОЛЬ".to_owned()) && roots.contains(&"Şifre".to_owned()));
        assert!(roots.len() < 200, "{}", roots.len());
    }
}

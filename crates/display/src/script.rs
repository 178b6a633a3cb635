//! Which script a letter belongs to, as far as look-alikes depend on it.

use std::sync::LazyLock;

use unicode_security::MixedScript;
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

use super::character::is_east_asian;

/// A letter of each script that is written in the same word as Latin by its readers, and whose letters
/// hardly pass for Latin ones (after "moderately restrictive" of Unicode Technical Standard 39 §5.2).
const UNLIKE_LATIN: &[char] =
    &['ا', 'א', 'अ', 'অ', 'ਅ', 'અ', 'ଅ', 'த', 'త', 'ಕ', 'മ', 'ක', 'ก', 'ກ', 'က', 'ក', 'ა', 'አ'];

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    /// One script, or scripts that belong together.
    Usual,
    /// Letters of scripts that do not belong together.
    Mixed,
    /// One script that is not Latin, in letters that all look like Latin ones.
    LooksLatin,
    /// One script other than Latin that nobody takes for it.
    Foreign,
}

/// How `word`, letters and marks, is written.
pub(super) fn writing(word: &str) -> Writing {
    if word.is_ascii() {
        return Writing::Usual;
    }
    let (mut latin, mut foreign, mut mixable) = (false, false, true);
    for letter in word.chars().filter(|character| character.is_alphabetic()) {
        if is_latin(letter) {
            latin = true;
        } else if !is_common(letter) {
            foreign = true;
            mixable &= is_mixable(letter);
        }
    }
    if !foreign {
        return Writing::Usual;
    }
    let single = word.is_single_script();
    if latin || !single {
        return if mixable { Writing::Usual } else { Writing::Mixed };
    }
    if !mixable_script(word) && looks_latin(word) { Writing::LooksLatin } else { Writing::Foreign }
}

fn mixable_script(word: &str) -> bool {
    word.chars().any(|letter| letter.is_alphabetic() && (is_east_asian(letter) || unlike_latin(letter)))
}

/// Every letter of `word` passes for an ASCII letter or digit.
fn looks_latin(word: &str) -> bool {
    skeleton(word).all(|character| character.is_ascii_alphanumeric())
}

/// Greek letters such as Δ and λ stand in formulas and names; those that pass for Latin do not.
fn is_mixable(letter: char) -> bool {
    let greek = shares_script(letter, 'γ');
    is_east_asian(letter) || unlike_latin(letter) || (greek && super::character::ascii_look(letter).is_none())
}

fn unlike_latin(letter: char) -> bool {
    static SCRIPTS: LazyLock<Vec<AugmentedScriptSet>> =
        LazyLock::new(|| UNLIKE_LATIN.iter().copied().map(AugmentedScriptSet::for_char).collect());
    let script = AugmentedScriptSet::for_char(letter);
    SCRIPTS.iter().any(|known| {
        let mut both = script;
        both.intersect_with(*known);
        !both.is_empty()
    })
}

/// `letter` belongs to the Latin script.
pub(super) fn is_latin(letter: char) -> bool {
    letter.is_ascii_alphabetic() || (!is_common(letter) && shares_script(letter, 'a'))
}

/// A letter of another script than Latin: what it looks like depends on the word that it is in.
pub(super) fn is_other_letter(character: char) -> bool {
    character.is_alphabetic() && !is_common(character) && !is_latin(character)
}

fn is_common(letter: char) -> bool {
    AugmentedScriptSet::for_char(letter).is_all()
}

fn shares_script(letter: char, known: char) -> bool {
    let mut both = AugmentedScriptSet::for_char(letter);
    both.intersect_with(AugmentedScriptSet::for_char(known));
    !both.is_empty()
}

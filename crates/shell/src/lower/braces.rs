//! `src/{a,b}`: the words that bash and zsh make of braces that hold a list. Source: bash manual, "Brace Expansion";
//! zshexpn(1), "Brace Expansion".

/// Words that one word may become.
const MAX_WORDS: usize = 64;

/// The words that `raw` becomes where nothing else in it means anything to a shell; `None`: it holds no such list, or
/// something that is not followed here: a range, a list within a list, a variable, a quote, a pattern.
pub(super) fn alternatives(raw: &str) -> Option<Vec<String>> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./-,{}".contains(c);
    if !raw.contains('{') || !raw.chars().all(is_plain) {
        return None;
    }
    let mut words = vec![String::new()];
    let mut rest = raw;
    while let Some((front, behind)) = rest.split_once('{') {
        let (list, behind) = behind.split_once('}')?;
        if front.contains('}') || list.contains('{') || !list.contains(',') {
            return None;
        }
        let items: Vec<&str> = list.split(',').collect();
        if words.len() * items.len() > MAX_WORDS {
            return None;
        }
        words = words.iter().flat_map(|word| items.iter().map(move |item| format!("{word}{front}{item}"))).collect();
        rest = behind;
    }
    if rest.contains('}') {
        return None;
    }
    words.iter_mut().for_each(|word| word.push_str(rest));
    // An empty word is gone: `{,a}` alone is one word.
    words.retain(|word| !word.is_empty());
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::alternatives;

    #[test]
    fn a_list_becomes_several_words() {
        for (raw, words) in [
            ("src/{a,b}", "src/a src/b"),
            ("{a,b}{c,d}.py", "ac.py ad.py bc.py bd.py"),
            ("a{,.orig}", "a a.orig"),
            ("{,a}", "a"),
            ("-{r,f}", "-r -f"),
            ("x{..,y}", "x.. xy"),
        ] {
            assert_eq!(alternatives(raw).unwrap().join(" "), words, "{raw}");
        }
        for raw in [
            "a",
            "{a}",
            "{1..3}",
            "{a,{b,c}}",
            "a}{b,c}",
            "{a,b}}",
            "{a,$x}",
            "{a,'b'}",
            "{a,b}*",
            "~/{a,b}",
            "{a",
            "x={a,b}",
        ] {
            assert_eq!(alternatives(raw), None, "{raw}");
        }
        assert_eq!(alternatives(&"{a,b}".repeat(7)), None);
    }
}

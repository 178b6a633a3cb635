//! Braces written out (bash manual, "Brace Expansion"): `{a,b}c` is `ac bc`, `x{1..3}` is `x1 x2 x3`.

/// Most words that one word is written out to. What would be more is not known.
const MAX_COUNT: usize = 64;
/// Longest `1..3`, in bytes: three numbers of 64 bits.
const MAX_SEQUENCE: usize = 66;

/// Whether there are braces in `text` that the shell writes out.
pub fn is_one(text: &str) -> bool {
    first(text).is_some()
}

/// The words that `text` stands for; none when they are too many.
pub fn expanded(text: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut waiting = vec![text.to_owned()];
    // From the back, so that the order stays.
    while let Some(next) = waiting.pop() {
        match first(&next) {
            Some((before, alternatives, after)) => {
                waiting
                    .extend(alternatives.into_iter().rev().map(|alternative| format!("{before}{alternative}{after}")));
            }
            None => done.push(next),
        }
        if done.len() + waiting.len() > MAX_COUNT {
            return Vec::new();
        }
    }
    done
}

/// The first braces that are written out: what stands before them, what they stand for, what follows.
fn first(text: &str) -> Option<(&str, Vec<String>, &str)> {
    pairs(text).into_iter().filter(|pair| !text.get(..pair.from).is_some_and(|before| before.ends_with('$'))).find_map(
        |pair| {
            let (before, after) = (text.get(..pair.from)?, text.get(pair.to + 1..)?);
            let inside = text.get(pair.from + 1..pair.to)?;
            let alternatives = if pair.has_comma { split(inside) } else { sequence(inside)? };
            Some((before, alternatives, after))
        },
    )
}

/// Two braces that belong together.
struct Pair {
    from: usize,
    to: usize,
    /// A comma stands between them, and in no inner ones.
    has_comma: bool,
}

/// The braces of `text` that belong together, by where they open. Each character is looked at once: a text may be full
/// of braces that nothing closes.
fn pairs(text: &str) -> Vec<Pair> {
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut found = Vec::new();
    for (at, sign) in text.bytes().enumerate() {
        match sign {
            b'{' => open.push((at, false)),
            b',' => open.last_mut().into_iter().for_each(|(_, has_comma)| *has_comma = true),
            b'}' => {
                let closed = open.pop().map(|(from, has_comma)| Pair { from, to: at, has_comma });
                found.extend(closed);
            }
            _ => {}
        }
    }
    found.sort_unstable_by_key(|pair| pair.from);
    found
}

/// `text` cut at the commas that are in no inner braces.
fn split(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for character in text.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(character);
        }
    }
    parts
}

/// `1..3` and `a..e`, with a step at the end or not.
fn sequence(text: &str) -> Option<Vec<String>> {
    if text.len() > MAX_SEQUENCE {
        return None;
    }
    let mut ends = text.split("..");
    let (from, to) = (ends.next()?, ends.next()?);
    let one = |text: &str| {
        let mut characters = text.chars();
        characters.next().filter(|_| characters.next().is_none())
    };
    if let (Some(from), Some(to)) =
        (one(from).filter(char::is_ascii_alphabetic), one(to).filter(char::is_ascii_alphabetic))
    {
        let (low, high) = if from < to { (from, to) } else { (to, from) };
        return Some((low..=high).map(String::from).collect());
    }
    let (from, to): (i64, i64) = (from.parse().ok()?, to.parse().ok()?);
    let (low, high) = if from < to { (from, to) } else { (to, from) };
    let within = high.checked_sub(low).is_some_and(|count| usize::try_from(count).is_ok_and(|count| count < MAX_COUNT));
    within.then(|| (low..=high).map(|number| number.to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::{expanded, is_one};

    #[test]
    fn braces_are_written_out_as_bash_does() {
        for (text, words) in [
            ("{.env,a}", ".env a"),
            (".e{n,}v", ".env .ev"),
            ("a{b,c{d,e}}f", "abf acdf acef"),
            ("{a,b}{1..3}", "a1 a2 a3 b1 b2 b3"),
            ("id_{q..s}sa", "id_qsa id_rsa id_ssa"),
            ("x{}y", "x{}y"),
            ("HEAD@{0}", "HEAD@{0}"),
            ("{a}{b,c}", "{a}b {a}c"),
            ("${x,y}", "${x,y}"),
            ("{a,{b,c}", "{a,b {a,c"),
            ("a}{b,c}", "a}b a}c"),
            ("{{a,b}}", "{a} {b}"),
            ("{{1..2}}", "{1} {2}"),
        ] {
            assert_eq!(expanded(text).join(" "), words, "{text}");
        }
        assert!(expanded("{1..9}{1..9}{1..9}").is_empty() && !is_one("a{1..100}"));
    }
}

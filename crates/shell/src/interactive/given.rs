//! Here-documents in a line that was not understood: their text is read, and is no command.

use std::collections::HashMap;

/// Stands for one: a word with a character in it that nobody sees, and that no line passes with.
pub(super) const MARK: &str = "\u{1}here-document";

/// `text` without the here-documents that end, outside of quotes; each leaves [`MARK`] as a word. What does
/// not end is left, to be looked through.
pub(super) fn left_out(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut quote = None;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Where each line stands as a delimiter: there may be as many here-documents as lines.
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, line) in lines.iter().enumerate() {
        places.entry(as_end(line)).or_default().push(place);
    }
    let mut next = 0;
    while let Some(line) = lines.get(next) {
        next += 1;
        for end in ends(line, &mut quote, &mut kept) {
            let ends = places.get(end.as_str()).map(Vec::as_slice).unwrap_or_default();
            let end = ends.get(ends.partition_point(|place| *place < next)..).and_then(<[usize]>::first);
            next = end.map_or(next, |end| end + 1);
        }
    }
    kept
}

/// Bash manual, section 3.6.6: the delimiter alone on a line; after `<<-` tabs may stand in front.
fn as_end(line: &str) -> &str {
    line.trim_end_matches('\n').trim_start_matches('\t')
}

/// Copies `line` to `kept` with a mark for each operator, and gives the delimiters.
fn ends(line: &str, quote: &mut Option<char>, kept: &mut String) -> Vec<String> {
    let mut ends = Vec::new();
    let mut characters = line.char_indices().peekable();
    while let Some((index, character)) = characters.next() {
        let after = line.get(index..).unwrap_or_default();
        match (character, *quote) {
            ('\\', open) if open != Some('\'') => {
                kept.push(character);
                kept.extend(characters.next().map(|(_, escaped)| escaped));
                continue;
            }
            ('\'' | '"', None) => *quote = Some(character),
            ('\'' | '"', Some(open)) if open == character => *quote = None,
            ('<', None) if after.starts_with("<<") => {
                let rest = after.trim_start_matches('<').trim_start_matches('-').trim_start();
                let end: String = rest.chars().take_while(|letter| !letter.is_whitespace()).collect();
                let end = end.replace(['\'', '"', '\\'], "");
                if !after.starts_with("<<<") && !end.is_empty() {
                    ends.push(end);
                }
                kept.extend([" ", MARK, " "]);
                while characters.next_if(|(_, next)| *next == '<').is_some() {}
                continue;
            }
            _ => {}
        }
        kept.push(character);
    }
    ends
}

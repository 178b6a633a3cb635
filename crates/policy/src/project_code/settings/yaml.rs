//! YAML 1.2.2, event by event: nothing is expanded, so that no file costs more than its length.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser};

use super::{NotUnderstood, Setting};

/// What is open around the next event.
enum Open {
    /// A mapping, and whether a name of it has been read.
    Mapping {
        named: bool,
    },
    List,
}

/// Every value of every document of `text`.
///
/// # Errors
/// When it is no YAML; when a name is no plain text, as an alias, a list, or one with a tag, or has `${` in it;
/// and when it holds characters that are ends of lines in YAML 1.1 only (U+0085, U+2028, U+2029), since
/// programs differ in what they see then.
pub(in super::super) fn yaml(text: &str) -> Result<Vec<Setting>, NotUnderstood> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let odd = |c: char| {
        matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}') || (c.is_control() && !"\t\n\r".contains(c))
    };
    if let Some(at) = text.find(odd) {
        let line = 1 + text.get(..at).unwrap_or_default().matches('\n').count();
        return Err(NotUnderstood::at(line, "has a character that programs read differently"));
    }
    let mut reader = Reader::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(NotUnderstood::because)?;
        reader.take(&event).map_err(|why| NotUnderstood::at(span.start.line(), why))?;
    }
    Ok(reader.settings)
}

#[derive(Default)]
struct Reader {
    open: Vec<Open>,
    keys: Vec<String>,
    /// What scalars with an anchor hold.
    anchors: BTreeMap<usize, String>,
    settings: Vec<Setting>,
}

impl Reader {
    fn take(&mut self, event: &Event<'_>) -> Result<(), &'static str> {
        match event {
            Event::Scalar(text, _, anchor, tag) => {
                if *anchor != 0 {
                    self.anchors.insert(*anchor, text.to_string());
                }
                if self.names() {
                    if tag.is_some() || text.contains("${") {
                        return Err("has a name that is not plain");
                    }
                    self.name(text);
                } else {
                    let value = tag.is_none().then(|| text.to_string());
                    self.value(value);
                }
            }
            Event::Alias(anchor) => {
                if self.names() {
                    return Err("has a name that stands elsewhere");
                }
                let value = self.anchors.get(anchor).cloned();
                self.value(value);
            }
            Event::MappingStart(..) | Event::SequenceStart(..) if self.names() => {
                return Err("has a name that is no text");
            }
            Event::MappingStart(..) => self.open.push(Open::Mapping { named: false }),
            Event::SequenceStart(..) => self.open.push(Open::List),
            Event::MappingEnd | Event::SequenceEnd => {
                self.open.pop();
                self.done();
            }
            Event::DocumentStart(_) => self.anchors.clear(),
            Event::DocumentEnd | Event::StreamStart | Event::StreamEnd | Event::Nothing => {}
        }
        Ok(())
    }

    /// Whether a name comes next.
    fn names(&self) -> bool {
        matches!(self.open.last(), Some(Open::Mapping { named: false }))
    }

    fn name(&mut self, text: &str) {
        self.keys.push(text.to_owned());
        if let Some(Open::Mapping { named }) = self.open.last_mut() {
            *named = true;
        }
    }

    fn value(&mut self, value: Option<String>) {
        self.settings.push(Setting { keys: self.keys.clone(), value });
        self.done();
    }

    /// A value is over, and its name with it.
    fn done(&mut self) {
        if let Some(Open::Mapping { named }) = self.open.last_mut() {
            *named = false;
            self.keys.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        yaml(text).unwrap().iter().map(|setting| format!("{}={}", setting.name(), setting.value())).collect()
    }

    #[test]
    fn every_spelling_of_a_name_is_the_name() {
        for text in [
            "include: x",
            "include  : x",
            "? include\n: x",
            "'include': x",
            "{ include : x }",
            "\"inc\\u006cude\": x",
            "? \"inc\\\n  lude\"\n: x",
            "--- \ninclude: x\n...",
            "include: &a x",
        ] {
            assert_eq!(names(text), ["include=x"], "{text}");
        }
        assert_eq!(names("a:\n  - b: 1\n    c: [x, {d: y}]\n  - e\n"), ["a.b=1", "a.c=x", "a.c.d=y", "a=e"]);
        assert_eq!(names("a: &x y\nb: *x\n"), ["a=y", "b=y"]);
    }

    #[test]
    fn what_programs_may_read_differently_is_refused() {
        for text in [
            "a: &k include\n*k : x",
            "!!str include: x",
            "!!binary aW5jbHVkZQ==: x",
            "[include]: x",
            "inc${X}lude: x",
            "# a\u{2028}include: x",
            "# a\u{85}include: x",
            "a: 'b",
            "a: b\n c: [",
        ] {
            assert!(yaml(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_file_costs_no_more_than_its_length() {
        let mut text = "a0: &a0 [x, x]\n".to_owned();
        for level in 1..40 {
            text.push_str(&format!("a{level}: &a{level} [*a{0}, *a{0}]\n", level - 1));
        }
        assert_eq!(yaml(&text).unwrap().len(), 2 + 39 * 2);
        let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
        let _ = yaml(&deep);
    }
}

//! As much of Starlark as a file of rules needs: calls with named arguments that are texts, numbers, truth values and lists of
//! them. Anything else ends the reading: what comes behind it may mean anything.

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    Text(String),
    List(Vec<Literal>),
    /// A name or number, as it stands.
    Bare(String),
}

/// `name(argument = value, …)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Vec<(String, Literal)>,
    /// As it stands, on one line.
    pub(super) text: String,
}

/// What cannot be read, with the number of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unread {
    pub(super) line: usize,
}

/// The deepest list in a list.
const MAX_DEPTH: usize = 8;

/// The calls of `text`, up to what cannot be read.
pub(super) fn calls(text: &str) -> (Vec<Call>, Option<Unread>) {
    let mut reader = Reader { text, position: 0 };
    let mut calls = Vec::new();
    loop {
        reader.skip_blanks();
        if reader.rest().is_empty() {
            return (calls, None);
        }
        let start = reader.position;
        match reader.call() {
            Some(call) => calls.push(call),
            None => {
                let line = text.get(..start).unwrap_or_default().matches('\n').count() + 1;
                return (calls, Some(Unread { line }));
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// Blanks, line breaks and comments.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.position += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.position += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn takes(&mut self, sign: char) -> bool {
        self.skip_blanks();
        let is_there = self.rest().starts_with(sign);
        if is_there {
            self.position += sign.len_utf8();
        }
        is_there
    }

    fn name(&mut self) -> Option<String> {
        self.skip_blanks();
        let rest = self.rest();
        let end = rest.find(|sign: char| !sign.is_ascii_alphanumeric() && !matches!(sign, '_' | '.' | '-'));
        let name = rest.get(..end.unwrap_or(rest.len()))?;
        self.position += name.len();
        (!name.is_empty()).then(|| name.to_owned())
    }

    fn call(&mut self) -> Option<Call> {
        let start = self.position;
        let name = self.name()?;
        if !self.takes('(') {
            return None;
        }
        let mut arguments = Vec::new();
        while !self.takes(')') {
            let key = self.name()?;
            if !self.takes('=') {
                return None;
            }
            arguments.push((key, self.value(0)?));
            if !self.takes(',') {
                if self.takes(')') {
                    break;
                }
                return None;
            }
        }
        let text = self.text.get(start..self.position)?.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Call { name, arguments, text })
    }

    fn value(&mut self, depth: usize) -> Option<Literal> {
        self.skip_blanks();
        let rest = self.rest();
        if rest.starts_with(['"', '\'']) {
            return self.string().map(Literal::Text);
        }
        if !self.takes('[') {
            return self.name().map(Literal::Bare);
        }
        if depth == MAX_DEPTH {
            return None;
        }
        let mut list = Vec::new();
        while !self.takes(']') {
            list.push(self.value(depth + 1)?);
            if !self.takes(',') {
                return self.takes(']').then_some(Literal::List(list));
            }
        }
        Some(Literal::List(list))
    }

    /// With the escapes of quotes and backslashes. Any other escape, and a text over several lines, is not read.
    fn string(&mut self) -> Option<String> {
        let mut signs = self.rest().char_indices();
        let (_, quote) = signs.next()?;
        if self.rest().starts_with(&quote.to_string().repeat(3)) {
            return None;
        }
        let mut text = String::new();
        while let Some((index, sign)) = signs.next() {
            match sign {
                _ if sign == quote => {
                    self.position += index + sign.len_utf8();
                    // Two texts side by side would be one.
                    return Some(text);
                }
                '\n' => return None,
                '\\' => match signs.next()?.1 {
                    escaped @ ('"' | '\'' | '\\') => text.push(escaped),
                    _ => return None,
                },
                _ => text.push(sign),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_up_to_what_is_no_call() {
        let text = "# mine\nprefix_rule(\n  pattern = [\"gh\", ['pr', \"issue\"]], # both\n  decision = \"allow\",\n)\n\
                    host(name=\"git\", n=3)\nx = 1\nprefix_rule(pattern=[\"rm\"])\n";
        let (calls, unread) = calls(text);
        let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
        assert_eq!((names, unread), (vec!["prefix_rule", "host"], Some(Unread { line: 7 })));
        let list = |texts: &[&str]| Literal::List(texts.iter().map(|text| Literal::Text((*text).to_owned())).collect());
        let pattern = Literal::List(vec![Literal::Text("gh".to_owned()), list(&["pr", "issue"])]);
        assert_eq!(calls[0].arguments[0], ("pattern".to_owned(), pattern));
        assert_eq!(calls[1].arguments[1].1, Literal::Bare("3".to_owned()));
    }

    #[test]
    fn what_a_text_would_have_to_be_computed_for_is_not_read() {
        for text in [
            "f(a = \"x\" + \"y\")",
            "f(a = \"\"\"x\"\"\")",
            "f(a = \"\\n\")",
            "f(a = \"x\" \"y\")",
            "f(a)",
            "f(a = [",
            "f",
        ] {
            assert_eq!(calls(text), (vec![], Some(Unread { line: 1 })), "{text}");
        }
    }
}

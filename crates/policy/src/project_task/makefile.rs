//! The rules of a makefile, as far as they can be told apart for certain.
//!
//! Source: GNU make manual, "Writing Makefiles", "Rule Syntax", "How Makefiles Are Parsed".

/// What a makefile holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Makefile {
    /// Plain rules beside what holds for all of them.
    Plain(PlainMakefile),
    /// It can only be taken as a whole.
    Whole,
}

/// Plain rules beside what holds for all of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PlainMakefile {
    pub(super) rules: Vec<MakeRule>,
    /// Variables, directives, and rules that concern every target.
    pub(super) frame: String,
    /// Prerequisites of `.PHONY`.
    pub(super) phony: Vec<String>,
}

/// One rule.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct MakeRule {
    pub(super) targets: Vec<String>,
    pub(super) prerequisites: Vec<String>,
    pub(super) text: String,
    /// It sets a variable of its targets: `test: FLAGS = -v`.
    sets_variable: bool,
}

const INCLUDES: &[&str] = &["include", "-include", "sinclude", "load", "-load"];
/// Directives that may stand around rules or hold lines that are no rules.
const AROUND: &[&str] = &["define", "endef", "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif"];
const DIRECTIVES: &[&str] = &["export", "unexport", "override", "undefine", "private", "vpath"];
/// Makefiles that are remade before anything else.
pub(super) const NAMES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];

/// Reads `text`.
///
/// # Errors
/// Why not all that it does stands in it, as a clause behind its name.
pub(super) fn read(text: &str) -> Result<Makefile, &'static str> {
    let lines = logical_lines(text);
    let first = |line: &str| collapsed(line).split_ascii_whitespace().next().unwrap_or_default().to_owned();
    if lines.iter().any(|line| INCLUDES.contains(&first(line).as_str())) {
        return Err("includes other files");
    }
    if ["eval", "$(file", "${file", "guile"].iter().any(|mark| text.contains(mark)) {
        return Err("makes rules while it is read");
    }
    Ok(plain(&lines).map_or(Makefile::Whole, Makefile::Plain))
}

/// Lines with those that a backslash continues.
fn logical_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let (mut start, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        end += line.len();
        let body = line.trim_end_matches(['\n', '\r']);
        let backslashes = body.len() - body.trim_end_matches('\\').len();
        if backslashes % 2 == 0 || !line.ends_with('\n') {
            lines.extend(text.get(start..end));
            start = end;
        }
    }
    lines.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    lines
}

/// A logical line without its backslashes at ends of lines.
fn collapsed(line: &str) -> String {
    line.replace("\\\r\n", " ").replace("\\\n", " ")
}

/// Where the lines of a recipe belong.
#[derive(Clone, Copy)]
enum Recipe {
    Of(usize),
    OfAll,
    Nowhere,
}

/// `None`: something is more than a plain rule, a variable or a directive.
fn plain(lines: &[&str]) -> Option<PlainMakefile> {
    let mut made = PlainMakefile::default();
    let mut recipe = Recipe::Nowhere;
    for line in lines {
        let joined = collapsed(line);
        let trimmed = joined.trim();
        if line.starts_with('\t') {
            match recipe {
                Recipe::Of(index) => made.rules.get_mut(index)?.text.push_str(line),
                Recipe::OfAll => made.frame.push_str(line),
                Recipe::Nowhere if trimmed.is_empty() => {}
                Recipe::Nowhere => return None,
            }
            continue;
        }
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let first = trimmed.split_ascii_whitespace().next().unwrap_or_default();
        if joined.starts_with(' ') || AROUND.contains(&first) || !trimmed.is_ascii() {
            return None;
        }
        if DIRECTIVES.contains(&first) || assigned(trimmed).is_some() {
            if trimmed.contains(".RECIPEPREFIX") {
                return None;
            }
            made.frame.push_str(line);
            recipe = Recipe::Nowhere;
            continue;
        }
        let rule = rule(trimmed, line)?;
        recipe = match rule.targets.as_slice() {
            [only] if only == ".PHONY" => {
                made.phony.extend(rule.prerequisites);
                Recipe::Nowhere
            }
            targets if targets.iter().any(|name| name == ".SECONDEXPANSION") => return None,
            // What a variable of one target is may be found out while the makefile is read.
            _ if rule.sets_variable => {
                made.frame.push_str(line);
                Recipe::Nowhere
            }
            targets if targets.iter().any(|name| name.starts_with('.') || NAMES.contains(&name.as_str())) => {
                made.frame.push_str(line);
                Recipe::OfAll
            }
            _ => {
                made.rules.push(rule);
                Recipe::Of(made.rules.len() - 1)
            }
        };
    }
    Some(made)
}

/// The variable that `line` sets.
fn assigned(line: &str) -> Option<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let end = line.find(|c| !is_name(c)).filter(|end| *end > 0)?;
    let (name, rest) = line.split_at(end);
    let rest = rest.trim_start();
    ["=", ":=", "::=", ":::=", "?=", "+=", "!="].iter().any(|sign| rest.starts_with(sign)).then_some(name)
}

/// `line`, which is written as `text`, as a rule with plain names.
fn rule(line: &str, text: &str) -> Option<MakeRule> {
    let (targets, rest) = line.split_once(':')?;
    let targets = names(targets)?;
    let (header, _) = rest.split_once(';').unwrap_or((rest, ""));
    let header = header.split('#').next().unwrap_or_default();
    let sets_variable = header.contains('=');
    let prerequisites = if sets_variable { Some(Vec::new()) } else { names(&header.replace('|', " ")) };
    let is_plain = !rest.starts_with(':') && !targets.is_empty();
    is_plain.then_some(MakeRule { targets, prerequisites: prerequisites?, text: text.to_owned(), sets_variable })
}

/// Names that every reader takes for the same files.
fn names(text: &str) -> Option<Vec<String>> {
    let is_plain = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.+-/@".contains(&byte))
            && !name.split('/').any(|part| part.is_empty() || part == "." || part == "..")
    };
    text.split_ascii_whitespace().map(|name| is_plain(name).then(|| name.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> PlainMakefile {
        match read(text) {
            Ok(Makefile::Plain(plain)) => plain,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn rules_stand_beside_what_holds_for_all() {
        let made = plain(
            "CC = cc\n.PHONY: all test\nall: a.o | out ; @echo\n\ttrue \\\n  false\n\n# x\n\tlast\ntest: V = 1\n",
        );
        assert_eq!(made.frame, "CC = cc\ntest: V = 1\n");
        assert_eq!(made.phony, ["all", "test"]);
        assert_eq!(made.rules[0].targets, ["all"]);
        assert_eq!(made.rules[0].prerequisites, ["a.o", "out"]);
        assert_eq!(made.rules[0].text, "all: a.o | out ; @echo\n\ttrue \\\n  false\n\tlast\n");
        assert_eq!(made.rules.len(), 1);
    }

    #[test]
    fn what_reads_other_files_is_told() {
        for text in [
            "include x.mk\n",
            "-include x.mk\n",
            "\tsinclude x.mk\n",
            "\\\ninclude x.mk\n",
            "ifdef X\n  include x\nendif\n",
            "load x.so\n",
            "X := $(eval Y)\n",
            "X := $(file < x)\n",
            "a:\n\techo\nX = 1\n\tinclude y\n",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_is_more_than_plain_is_taken_as_a_whole() {
        for text in [
            "a: $(B)\n",
            "$(A): b\n",
            "%.o: %.c\n\tcc\n",
            "a:: b\n",
            "a b &: c\n",
            "define X\na:\n\techo\nendef\n",
            "ifdef X\na:\nendif\n",
            ".RECIPEPREFIX = >\na:\n> echo\n",
            ".SECONDEXPANSION:\na: b\n",
            "./a: b\n",
            "a: *.c\n",
            "a: b: c\n",
            "lib(a): b\n",
            "\techo first\n",
            "  a: b\n",
            "a\n",
        ] {
            assert_eq!(read(text), Ok(Makefile::Whole), "{text:?}");
        }
    }
}

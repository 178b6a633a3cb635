//! awk programs that only look.
//!
//! Source: POSIX.1-2024 "awk", "Grammar" and "Lexical Conventions"; gawk manual, "Redirection", "Getline",
//! "I/O Functions", "Built-in Variables", "Include Files". The scanner knows where strings, regular expressions and
//! comments end, and refuses what could be read in two ways.

use crate::delimited::{delimited, delimited_expression};

/// What runs programs, reads other files, or shows the environment. They count in strings, too.
const REFUSED: &[&str] =
    &["system", "getline", "ENVIRON", "ARGV", "ARGC", "SYMTAB", "FUNCTAB", "PROCINFO", "@", "\\\n", "\r"];
/// Words after which a `/` begins a regular expression.
const KEYWORDS: &[&str] = &["print", "printf", "return", "in", "case", "exit", "else", "do"];

/// What stands in front of a `/`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The start, an operator, or what begins a statement: a regular expression follows.
    Operator,
    /// A value: it is divided.
    Value,
    /// `)`, `++`, `--`: it could be either.
    Unclear,
}

/// Whether `program` runs nothing, writes nothing, and reads only the files that awk is given.
pub(super) fn only_looks(program: &str) -> bool {
    !REFUSED.iter().any(|refused| program.contains(refused)) && Scanner::default().scan(program).is_some()
}

#[derive(Default)]
struct Scanner {
    braces: usize,
    parentheses: usize,
}

impl Scanner {
    /// `None` when it does more, or when nobody can tell.
    fn scan(&mut self, program: &str) -> Option<()> {
        let mut rest = program;
        let mut before = Before::Operator;
        while let Some(first) = rest.chars().next() {
            let tail = rest.get(first.len_utf8()..)?;
            let next = tail.chars().next();
            (rest, before) = match first {
                ' ' | '\t' => (tail, before),
                '\n' | ';' | ',' | '?' | ':' | '~' | '!' | '=' | '<' | '*' | '%' | '^' | '$' | '[' => {
                    (tail, Before::Operator)
                }
                '#' => (tail.get(tail.find('\n').unwrap_or(tail.len())..)?, before),
                '"' => (delimited(tail, '"')?, Before::Value),
                '/' => match before {
                    Before::Operator => (delimited_expression(tail, '/')?, Before::Value),
                    Before::Value => (tail, Before::Operator),
                    Before::Unclear if !tail.contains('/') => (tail, Before::Operator),
                    Before::Unclear => return None,
                },
                '&' | '|' if next == Some(first) => (tail.get(1..)?, Before::Operator),
                '+' | '-' if next == Some(first) => (tail.get(1..)?, Before::Unclear),
                '+' | '-' => (tail, Before::Operator),
                '>' if next == Some('=') => (tail.get(1..)?, Before::Operator),
                // Behind `print` it is a file, unless it stands in parentheses or in a pattern.
                '>' if next != Some('>') && (self.parentheses > 0 || self.braces == 0) => (tail, Before::Operator),
                '(' => {
                    self.parentheses += 1;
                    (tail, Before::Operator)
                }
                ')' => {
                    self.parentheses = self.parentheses.checked_sub(1)?;
                    (tail, Before::Unclear)
                }
                '{' => {
                    self.braces += 1;
                    (tail, Before::Operator)
                }
                '}' => {
                    self.braces = self.braces.checked_sub(1)?;
                    (tail, Before::Operator)
                }
                ']' => (tail, Before::Value),
                word if word.is_ascii_alphanumeric() || word == '_' || word == '.' => {
                    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.');
                    let (name, tail) = rest.split_at(end.unwrap_or(rest.len()));
                    // A simple statement may stand in the parentheses of `for`: then `>` behind it is no comparison.
                    if self.parentheses > 0 && ["print", "printf"].contains(&name) {
                        return None;
                    }
                    (tail, if KEYWORDS.contains(&name) { Before::Operator } else { Before::Value })
                }
                _ => return None,
            };
        }
        (self.braces == 0 && self.parentheses == 0).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::only_looks;

    #[test]
    fn what_prints_and_counts_only_looks() {
        for program in [
            "{print $1}",
            "{s+=$2} END {print s}",
            "NR>1",
            "$3 > 100 {print $1, $2}",
            "/foo|bar/ {print NR\": \"$0}",
            "!seen[$0]++",
            "{ if ($1 > 5) print \"a > b | c\" }",
            "BEGIN{FS=\",\"} {printf \"%s\\n\", $2}",
            "{a[$1]+=$2} END {for (k in a) print k, a[k]/NR}",
            "NR>=10 && NR<=20",
            "/start/,/end/",
            "{gsub(/[^a-z]/, \"\"); print toupper($0)} # all | of it > x",
            "END{print (a+b)/2}",
            "length($0) > 80",
        ] {
            assert!(only_looks(program), "{program}");
        }
    }

    #[test]
    fn what_runs_writes_or_reads_elsewhere_does_not() {
        for program in [
            "BEGIN{system(\"id\")}",
            "{print | \"sh\"}",
            "{print |& \"sh\"}",
            "{print > \"x\"}",
            "BEGIN{for(print \"x\" > \"y\";0;);}",
            "{for(;;printf(\"x\") > \"y\") break}",
            "{print >> \"x\"}",
            "{print(1) > \"x\"}",
            "{print $1, ($2 > 3) > \"x\"}",
            "BEGIN{while ((getline l < \"/etc/passwd\") > 0) print l}",
            "BEGIN{\"id\" | getline x; print x}",
            "BEGIN{print ENVIRON[\"TOKEN\"]}",
            "BEGIN{ARGV[1]=\"/etc/shadow\";ARGC=2} {print}",
            "@load \"filefuncs\"",
            "BEGIN{f=\"sys\" \"tem\"; @f(\"id\")}",
            "BEGIN{sys\\\ntem(\"id\")}",
            "{x++ / y; print | \"sh\" /z/}",
            "{if (x) /a+/; print | \"sh\"; y = 1 /2}",
            "{print \"a\" > /x/}",
            "/[/]/ {print | \"sh\"} /]/",
            "/[]/ ]/ {print | \"sh\"} /x/",
            "/[^]/ ]/ {print | \"sh\"} /x/",
            "/[\\]/ ]/ {print | \"sh\"} /x/",
            "/[[:alpha:]/ ]/ {print | \"sh\"} /x/",
            "{a = b / c | \"id\" / d}",
            "{print",
            "{print}}",
            "\"x\n| sh\"",
        ] {
            assert!(!only_looks(program), "{program}");
        }
    }
}

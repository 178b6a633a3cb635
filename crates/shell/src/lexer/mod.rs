//! A strict tokenizer for the part of bash that is understood.
//!
//! It runs in front of the grammar and refuses everything that could nest, expand or execute, so
//! that hostile text never reaches the grammar; and its tokens are compared with the grammar's own,
//! so that a mistake in one of the two is no way past both.
//!
//! Source: bash manual, "Shell Syntax" (quoting, comments, definitions of token and operator),
//! "Redirections", "History Interaction".

mod words;

use std::borrow::Cow;

use super::cases::{CasePosition, Cases};
use super::command_line::Shell;
use super::document::{self, Document};
use super::obstacle::Obstacle;

/// Operators, longest first (bash manual, "Definitions").
const OPERATORS: &[&str] = &[
    "<<<", "<<-", "&>>", ";;&", "&&", "||", ";;", ";&", "|&", "<<", ">>", "<&", ">&", "<>", ">|", "&>", "&", "|", ";",
    "<", ">", "(", ")", "\n",
];

/// Reserved words behind which a command stands.
const BEFORE_COMMANDS: &[&str] = &["{", "!", "time", "do", "if", "then", "elif", "else", "while", "until"];

/// Nested groups beyond this are refused: the grammar calls itself for each.
const MAX_DEPTH: usize = 8;
/// Groups, loops and conditions in one line.
const MAX_OPENERS: usize = 32;
/// Simple commands in one line.
pub(super) const MAX_COMMANDS: usize = 64;

/// Words and operators in one line.
const MAX_TOKENS: usize = 1024;
/// Brackets in a word that looks like `name[…`: the grammar's search for an assignment is quadratic
/// in them.
const MAX_BRACKETS: usize = 8;

/// A token of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Its text, line continuations taken out, quotes kept.
    pub(super) text: String,
    /// An operator; otherwise a word.
    pub(super) operator: bool,
}

/// A here-document whose body starts after the next newline.
struct PendingBody {
    token: usize,
    delimiter: String,
    strips_tabs: bool,
    /// Its delimiter is not quoted: the shell inserts variables and commands.
    is_expanded: bool,
}

/// A command line, split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tokens<'a> {
    /// Its tokens.
    pub(super) tokens: Vec<Token>,
    /// The text that has these tokens: the one that was given, with the text itself in the place of each `$(cat <<'EOF' …)`.
    pub(super) text: Cow<'a, str>,
    /// How many of its words hold a `$(…)`, or a variable outside of quotes.
    pub(super) expanding: usize,
}

/// Splits `text` into the tokens that `shell` reads.
///
/// # Errors
/// The first thing that is not understood.
pub(super) fn tokens(text: &str, shell: Shell) -> Result<Tokens<'_>, Obstacle> {
    let mut lexer = Lexer::new(text, shell);
    while lexer.token()? {}
    if !lexer.bodies.is_empty() {
        return Err(Obstacle::Unfinished);
    }
    let Lexer { tokens, documents, expanding, .. } = lexer;
    Ok(Tokens { tokens, text: document::inlined(text, &documents), expanding })
}

/// The script within the `$(…)` whose text behind the `$` starts `text`, and what follows it. It has to have been
/// accepted in a word.
pub(super) fn substitution(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('(')?;
    let mut lexer = Lexer { closes: true, ..Lexer::new(inside, Shell::Bash) };
    while lexer.token().ok()? {}
    let script = inside.get(..inside.len().checked_sub(lexer.rest.len() + 1)?)?;
    lexer.closed.then_some((script, lexer.rest))
}

struct Lexer<'a> {
    /// All of the text.
    text: &'a str,
    rest: &'a str,
    shell: Shell,
    tokens: Vec<Token>,
    bodies: Vec<PendingBody>,
    documents: Vec<Document>,
    expanding: usize,
    /// The word that is being read is one of those.
    expands: bool,
    depth: usize,
    /// Where it stands in each `case` that is open.
    cases: Cases,
    /// It stands between `[[` and `]]`.
    in_test: bool,
    openers: usize,
    commands: usize,
    /// How many `$(…)` it stands in.
    nesting: usize,
    /// It stands in a `$(…)`, and ends with the parenthesis that closes it.
    closes: bool,
    closed: bool,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str, shell: Shell) -> Self {
        Self {
            text,
            rest: text,
            shell,
            tokens: Vec::new(),
            bodies: Vec::new(),
            documents: Vec::new(),
            expanding: 0,
            expands: false,
            depth: 0,
            cases: Cases::default(),
            in_test: false,
            openers: 0,
            commands: 1,
            nesting: 0,
            closes: false,
            closed: false,
        }
    }
}

impl Lexer<'_> {
    /// Reads one token, or what stands between two. `false` at the end.
    fn token(&mut self) -> Result<bool, Obstacle> {
        let Some(first) = self.peek() else { return Ok(false) };
        if self.tokens.len() > MAX_TOKENS {
            return Err(Obstacle::TooManyWords(MAX_TOKENS));
        }
        if first == '\\' && self.rest.starts_with("\\\n") {
            self.skip("\\\n");
        } else if first == ' ' || first == '\t' {
            self.next();
        } else if first == '#' && self.closes {
            // Where a comment ends in a substitution, shells do not agree.
            return Err(Obstacle::CommandSubstitution);
        } else if first == ')' && self.closes && self.depth == 0 {
            self.next();
            self.closed = true;
            return Ok(false);
        } else if first == '#' {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.rest = self.rest.get(end..).unwrap_or_default();
        } else if let Some(operator) = OPERATORS.iter().find(|operator| self.rest.starts_with(**operator)) {
            self.operator(operator)?;
        } else {
            let length = self.rest.len();
            // `^a^b` at the start of a line is history in an interactive shell.
            if first == '^' && self.tokens.last().is_none_or(|token| token.operator && token.text == "\n") {
                return Err(Obstacle::History);
            }
            let word = self.word()?;
            let continued = length - self.rest.len() != word.len();
            self.check_before_redirection(&word, continued)?;
            self.count_reserved(&word)?;
            self.cases.word(&word);
            let (name, subscript) = word.split_once('[').unwrap_or_default();
            if super::characters::is_variable_name(name) && subscript.matches('[').count() > MAX_BRACKETS {
                return Err(Obstacle::Array);
            }
            self.expanding += usize::from(std::mem::take(&mut self.expands));
            self.tokens.push(Token { text: word, operator: false });
        }
        Ok(true)
    }

    fn operator(&mut self, operator: &str) -> Result<(), Obstacle> {
        self.skip(operator);
        let mut after = self.rest;
        while let Some(rest) = after.strip_prefix("\\\n") {
            after = rest;
        }
        // bash joins lines before it looks for operators: `<\⏎(` is `<(`.
        if after.len() != self.rest.len() && after.starts_with(['&', '|', ';', '<', '>', '(', ')', '-', '!']) {
            return Err(Obstacle::Syntax);
        }
        // bash has an operator `>&-`: what is glued to it is a word of its own.
        let ends =
            |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '&', '|', ';', '<', '>', '(', ')']);
        if matches!(operator, ">&" | "<&") && self.rest.strip_prefix('-').is_some_and(|rest| !ends(rest)) {
            return Err(Obstacle::Redirection);
        }
        match operator {
            "&" => return Err(Obstacle::Background),
            "<<" | "<<-" if self.closes => return Err(Obstacle::CommandSubstitution),
            "<" | ">" | "(" | ")" | "&&" | "||" | "\n" if self.in_test => return self.test_operator(operator),
            // In a regular expression it is a sign: `[[ $x =~ a|b ]]`.
            "|" | "|&" if self.in_test && !self.shell.has_extended_test() => return self.test_operator(operator),
            "<" | ">" if self.rest.starts_with('(') => return Err(Obstacle::ProcessSubstitution),
            // zsh's `>!` overwrites; bash would write a file named `!`.
            ">" | ">>" | ">&" | "&>" if self.rest.starts_with('!') => return Err(Obstacle::OtherShell),
            ";;" if self.cases.next() => self.count_command()?,
            // What falls through to the next branch.
            ";;" | ";&" | ";;&" => return Err(Obstacle::Compound("case")),
            "(" | ")" | "|" | "\n" if self.cases.operator(operator) => {}
            "(" => self.open_parenthesis()?,
            ")" => self.depth = self.depth.checked_sub(1).ok_or(Obstacle::Syntax)?,
            "|" | "||" | "&&" | ";" | "|&" | "\n" => self.count_command()?,
            _ => {}
        }
        self.tokens.push(Token { text: operator.to_owned(), operator: true });
        match operator {
            "<<" | "<<-" => self.here_document(operator == "<<-")?,
            "\n" => self.read_bodies()?,
            _ => {}
        }
        Ok(())
    }

    fn open_parenthesis(&mut self) -> Result<(), Obstacle> {
        let starts_command = match self.tokens.last() {
            None => true,
            Some(Token { operator: true, text }) if text == "(" => return Err(Obstacle::Arithmetic),
            before => starts_command(before),
        };
        if !starts_command {
            return Err(if self.rest.trim_start().starts_with(')') {
                Obstacle::Function
            } else {
                Obstacle::Parenthesis
            });
        }
        self.open()
    }

    fn open(&mut self) -> Result<(), Obstacle> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Obstacle::TooDeep) } else { self.count_opener() }
    }

    fn count_opener(&mut self) -> Result<(), Obstacle> {
        self.openers += 1;
        if self.openers > MAX_OPENERS { Err(Obstacle::TooDeep) } else { Ok(()) }
    }

    /// Words that open and close groups count whether or not they stand where they do so: in front
    /// of the grammar only an upper bound is needed.
    fn count_reserved(&mut self, word: &str) -> Result<(), Obstacle> {
        match word {
            "{" | "for" => self.open(),
            "}" | "done" => {
                self.depth = self.depth.saturating_sub(1);
                Ok(())
            }
            "]]" => {
                self.in_test = false;
                Ok(())
            }
            "!" if self.in_test => self.count_opener(),
            "esac" if self.cases.place() == Some(CasePosition::Pattern) => {
                self.depth = self.depth.saturating_sub(1);
                Ok(())
            }
            _ if self.in_test || !starts_command(self.tokens.last()) => Ok(()),
            "fi" | "esac" => {
                self.depth = self.depth.saturating_sub(1);
                if word == "esac" {
                    self.cases.close();
                }
                Ok(())
            }
            "if" | "while" | "until" => self.open(),
            // Where the parenthesis of a pattern closes a substitution, shells do not agree.
            "case" if self.closes => Err(Obstacle::Compound("case")),
            "case" => {
                self.cases.open();
                self.open()
            }
            "[[" => {
                self.in_test = true;
                Ok(())
            }
            _ => {
                let compound = ["select", "function", "coproc"].into_iter().find(|reserved| *reserved == word);
                compound.map_or(Ok(()), |reserved| Err(Obstacle::Compound(reserved)))
            }
        }
    }

    /// Between `[[` and `]]` these are no operators of commands; to dash they are.
    fn test_operator(&mut self, operator: &str) -> Result<(), Obstacle> {
        if !self.shell.has_extended_test() {
            return Err(Obstacle::ReadOtherwise { what: "it has an operator between `[[` and `]]`", shell: "dash" });
        }
        // A parenthesis in a regular expression is read by rules of its own.
        let regular = self.tokens.iter().rev().take_while(|token| token.text != "[[").any(|token| token.text == "=~");
        if operator == "\n" || regular && matches!(operator, "(" | ")" | "<" | ">") {
            return Err(Obstacle::Compound("[["));
        }
        match operator {
            "(" => self.open()?,
            ")" => self.depth = self.depth.checked_sub(1).ok_or(Obstacle::Syntax)?,
            _ => self.count_opener()?,
        }
        self.tokens.push(Token { text: operator.to_owned(), operator: true });
        Ok(())
    }

    fn count_command(&mut self) -> Result<(), Obstacle> {
        self.commands += 1;
        if self.commands > MAX_COMMANDS * 4 { Err(Obstacle::TooManyCommands(MAX_COMMANDS)) } else { Ok(()) }
    }

    /// `{name}>` allocates a descriptor, and `2\⏎>` is one token to bash.
    fn check_before_redirection(&self, word: &str, continued: bool) -> Result<(), Obstacle> {
        let redirects = self.rest.starts_with(['<', '>']);
        let digits = word.chars().all(|character| character.is_ascii_digit());
        let target = self.tokens.last().is_some_and(|token| token.operator && token.text.contains(['<', '>']));
        // zsh takes `{name}` also with a blank behind it.
        let behind = if word.starts_with('{') { self.rest.replace("\\\n", "") } else { String::new() };
        let named = word.starts_with('{') && word.ends_with('}');
        let behind = behind.trim_start_matches([' ', '\t']);
        if named && self.shell.may_calculate() && (behind.starts_with(['<', '>']) || behind.starts_with("&>")) {
            return Err(Obstacle::Redirection);
        }
        if redirects && digits && target {
            return Err(Obstacle::Syntax);
        }
        // zsh takes the number in `1&>file` for a descriptor.
        if digits && self.rest.starts_with("&>") && self.shell.may_calculate() {
            return Err(Obstacle::Redirection);
        }
        let longest = if self.shell.has_long_descriptors() { 3 } else { 1 };
        if redirects && (named || (digits && (continued || word.len() > longest))) {
            return Err(Obstacle::Redirection);
        }
        // zsh's `<1-5>` matches names.
        let numbers = word.chars().all(|character| character.is_ascii_digit() || character == '-');
        if redirects && numbers && target {
            return Err(Obstacle::Redirection);
        }
        Ok(())
    }

    fn here_document(&mut self, strips_tabs: bool) -> Result<(), Obstacle> {
        while self.rest.starts_with([' ', '\t']) {
            self.next();
        }
        if self.rest.starts_with(['&', '|', ';', '<', '>', '(', ')', '\n', '#', '\\']) && !self.rest.starts_with('\\') {
            return Err(Obstacle::Syntax);
        }
        let length = self.rest.len();
        let raw = self.word()?;
        let quoted = ['\'', '"'].into_iter().find_map(|quote| raw.strip_prefix(quote)?.strip_suffix(quote));
        // In a `$(…)`, the shells do not agree on where a text ends that they expand.
        let is_expanded = quoted.is_none() && !self.closes && self.nesting == 0;
        let plain = quoted.or_else(|| is_expanded.then_some(raw.as_str())).filter(|plain| is_plain_delimiter(plain));
        let Some(delimiter) = plain.map(str::to_owned) else { return Err(Obstacle::HereDocument) };
        if length - self.rest.len() != raw.len() {
            return Err(Obstacle::HereDocument);
        }
        self.tokens.push(Token { text: raw, operator: false });
        self.bodies.push(PendingBody {
            token: self.tokens.len(),
            delimiter: delimiter.clone(),
            strips_tabs,
            is_expanded,
        });
        self.tokens.push(Token { text: String::new(), operator: false });
        self.tokens.push(Token { text: delimiter, operator: false });
        Ok(())
    }

    fn read_bodies(&mut self) -> Result<(), Obstacle> {
        for pending in std::mem::take(&mut self.bodies) {
            let mut body = String::new();
            loop {
                if self.rest.is_empty() {
                    return Err(Obstacle::Unfinished);
                }
                let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                self.rest = rest;
                let line = if pending.strips_tabs { line.trim_start_matches('\t') } else { line };
                if line == pending.delimiter {
                    break;
                }
                // It goes on in the next one, which may look like the end and is none.
                if pending.is_expanded && line.ends_with('\\') {
                    return Err(Obstacle::HereDocument);
                }
                body.push_str(line);
                body.push('\n');
            }
            if let Some(token) = self.tokens.get_mut(pending.token) {
                token.text = body;
            }
        }
        Ok(())
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) {
        let mut characters = self.rest.chars();
        characters.next();
        self.rest = characters.as_str();
    }

    fn take(&mut self, word: &mut String) {
        word.extend(self.peek());
        self.next();
    }

    fn skip(&mut self, prefix: &str) {
        self.rest = self.rest.strip_prefix(prefix).unwrap_or(self.rest);
    }
}

/// Whether a word behind `before` may be a program.
pub(super) fn starts_command(before: Option<&Token>) -> bool {
    before.is_none_or(|token| {
        if token.operator {
            matches!(token.text.as_str(), "|" | "||" | "&&" | ";" | "|&" | "\n" | "(" | ")")
        } else {
            BEFORE_COMMANDS.contains(&token.text.as_str())
        }
    })
}

/// Delimiters that both readings of a here-document agree on.
fn is_plain_delimiter(delimiter: &str) -> bool {
    !delimiter.is_empty()
        && delimiter.chars().all(|character| character.is_ascii_alphanumeric() || "_-.".contains(character))
}

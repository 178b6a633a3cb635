//! Secrets in JSON: by the names of keys at any depth, in lists of names and values, in the arguments
//! of a program, and in every text.

use serde_json::{Map, Number, Value};

use super::key_names;
use super::look_alikes::{self, ValueSyntax};
use super::secrecy::{Secrecy, Strength};
use super::secrets::{Secret, Secrets};
use super::structure::{argument_values, header_values, stored_values};
use super::{Redaction, Redactor};

/// Deepest level that is looked into: what `serde_json` reads at most. What lies deeper is redacted as
/// a whole.
const MAX_DEPTH: usize = 128;

/// How often the parts of a header are looked for. The second round finds what a mark has laid bare;
/// more are needed by texts that were made for it.
const MAX_HEADER_ROUNDS: usize = 8;

/// Keys of an object that names something in one field and holds it in another.
const NAME_KEYS: &[&str] = &["name", "key", "header", "variable", "field", "id", "parameterkey"];
const VALUE_KEYS: &[&str] = &["value", "val", "content", "secret_value", "stringvalue", "parametervalue"];

/// Keys under a secret name whose values describe the secret (JSON Schema, OpenAPI, compose files).
const DESCRIBING_KEYS: &[&str] = &[
    "type",
    "description",
    "title",
    "format",
    "name",
    "file",
    "path",
    "user",
    "username",
    "login",
    "id",
    "url",
    "external",
    "in",
    "$ref",
    "kind",
    "host",
    "provider",
    "scope",
    "environment",
    "source",
    "target",
    "location",
    "created",
    "updated",
    "email",
    "region",
    "version",
    "default",
    "pattern",
    "label",
];

/// A JSON value without its secrets.
#[derive(Clone, Debug, PartialEq)]
pub struct RedactedValue {
    /// The value, each secret in it replaced by a mark.
    pub value: Value,
    /// What was replaced.
    pub redactions: Vec<Redaction>,
}

/// The arguments of a tool call without their secrets.
#[derive(Clone, Debug)]
pub struct RedactedArguments {
    /// The arguments, each secret in them replaced by a mark.
    pub arguments: Map<String, Value>,
    /// What was replaced.
    pub redactions: Vec<Redaction>,
    /// The same for [`Redactor::knowing`].
    pub secrets: Secrets,
}

impl Redactor {
    /// The value without its secrets. Booleans and null stay, and numbers do whose name does not surely mean a secret.
    /// What lies deeper than 128 levels is replaced as a whole.
    #[must_use]
    pub fn value(&self, value: &Value) -> RedactedValue {
        let mut walk = Walk { redactor: self, redactions: Vec::new(), found: Vec::new() };
        RedactedValue { value: walk.value(value, None, MAX_DEPTH), redactions: walk.redactions }
    }

    /// The arguments of a tool call without their secrets; see [`Redactor::value`].
    #[must_use]
    pub fn arguments(&self, arguments: &Map<String, Value>) -> RedactedArguments {
        let mut walk = Walk { redactor: self, redactions: Vec::new(), found: Vec::new() };
        let arguments = walk.object(arguments, None, MAX_DEPTH);
        let secrets = Secrets::hidden(walk.found, &arguments);
        RedactedArguments { arguments, redactions: walk.redactions, secrets }
    }
}

struct Walk<'r> {
    redactor: &'r Redactor,
    redactions: Vec<Redaction>,
    found: Vec<Secret>,
}

impl Walk<'_> {
    /// `named`: what the name of the value says.
    fn value(&mut self, value: &Value, named: Option<Secrecy>, left: usize) -> Value {
        match value {
            Value::String(text) => Value::String(self.string(text, named)),
            Value::Array(_) | Value::Object(_) if left == 0 => self.whole(value),
            Value::Array(items) => Value::Array(self.array(items, named, left - 1)),
            Value::Object(entries) => Value::Object(self.object(entries, named, left - 1)),
            Value::Number(number) => self.number(number, named),
            Value::Null | Value::Bool(_) => value.clone(),
        }
    }

    /// A password can be made of digits. What a number counts has a name that says less, or few digits.
    fn number(&mut self, number: &Number, named: Option<Secrecy>) -> Value {
        let digits = number.to_string();
        let kind = named.filter(|named| look_alikes::is_secret_number(&digits, named.strength)).map(|named| named.kind);
        kind.map_or_else(|| Value::Number(number.clone()), |kind| Value::String(self.replaced(&digits, kind)))
    }

    fn string(&mut self, text: &str, named: Option<Secrecy>) -> String {
        let Some(secrecy) = named else { return self.text(text) };
        if matches!(secrecy.kind, "authorization" | "cookie") {
            let parts = header_values(secrecy.kind, text);
            if !parts.is_empty() {
                return self.header(text, parts, secrecy.kind);
            }
        }
        if self.is_marked(text) || !look_alikes::is_secret(text, secrecy.strength, ValueSyntax::Quoted) {
            return self.text(text);
        }
        self.replaced(text, secrecy.kind)
    }

    fn text(&mut self, text: &str) -> String {
        let redacted = self.redactor.text_noting(text, &mut self.found);
        self.redactions.extend(redacted.redactions);
        redacted.text
    }

    fn replaced(&mut self, text: &str, kind: &str) -> String {
        let (mark, redaction) = self.redactor.rules.marks.mark(kind, text);
        self.redactions.push(redaction);
        self.found.push(Secret { text: text.to_owned(), kind: kind.to_owned() });
        mark
    }

    /// Whether marks stand in the text already. What is around them was looked at with them.
    fn is_marked(&self, text: &str) -> bool {
        !self.redactor.rules.marks.find(text).is_empty()
    }

    /// A header without the parts of it that are secrets. A mark may divide the rest in another way
    /// than what it stands for did, so the parts are looked for again until all are marked.
    fn header(&mut self, text: &str, mut parts: Vec<(usize, usize)>, kind: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..MAX_HEADER_ROUNDS {
            let replaced = self.parts(&text, &parts, kind);
            let changed = replaced != text;
            text = self.text(&replaced);
            if !changed {
                break;
            }
            parts = header_values(kind, &text);
        }
        text
    }

    fn parts(&mut self, text: &str, parts: &[(usize, usize)], kind: &str) -> String {
        let mut replaced = String::with_capacity(text.len());
        let mut from = 0;
        for (start, end) in parts {
            let secret = text.get(*start..*end).unwrap_or_default();
            replaced.push_str(text.get(from..*start).unwrap_or_default());
            let secret = if self.is_marked(secret) { secret.to_owned() } else { self.replaced(secret, kind) };
            replaced.push_str(&secret);
            from = *end;
        }
        replaced.push_str(text.get(from..).unwrap_or_default());
        replaced
    }

    fn array(&mut self, items: &[Value], named: Option<Secrecy>, left: usize) -> Vec<Value> {
        let texts: Vec<&str> = items.iter().map(|item| item.as_str().unwrap_or_default()).collect();
        let mut of_command = argument_values(&texts);
        of_command.extend(stored_values(&texts, &self.redactor.rules.names));
        let mut redacted = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            // As it is shown: what was a secret itself names nothing.
            let before = redacted.last().and_then(Value::as_str).unwrap_or_default();
            let named = self.named_by_neighbour(before, items.len()).or(named);
            let item = match (item, of_command.iter().find(|(place, _)| *place == index)) {
                (Value::String(text), Some((_, from))) if !self.is_marked(text) => {
                    let (head, secret) = text.split_at_checked(*from).unwrap_or(("", text));
                    Value::String(format!("{head}{}", self.replaced(secret, "password")))
                }
                _ => self.value(item, named, left),
            };
            redacted.push(item);
        }
        redacted
    }

    /// What the item before says about an item: `["--password", "x"]`, `["Authorization", "Bearer x"]`.
    fn named_by_neighbour(&self, before: &str, items: usize) -> Option<Secrecy> {
        let name = before.strip_prefix("--").or_else(|| before.strip_prefix('-'));
        if let Some(name) = name {
            return self.said_by(name).filter(|_| !name.contains('='));
        }
        let is_name = items == 2 && !before.is_empty() && before.len() < 64 && !before.contains(char::is_whitespace);
        let secrecy = self.said_by(before).filter(|_| is_name)?;
        let is_header = before.contains('-') || matches!(secrecy.kind, "authorization" | "cookie");
        Some(if is_header { secrecy } else { Secrecy { strength: Strength::Weak, ..secrecy } })
    }

    fn object(&mut self, entries: &Map<String, Value>, named: Option<Secrecy>, left: usize) -> Map<String, Value> {
        // Names come first: the way they are shown decides what they say about the values.
        let names: Vec<Option<Value>> = entries
            .iter()
            .map(|(key, value)| is_one_of(NAME_KEYS, key).then(|| self.entry(key, value, named, left)))
            .collect();
        let by_field = self.named_by_field(entries, &names);
        let mut redacted = Map::new();
        for ((key, value), name) in entries.iter().zip(names) {
            let by_pair = by_field.filter(|_| is_one_of(VALUE_KEYS, key));
            let value = match (name, by_pair) {
                (Some(name), _) => name,
                (None, Some(secrecy)) => self.value(value, Some(secrecy), left),
                (None, None) => self.entry(key, value, named, left),
            };
            redacted.insert(self.text(key), value);
        }
        redacted
    }

    /// A value named by its key, or by what the object is named.
    fn entry(&mut self, key: &str, value: &Value, named: Option<Secrecy>, left: usize) -> Value {
        let inherited = named.filter(|_| !is_one_of(DESCRIBING_KEYS, key));
        let of_digits = || value.is_number().then(|| key_names::of_digits(key)).flatten();
        self.value(value, of_digits().or_else(|| self.said_by(key)).or(inherited), left)
    }

    /// `{"name": "API_TOKEN", "value": "…"}`: what the name field says about the value field.
    fn named_by_field(&self, entries: &Map<String, Value>, names: &[Option<Value>]) -> Option<Secrecy> {
        let has_value = entries.keys().any(|key| is_one_of(VALUE_KEYS, key));
        let mut names = names.iter().flatten().filter_map(Value::as_str);
        names.find_map(|name| self.said_by(name)).filter(|_| has_value)
    }

    /// What a name says about its value. A name with a secret in it says nothing: it is shown with a
    /// mark, and what is shown has to be read the same way again.
    fn said_by(&self, name: &str) -> Option<Secrecy> {
        let secrecy = self.redactor.rules.names.secrecy(name)?;
        self.redactor.text(name).redactions.is_empty().then_some(secrecy)
    }

    /// A value that lies too deep, as one mark. Walked through without recursion.
    fn whole(&mut self, value: &Value) -> Value {
        let mut parts: Vec<String> = Vec::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items.iter().rev()),
                Value::Object(entries) => {
                    parts.extend(entries.keys().cloned());
                    open.extend(entries.values().rev());
                }
                Value::String(text) => parts.push(text.clone()),
                scalar => parts.push(scalar.to_string()),
            }
        }
        let length = parts.iter().map(|part| part.chars().count()).sum();
        let (mark, redaction) = self.redactor.rules.marks.mark_of("too-deep", length, parts.iter().map(String::as_str));
        self.redactions.push(redaction);
        Value::String(mark)
    }
}

fn is_one_of(keys: &[&str], key: &str) -> bool {
    keys.iter().any(|known| key.eq_ignore_ascii_case(known))
}

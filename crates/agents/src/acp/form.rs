//! A form that an agent wants filled in, as questions to a person: one for each field.
//!
//! The fields are those of an elicitation (ACP, "Elicitation"; MCP, "Elicitation", which has the same). The TypeScript
//! package asks the same questions about the forms of MCP servers: `sdk/vectors/elicitation.jsonl` holds both to it.

use handraise_protocol::QuestionRequest;
use serde_json::{Map, Value};

use super::field::{Field, Kind};
use super::words::{MAX_MESSAGE, asking, choice, cut};

/// What a person chooses where there is nothing to fill in.
const AGREE: &str = "Agree";
/// Most fields of a form: a person answers them one after the other.
const MAX_FIELDS: usize = 50;

/// A form, as far as a person has filled it in.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    message: String,
    fields: Vec<Field>,
    content: Map<String, Value>,
    /// The field that is asked about.
    at: usize,
    /// The last answer did not fit.
    is_again: bool,
}

impl Form {
    /// A form with the words `message` and the fields of `schema`. `None`: a field that has to be filled in is none that
    /// a person can be asked about in words.
    #[must_use]
    pub fn read(message: &str, schema: &Value) -> Option<Self> {
        let properties = match schema.get("properties") {
            None | Some(Value::Null) => &Map::new(),
            Some(properties) => properties.as_object()?,
        };
        let required: Vec<&str> = match schema.get("required") {
            None | Some(Value::Null) => Vec::new(),
            Some(names) => names.as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?,
        };
        let mut fields = Vec::new();
        for (name, property) in properties {
            let is_required = required.contains(&name.as_str());
            match Field::read(name, property, is_required) {
                Some(field) => fields.push(field),
                None if is_required => return None,
                None => {}
            }
        }
        let is_whole = required.iter().all(|name| properties.contains_key(*name));
        let form = Self { message: message.to_owned(), fields, content: Map::new(), at: 0, is_again: false };
        (is_whole && form.fields.len() <= MAX_FIELDS).then_some(form)
    }

    /// What to ask next; `None` when all is answered.
    #[must_use]
    pub fn question(&self) -> Option<QuestionRequest> {
        let message = cut(self.message.trim(), MAX_MESSAGE);
        if self.fields.is_empty() {
            let question = if message.is_empty() { AGREE.to_owned() } else { message };
            return (self.at == 0).then(|| asking(question, vec![choice(AGREE, None)], false, false));
        }
        let field = self.fields.get(self.at)?;
        let place = match self.fields.len() {
            1 => String::new(),
            count => format!(" ({} of {count})", self.at + 1),
        };
        let hint = field.hint();
        let lines = [
            Some(format!("{}{place}", field.title)),
            field.description.clone(),
            (!hint.is_empty()).then_some(hint),
            self.is_again.then(|| "The last answer does not fit.".to_owned()),
        ];
        let about = lines.into_iter().flatten().collect::<Vec<_>>().join("\n");
        let question = if message.is_empty() { about } else { format!("{message}\n\n{about}") };
        let is_many = matches!(field.kind, Kind::Many { .. });
        Some(asking(question, field.choices(), is_many && !field.is_free(), field.is_free()))
    }

    /// Takes the answer to [`Form::question`]: labels that were chosen, and words. One that does not fit is asked for
    /// again.
    pub fn answer(&mut self, selected: &[String], custom: Option<&str>) {
        let Some(field) = self.fields.get(self.at) else {
            self.at += 1;
            return;
        };
        let Some(value) = field.value(selected, custom) else {
            self.is_again = true;
            return;
        };
        if let Some(value) = value {
            self.content.insert(field.name.clone(), value);
        }
        self.at += 1;
        self.is_again = false;
    }

    /// What was filled in.
    #[must_use]
    pub fn content(&self) -> &Map<String, Value> {
        &self.content
    }
}

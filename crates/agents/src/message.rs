//! Reading a hook message field by field. Unknown fields are accepted; a field of another type than
//! documented is not.

use serde_json::{Map, Value};

use crate::call::{SUB_AGENT, SUB_AGENT_KIND};
use crate::{HookError, strict_json};

/// A JSON object that an agent sent.
pub(crate) struct Message(Map<String, Value>);

impl Message {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, HookError> {
        match strict_json::from_slice(bytes)? {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err(HookError::NotAnObject),
        }
    }

    pub(crate) fn of(fields: Map<String, Value>) -> Self {
        Self(fields)
    }

    pub(crate) fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// These fields, where they are there.
    pub(crate) fn only(&self, fields: &[&str]) -> Map<String, Value> {
        fields.iter().filter_map(|field| Some(((*field).to_owned(), self.value(field)?.clone()))).collect()
    }

    pub(crate) fn has(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    pub(crate) fn value(&self, field: &str) -> Option<&Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    pub(crate) fn required(&self, field: &'static str) -> Result<&str, HookError> {
        self.optional(field)?.ok_or(HookError::Missing(field))
    }

    pub(crate) fn optional(&self, field: &'static str) -> Result<Option<&str>, HookError> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(HookError::WrongType { field, expected: "a string" }),
        }
    }

    /// [`Message::optional`], to keep.
    pub(crate) fn text(&self, field: &'static str) -> Result<Option<String>, HookError> {
        Ok(self.optional(field)?.map(str::to_owned))
    }

    pub(crate) fn object(&self, field: &'static str) -> Result<Map<String, Value>, HookError> {
        match self.value(field) {
            None => Err(HookError::Missing(field)),
            Some(Value::Object(object)) => Ok(object.clone()),
            Some(_) => Err(HookError::WrongType { field, expected: "an object" }),
        }
    }

    /// An object, or the text of one.
    pub(crate) fn object_or_text(&self, field: &'static str) -> Result<Map<String, Value>, HookError> {
        match self.value(field) {
            Some(Value::String(text)) => Ok(Self::read(text.as_bytes())?.0),
            _ => self.object(field),
        }
    }

    pub(crate) fn nested(&self, field: &'static str) -> Result<Option<Self>, HookError> {
        match self.value(field) {
            None => Ok(None),
            Some(_) => self.object(field).map(|object| Some(Self(object))),
        }
    }

    pub(crate) fn required_nested(&self, field: &'static str) -> Result<Self, HookError> {
        self.object(field).map(Self)
    }

    /// The first of several texts.
    pub(crate) fn first(&self, field: &'static str) -> Result<Option<String>, HookError> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::Array(items)) => match items.first() {
                None => Ok(None),
                Some(Value::String(text)) => Ok(Some(text.clone())),
                Some(_) => Err(HookError::WrongType { field, expected: "a list of strings" }),
            },
            Some(_) => Err(HookError::WrongType { field, expected: "a list of strings" }),
        }
    }

    /// Tags that tell which sub-agent asks. It belongs to the session that started it.
    pub(crate) fn sub_agent_tags(&self) -> Result<Vec<String>, HookError> {
        let id = self.optional("agent_id")?.map(|id| format!("{SUB_AGENT}{id}"));
        let kind = self.optional("agent_type")?.map(|kind| format!("{SUB_AGENT_KIND}{kind}"));
        Ok(id.into_iter().chain(kind).collect())
    }
}

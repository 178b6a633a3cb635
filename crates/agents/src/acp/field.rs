//! One field of a form: what a person is asked about it, and what an answer means.

use std::collections::HashSet;

use handraise_protocol::QuestionChoice;
use serde_json::{Number, Value};

use super::words::{MAX_ABOUT, MAX_LABEL, choice, cut};

const YES: &str = "Yes";
const NO: &str = "No";
/// What a person chooses to choose nothing.
const NONE: &str = "None of these";
/// What a person chooses to leave a field out.
const LEAVE_OUT: &str = "Leave it out";
const SUGGESTED: &str = "Suggested.";
/// Most options that are choices of a question; more are typed.
const MAX_OPTIONS: usize = 23;
/// Numbers beyond this are others in programs that count with doubles.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: Option<String>,
    is_required: bool,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Text { shortest: Option<u64>, longest: Option<u64>, form: Option<String>, suggested: Option<String> },
    Number { is_whole: bool, least: Option<f64>, most: Option<f64>, suggested: Option<String> },
    Truth { suggested: Option<bool> },
    One { options: Vec<Choice>, suggested: Vec<String> },
    Many { options: Vec<Choice>, least: Option<u64>, most: Option<u64>, suggested: Vec<String> },
}

/// A value, and what it is called.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    value: String,
    label: String,
}

impl Field {
    /// `None`: it is of a kind that is not known, or says something that is not understood.
    pub(super) fn read(name: &str, property: &Value, is_required: bool) -> Option<Self> {
        let text = |field: &str| property.get(field).and_then(Value::as_str).map(str::trim);
        let said = |field: &str| text(field).filter(|words| !words.is_empty());
        let title = said("title").or(Some(name.trim()).filter(|name| !name.is_empty()))?;
        let description = said("description").map(|words| cut(words, MAX_ABOUT));
        let count = |field: &str| property.get(field).and_then(Value::as_u64);
        let suggested = property.get("default").filter(|value| !value.is_null());
        let kind = match property.get("type")?.as_str()? {
            "string" => match options(property.get("enum"), property.get("oneOf"))? {
                Some(options) => Kind::One { options, suggested: texts(suggested) },
                None => Kind::Text {
                    shortest: count("minLength"),
                    longest: count("maxLength"),
                    form: form(text("format"), said("pattern")),
                    suggested: suggested.and_then(Value::as_str).map(str::to_owned),
                },
            },
            kind @ ("number" | "integer") => Kind::Number {
                is_whole: kind == "integer",
                least: property.get("minimum").and_then(Value::as_f64),
                most: property.get("maximum").and_then(Value::as_f64),
                suggested: suggested.and_then(Value::as_f64).map(|number| plain(number).to_string()),
            },
            "boolean" => Kind::Truth { suggested: suggested.and_then(Value::as_bool) },
            "array" => {
                let items = property.get("items")?;
                let titled = items.get("anyOf").or_else(|| items.get("oneOf"));
                let options = options(items.get("enum"), titled)??;
                let (least, most) = (count("minItems"), count("maxItems"));
                Kind::Many { options, least, most, suggested: texts(suggested) }
            }
            _ => return None,
        };
        let title = cut(title, MAX_LABEL);
        Some(Self { name: name.to_owned(), title, description, is_required, kind })
    }

    /// The answer is typed, and not only chosen.
    pub(super) fn is_free(&self) -> bool {
        match &self.kind {
            Kind::Text { .. } | Kind::Number { .. } => true,
            Kind::Truth { .. } => false,
            Kind::One { options, .. } | Kind::Many { options, .. } => !are_choices(options),
        }
    }

    /// What an answer has to be.
    pub(super) fn hint(&self) -> String {
        let range = |least: Option<String>, most: Option<String>| match (least, most) {
            (Some(least), Some(most)) => format!(" from {least} to {most}"),
            (Some(least), None) => format!(", at least {least}"),
            (None, Some(most)) => format!(", at most {most}"),
            (None, None) => String::new(),
        };
        let hint = match &self.kind {
            Kind::Text { shortest, longest, form, .. } => {
                let length = range(shortest.map(|count| count.to_string()), longest.map(|count| count.to_string()));
                let length = (!length.is_empty()).then(|| format!("Characters:{}.", length.trim_start_matches(',')));
                form.iter().cloned().chain(length).collect::<Vec<_>>().join(" ")
            }
            Kind::Number { is_whole, least, most, .. } => {
                let words = |bound: &Option<f64>| bound.map(|number| plain(number).to_string());
                let what = if *is_whole { "A whole number" } else { "A number" };
                format!("{what}{}.", range(words(least), words(most)))
            }
            Kind::Truth { .. } => String::new(),
            Kind::One { options, .. } if are_choices(options) => String::new(),
            Kind::One { options, .. } => format!("One of: {}.", labels(options)),
            Kind::Many { options, least, most, .. } => {
                let count = range(least.map(|count| count.to_string()), most.map(|count| count.to_string()));
                let count = (!count.is_empty()).then(|| format!("How many:{}.", count.trim_start_matches(',')));
                let typed = (!are_choices(options)).then(|| format!("One on each line, of: {}.", labels(options)));
                typed.into_iter().chain(count).collect::<Vec<_>>().join(" ")
            }
        };
        cut(&hint, MAX_ABOUT)
    }

    /// What can be chosen.
    pub(super) fn choices(&self) -> Vec<QuestionChoice> {
        let mark = |is_suggested: bool| is_suggested.then_some(SUGGESTED);
        let mut choices = match &self.kind {
            Kind::Text { suggested, .. } | Kind::Number { suggested, .. } => {
                let shown = suggested.iter().filter(|text| is_label(text));
                shown.map(|text| choice(text, Some(SUGGESTED))).collect()
            }
            Kind::Truth { suggested } => {
                vec![choice(YES, mark(*suggested == Some(true))), choice(NO, mark(*suggested == Some(false)))]
            }
            Kind::One { options, .. } | Kind::Many { options, .. } if !are_choices(options) => Vec::new(),
            Kind::One { options, suggested } | Kind::Many { options, suggested, .. } => {
                let shown = |option: &Choice| choice(&option.label, mark(suggested.contains(&option.value)));
                options.iter().map(shown).collect::<Vec<_>>()
            }
        };
        let may_be_empty = matches!(self.kind, Kind::Many { least: None | Some(0), .. });
        if !self.is_required {
            choices.push(choice(&self.other(LEAVE_OUT), None));
        } else if may_be_empty {
            choices.push(choice(&self.other(NONE), None));
        }
        choices
    }

    /// A label that none of the field's own is.
    fn other(&self, label: &str) -> String {
        let mut label = label.to_owned();
        while self.is_own(&label) {
            label.push('…');
        }
        label
    }

    fn is_own(&self, label: &str) -> bool {
        match &self.kind {
            Kind::Text { suggested, .. } | Kind::Number { suggested, .. } => suggested.as_deref() == Some(label),
            Kind::Truth { .. } => false,
            Kind::One { options, .. } | Kind::Many { options, .. } => options.iter().any(|one| one.label == label),
        }
    }

    /// What an answer means: `Some(None)` where it leaves the field out, `None` where it does not fit.
    pub(super) fn value(&self, selected: &[String], custom: Option<&str>) -> Option<Option<Value>> {
        let typed = custom.map(str::trim).filter(|text| !text.is_empty());
        let chose = |label: &str| selected.iter().any(|one| *one == self.other(label));
        if typed.is_none() && !self.is_required && chose(LEAVE_OUT) {
            return (selected.len() == 1).then_some(None);
        }
        let word = typed.or_else(|| selected.first().map(String::as_str));
        match &self.kind {
            Kind::Text { shortest, longest, .. } => {
                let text = word?;
                let count = text.chars().count() as u64;
                let fits = shortest.is_none_or(|least| count >= least) && longest.is_none_or(|most| count <= most);
                fits.then(|| Some(text.into()))
            }
            Kind::Number { is_whole, least, most, .. } => {
                let number = number(word?)?;
                let fits = least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most);
                (fits && (!is_whole || number.fract() == 0.0)).then(|| Some(plain(number)))
            }
            Kind::Truth { .. } => match word? {
                YES => Some(Some(true.into())),
                NO => Some(Some(false.into())),
                _ => None,
            },
            Kind::One { options, .. } => Some(Some(find(options, word?)?.into())),
            Kind::Many { options, least, most, .. } => {
                let is_none = typed.is_none() && self.is_required && chose(NONE);
                let words: Vec<&str> = match typed {
                    Some(typed) => typed.lines().map(str::trim).filter(|line| !line.is_empty()).collect(),
                    None => selected.iter().map(String::as_str).filter(|one| *one != self.other(NONE)).collect(),
                };
                if is_none != words.is_empty() {
                    return None;
                }
                let values = words.into_iter().map(|word| find(options, word)).collect::<Option<Vec<_>>>()?;
                let count = values.len() as u64;
                let fits = least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most);
                fits.then(|| Some(values.into()))
            }
        }
    }
}

/// `Some(None)`: there are none. `None`: they are not understood.
fn options(values: Option<&Value>, titled: Option<&Value>) -> Option<Option<Vec<Choice>>> {
    let titled = titled.filter(|titled| !titled.is_null());
    let Some(list) = titled.or(values.filter(|values| !values.is_null())) else { return Some(None) };
    let read = |option: &Value| {
        let value = if titled.is_some() { option.get("const")? } else { option }.as_str()?;
        let label = option.get("title").and_then(Value::as_str).map(str::trim).filter(|title| !title.is_empty());
        Some(Choice { value: value.to_owned(), label: label.unwrap_or(value).to_owned() })
    };
    let mut options = list.as_array()?.iter().map(read).collect::<Option<Vec<_>>>()?;
    if !are_told_apart(&options) {
        options.iter_mut().for_each(|option| option.label.clone_from(&option.value));
    }
    (!options.is_empty() && are_told_apart(&options)).then_some(Some(options))
}

fn are_told_apart(options: &[Choice]) -> bool {
    let mut labels = HashSet::new();
    options.iter().all(|option| labels.insert(option.label.trim()) && !option.label.trim().is_empty())
}

fn are_choices(options: &[Choice]) -> bool {
    options.len() <= MAX_OPTIONS && options.iter().all(|option| is_label(&option.label))
}

fn is_label(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= MAX_LABEL
}

fn labels(options: &[Choice]) -> String {
    options.iter().map(|option| option.label.as_str()).collect::<Vec<_>>().join(", ")
}

fn find<'a>(options: &'a [Choice], word: &str) -> Option<&'a str> {
    let named = options.iter().find(|option| option.label.trim() == word.trim());
    Some(&named.or_else(|| options.iter().find(|option| option.value == word))?.value)
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// What a text has to look like. Who asked checks it: here it is only told.
fn form(format: Option<&str>, pattern: Option<&str>) -> Option<String> {
    let format = match format {
        Some("email") => Some("An e-mail address.".to_owned()),
        Some("uri") => Some("An address, as https://example.com.".to_owned()),
        Some("date") => Some("A date, as 2026-07-28.".to_owned()),
        Some("date-time") => Some("A date and a time, as 2026-07-28T09:30:00Z.".to_owned()),
        _ => None,
    };
    let pattern = pattern.map(|pattern| format!("It matches {}.", cut(pattern, MAX_LABEL)));
    let words: Vec<_> = format.into_iter().chain(pattern).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// A decimal number as people write it.
fn number(text: &str) -> Option<f64> {
    let is_plain = text.chars().all(|character| matches!(character, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
    let number: f64 = is_plain.then(|| text.parse().ok())??;
    (number.is_finite() && number.abs() <= MAX_SAFE).then_some(number)
}

/// A number as JSON has it: whole ones without a point.
fn plain(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= MAX_SAFE {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and no larger than what an i64 holds")]
        return Value::from(number as i64);
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

//! The questions that a form becomes, by the vectors that the TypeScript package is held to as well.

use handraise_agents::acp::Form;
use handraise_protocol::{QuestionChoice, QuestionRequest};
use serde::Deserialize;
use serde_json::{Map, Value};

const VECTORS: &str = include_str!("../../../sdk/vectors/elicitation.jsonl");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    message: String,
    schema: Value,
    #[serde(default)]
    asked: Vec<Asked>,
    #[serde(default)]
    answers: Vec<Said>,
    #[serde(default)]
    content: Map<String, Value>,
    #[serde(default)]
    unusable: bool,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Asked {
    question: String,
    choices: Vec<QuestionChoice>,
    multiple: bool,
    custom: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    selected: Vec<String>,
    custom: Option<String>,
}

#[test]
fn a_form_becomes_the_questions_that_the_vectors_say() {
    let cases: Vec<Case> = VECTORS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(cases.len() >= 40, "only {} vectors", cases.len());
    for case in cases {
        let form = Form::read(&case.message, &case.schema);
        assert_eq!(form.is_none(), case.unusable, "{}", case.id);
        let Some(mut form) = form else { continue };
        assert_eq!(case.asked.len(), case.answers.len(), "{}", case.id);
        for (asked, said) in case.asked.into_iter().zip(case.answers) {
            let question = form.question().unwrap();
            question.check().unwrap();
            let QuestionRequest { question, choices, multiple, custom, .. } = question;
            assert_eq!(Asked { question, choices, multiple, custom }, asked, "{}", case.id);
            form.answer(&said.selected, said.custom.as_deref());
        }
        assert_eq!(form.question(), None, "{}", case.id);
        assert_eq!(form.content(), &case.content, "{}", case.id);
    }
}

//! What every surface in a terminal has in common: how a person's key or line becomes a decision,
//! and what keeps one from being made by accident.

use std::time::Duration;

use handraise_protocol::{AnswerRequest, Approval, Breadth, Decision, DecisionRequest, Question, RiskLevel, Scope};

use crate::show::widenings;

/// What has to be typed to approve a destructive call.
pub(crate) const CONFIRMATION: &str = "yes";

/// How long a request must have been in view before anything decides about it: whoever was typing
/// just then did not mean this request.
pub(crate) fn delay(risk: RiskLevel) -> Duration {
    Duration::from_millis(match risk {
        RiskLevel::ReadOnly => 300,
        RiskLevel::Write => 600,
        RiskLevel::Destructive => 1_500,
    })
}

/// How a person approves a call by one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Approving {
    /// This call only.
    Once,
    /// Exactly this call, for the rest of its session.
    ForSession,
    /// This call only, inside the walls that are shown.
    Confined,
    /// The same inside wider ones: what these open, by its place in the list, is open to the project from now on.
    Opening(usize),
}

impl Approving {
    /// What the key `letter` means at `approval`; `None` when it approves nothing.
    ///
    /// # Errors
    /// A sentence that says why this call cannot be approved so.
    pub(crate) fn by_key(letter: char, approval: &Approval) -> Option<Result<Self, &'static str>> {
        match letter {
            'a' => Some(Ok(Self::Once)),
            's' if approval.session.is_none() => {
                Some(Err("This request names no session; answer it once with a or d."))
            }
            's' => Some(Ok(Self::ForSession)),
            'c' if approval.confinement.is_none() => Some(Err("This call cannot run confined; answer it with a or d.")),
            'c' => Some(Ok(Self::Confined)),
            number => {
                let place = usize::try_from(number.to_digit(10)?).ok()?.checked_sub(1)?;
                widenings(approval).get(place).map(|_| Ok(Self::Opening(place)))
            }
        }
    }

    /// The walls that it runs inside of then, as a decision names them.
    pub(crate) fn walls(self, approval: &Approval) -> Option<String> {
        let confinement = approval.confinement.as_ref()?;
        match self {
            Self::Once | Self::ForSession => None,
            Self::Confined => Some(confinement.hash.clone()),
            Self::Opening(place) => confinement.widenings.get(place).map(|widening| widening.hash.clone()),
        }
    }

    /// The decision about exactly what was shown.
    pub(crate) fn decision(self, approval: &Approval) -> DecisionRequest {
        let scope = if self == Self::ForSession { Scope::Session } else { Scope::Once };
        let confined = self.walls(approval);
        DecisionRequest { confined, ..decision(approval, Decision::Approve, scope, None) }
    }
}

/// A decision about exactly what was shown.
pub(crate) fn decision(
    approval: &Approval,
    decision: Decision,
    scope: Scope,
    reason: Option<String>,
) -> DecisionRequest {
    DecisionRequest {
        decision,
        scope,
        breadth: Breadth::Exact,
        commands: None,
        rule: None,
        reason,
        arguments: None,
        arguments_hash: Some(approval.arguments_hash.clone()),
        confined: None,
        late: false,
    }
}

/// How long a question must have been in view before anything answers it.
pub(crate) const QUESTION_DELAY: Duration = Duration::from_millis(600);

/// The answer that chooses the choices with these numbers, as `2` or `1, 3`.
///
/// # Errors
/// A sentence that says what to type instead.
pub(crate) fn chosen(question: &Question, numbers: &str) -> Result<AnswerRequest, String> {
    let parts = numbers.split([',', ' ']).filter(|part| !part.is_empty());
    let chosen = parts.map(|part| {
        let index = part.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        index.and_then(|index| question.choices.get(index)).map(|choice| choice.label.clone())
    });
    let selected = chosen.collect::<Option<Vec<String>>>().filter(|selected| !selected.is_empty());
    match selected {
        None => Err(what_to_type(question)),
        Some(selected) if selected.len() > 1 && !question.multiple => {
            Err("Only one of the choices can be chosen.".to_owned())
        }
        Some(selected) => Ok(AnswerRequest { selected, ..AnswerRequest::default() }),
    }
}

/// What a person can type at a question, followed by Enter.
pub(crate) fn what_to_type(question: &Question) -> String {
    let numbers = match (question.choices.len(), question.multiple) {
        (0, _) => None,
        (_, false) => Some("the number of a choice"),
        (_, true) => Some("the numbers of choices, as 1,3"),
    };
    let text = question.custom.then_some("t to write an answer");
    let keys: Vec<&str> = numbers.into_iter().chain(text).chain(["d decline", "r decline with a reason"]).collect();
    format!("{}; then Enter. Enter alone decides nothing.", keys.join(", "))
}

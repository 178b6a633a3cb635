//! What to tell the author of an allow rule.

use super::super::command_line::{Word, WordKind};
use super::super::operand_effects::Spelled;
use super::super::{dialect, operand_effects};
use super::options::Wanted;
use super::token::Token;

/// Something about a pattern that its author should know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternWarning {
    /// `git status*`.
    #[error("there is no blank before the `*`; write `{0}`")]
    NoBlankBeforeStar(String),
    /// `find *`.
    #[error("`{0}` can run programs or write files; what does so is asked about unless the pattern spells it out")]
    Broad(String),
    /// `mytool *`.
    #[error(
        "nobody here knows what `{0}` does with its words, so the `*` covers what is harmless in any program and one plain operand; name what else is meant"
    )]
    NoTable(String),
    /// `npm run *`, `git *`.
    #[error(
        "the `*` covers no operand of `{0}`: what stands there may run or change something; spell out each one that is meant, as in `{0} NAME *`"
    )]
    NoOperand(String),
    /// `*`.
    #[error("a pattern that is only `*` allows nothing; name the program")]
    OnlyStar,
    /// `cp * b`.
    #[error("a `*` before the end is exactly one word")]
    StarInTheMiddle,
    /// A rule that denies `kubectl delete --namespace=prod *`.
    #[error(
        "an option with a value or a wildcard is found only as it is written here; leave it out, and the rule means the command with any options"
    )]
    NarrowOption,
    /// A rule that denies `git push * main`.
    #[error(
        "a `*` before the end is exactly one word, so the rule misses the command with more or fewer words; end it with ` *`"
    )]
    NarrowStar,
    /// A rule that denies `git push`.
    #[error(
        "without ` *` at its end the rule means exactly these words; write `{0} *` to mean the command with any operands"
    )]
    NoRest(String),
    /// `rm -rf ./build*`.
    #[error("`{0}` also matches longer names; name the folder, as `./build/*`")]
    OpenEndedPath(String),
}

impl PatternWarning {
    /// The rule allows next to nothing of what its author may mean.
    #[must_use]
    pub fn covers_little(&self) -> bool {
        matches!(self, Self::NoTable(_) | Self::NoOperand(_) | Self::OnlyStar)
    }
}

/// What a rule with this pattern misses when it denies or asks.
pub(super) fn warnings_of_tightening(tokens: &[Token], rest: bool, options: &[Wanted]) -> Vec<PatternWarning> {
    let mut warnings = Vec::new();
    if options.iter().any(Wanted::is_narrow) {
        warnings.push(PatternWarning::NarrowOption);
    }
    if tokens.iter().skip(1).any(Token::is_star) {
        warnings.push(PatternWarning::NarrowStar);
    }
    let words: Option<Vec<&str>> = tokens.iter().map(Token::literal).collect();
    if let Some(words) = words.filter(|words| !rest && words.len() <= 2 && words.iter().all(|word| !word.contains('/')))
    {
        warnings.push(PatternWarning::NoRest(words.join(" ")));
    }
    warnings
}

pub(super) fn warnings(text: &str, tokens: &[Token], rest: bool, glued: bool) -> Vec<PatternWarning> {
    let mut warnings = Vec::new();
    // `ls*` is read as `ls *` and can mean nothing else; `git status*` looks as if it meant
    // `git status-x` as well.
    if glued && tokens.len() > 1 {
        let start = text.trim_end().trim_end_matches('*');
        warnings.push(PatternWarning::NoBlankBeforeStar(format!("{start} *")));
    }
    let (Some(first), others) = (tokens.first(), tokens.get(1..).unwrap_or_default()) else { return warnings };
    if first.is_star() && others.iter().all(Token::is_star) {
        warnings.push(PatternWarning::OnlyStar);
    }
    if others.iter().any(Token::is_star) {
        warnings.push(PatternWarning::StarInTheMiddle);
    }
    let wild = rest || others.iter().any(|token| token.literal().is_none());
    // `rm -rf ./build/*` stays in its folder.
    let writes_in_folder = !rest && others.iter().all(|token| token.literal().is_some() || token.is_path());
    let is_global = |text: &&str| text.starts_with("--");
    if wild && let Some(program) = first.literal() {
        let subs: Vec<&str> = others.iter().map_while(Token::literal).filter(|text| !is_global(text)).collect();
        // Of another shell's command nothing is ever allowed.
        let word = Word { text: program.to_owned(), kind: WordKind::Exact };
        if operand_effects::is_unknown(program) && !dialect::is_foreign(&[word]) {
            warnings.push(PatternWarning::NoTable(program.to_owned()));
        }
        if operand_effects::is_broad(program, &subs) && !(writes_in_folder && operand_effects::only_writes(program)) {
            warnings.push(match rest.then(|| without_operands(tokens)).flatten() {
                Some(fixed) => PatternWarning::NoOperand(fixed),
                None => PatternWarning::Broad(program.to_owned()),
            });
        }
    }
    let open_path = |last: &Token| !rest && tokens.len() > 1 && last.is_path() && last.literal().is_none();
    if tokens.last().is_some_and(open_path)
        && text.trim_end().trim_end_matches('*').ends_with(|last: char| last.is_alphanumeric())
        && text.trim_end().ends_with('*')
    {
        warnings.push(PatternWarning::OpenEndedPath(text.split_whitespace().last().unwrap_or_default().to_owned()));
    }
    warnings
}

/// Operands that say nothing: a name, and files in the project.
const PLAIN_OPERANDS: [&str; 3] = ["name", "name.txt", "folder/name.txt"];

/// The words of a pattern whose last `*` covers none of [`PLAIN_OPERANDS`].
fn without_operands(tokens: &[Token]) -> Option<String> {
    let fixed: Vec<&str> = tokens.iter().map(Token::literal).collect::<Option<_>>()?;
    let exact = |text: &&str| Word { text: (*text).to_owned(), kind: WordKind::Exact };
    let mut spelled = vec![Spelled::Out; fixed.len()];
    spelled.push(Spelled::Not);
    let is_refused = |operand: &&str| {
        let words: Vec<Word> = fixed.iter().chain([operand]).map(exact).collect();
        operand_effects::refusal(&words, &spelled).is_some()
    };
    PLAIN_OPERANDS.iter().all(is_refused).then(|| fixed.join(" "))
}

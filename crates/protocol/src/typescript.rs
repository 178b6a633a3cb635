//! The TypeScript declarations of every wire type, as one file.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use crate::{
    ActivityChoices, ActivityFigures, ActivitySearch, AgentChange, AgentOverview, AgentRules, AnswerRequest,
    ApprovalPage, ApprovalRequest, BatchRequest, BatchResult, Challenge, ChallengeProof, DecisionRequest,
    DecisionResponse, DenyAllRequest, DenyAllResponse, DesktopState, DoctorCheck, EvaluationResult, Event,
    ExportFormat, Exported, Health, KeptCalls, ModeRequest, ModeState, NewCredential, NewCredentialRequest,
    PolicyCheck, PolicyEtag, PolicyText, PolicyView, PresetComparison, Preview, PreviewRequest, Problem,
    PutBackRequest, PutBackResult, QuestionList, QuestionRequest, ReplayProgress, Revealed, RuleCheck,
    RuleCheckRequest, SessionList, SettingsView, Suggestions, SurfaceList, TriedCall,
};

const HEADER: &str = "// Generated from crates/protocol by `make generate`. Do not edit.\n";

/// The TypeScript declarations of every wire type, sorted by name.
#[must_use]
pub fn typescript() -> String {
    let mut collector = Collector { config: Config::default(), declarations: BTreeMap::new() };
    collector.visit::<ActivityChoices>();
    collector.visit::<ActivityFigures>();
    collector.visit::<ActivitySearch>();
    collector.visit::<AgentChange>();
    collector.visit::<AgentOverview>();
    collector.visit::<AgentRules>();
    collector.visit::<AnswerRequest>();
    collector.visit::<ApprovalPage>();
    collector.visit::<ApprovalRequest>();
    collector.visit::<BatchRequest>();
    collector.visit::<BatchResult>();
    collector.visit::<Challenge>();
    collector.visit::<ChallengeProof>();
    collector.visit::<DecisionRequest>();
    collector.visit::<DecisionResponse>();
    collector.visit::<DenyAllRequest>();
    collector.visit::<DenyAllResponse>();
    collector.visit::<DesktopState>();
    collector.visit::<DoctorCheck>();
    collector.visit::<EvaluationResult>();
    collector.visit::<Event>();
    collector.visit::<ExportFormat>();
    collector.visit::<Exported>();
    collector.visit::<Health>();
    collector.visit::<KeptCalls>();
    collector.visit::<ModeRequest>();
    collector.visit::<ModeState>();
    collector.visit::<NewCredential>();
    collector.visit::<NewCredentialRequest>();
    collector.visit::<PolicyCheck>();
    collector.visit::<PolicyEtag>();
    collector.visit::<PolicyText>();
    collector.visit::<PolicyView>();
    collector.visit::<PresetComparison>();
    collector.visit::<Preview>();
    collector.visit::<PreviewRequest>();
    collector.visit::<Problem>();
    collector.visit::<PutBackRequest>();
    collector.visit::<PutBackResult>();
    collector.visit::<QuestionList>();
    collector.visit::<QuestionRequest>();
    collector.visit::<ReplayProgress>();
    collector.visit::<Revealed>();
    collector.visit::<RuleCheck>();
    collector.visit::<RuleCheckRequest>();
    collector.visit::<SessionList>();
    collector.visit::<SettingsView>();
    collector.visit::<Suggestions>();
    collector.visit::<SurfaceList>();
    collector.visit::<TriedCall>();
    let declarations: Vec<String> =
        collector.declarations.into_values().map(|declaration| format!("\n{declaration}\n")).collect();
    HEADER.to_owned() + &declarations.concat()
}

struct Collector {
    config: Config,
    declarations: BTreeMap<String, String>,
}

impl TypeVisitor for Collector {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types without a file of their own are part of the language: string, number, arrays.
        if T::output_path().is_none() || self.declarations.contains_key(&T::ident(&self.config)) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.declarations.insert(T::ident(&self.config), format!("{docs}export {}", T::decl(&self.config)));
        T::visit_dependencies(self);
    }
}

import type {
  ActivityChoices,
  ActivityFigures,
  ActivitySearch,
  AgentChange,
  AgentOverview,
  AgentRules,
  AnswerRequest,
  Approval,
  ApprovalPage,
  ApprovalResult,
  DecisionRequest,
  DecisionResponse,
  DesktopState,
  Mode,
  NewCredential,
  NewCredentialRequest,
  DoctorCheck,
  EvaluationResult,
  ExportFormat,
  Exported,
  GrantId,
  JsonValue,
  KeptCalls,
  PolicyCheck,
  PolicyView,
  Preset,
  PresetComparison,
  Preview,
  PreviewRequest,
  Problem,
  PutBackRequest,
  PutBackResult,
  QuestionId,
  QuestionResult,
  ReplayProgress,
  RequestId,
  Revealed,
  RuleCheck,
  RuleCheckRequest,
  SessionKey,
  Settings,
  SettingsView,
  Suggestions,
  TriedCall,
} from '../generated/protocol';

/** Ends a subscription. */
export type Unsubscribe = () => void;

/** What both windows can do. */
export interface WindowPlatform {
  /** Something in the window was pressed without mouse, finger or key. It is known before whatever is called next. */
  pressedWithoutDevice(): Promise<void>;
  /** Puts the window away. */
  hideWindow(): Promise<void>;
  /** Makes the window as large as its content needs, in CSS pixels, as far as the screen has room. */
  fitWindow(width: number, height: number): Promise<void>;
  /** What a rule would have done to the calls of the past. Changes nothing. */
  previewRule(request: PreviewRequest): Promise<Preview>;
}

/** A call to try on the policy; without an agent as if one asked that proves no name. */
export type Trial = { call: TriedCall; folder?: string; agent?: string };

/** The room that a page needs, in CSS pixels, and the colour behind it: red, green and blue. */
export type PromptLayout = { width: number; height: number; background: [number, number, number] };

/** What the prompt window can do; nothing more is allowed to it. Every call rejects with a `Problem`. */
export interface PromptPlatform extends WindowPlatform {
  desktopState(): Promise<DesktopState>;
  onDesktopState(listener: (state: DesktopState) => void): Promise<Unsubscribe>;
  /** The page has laid out what it will show, and needs this room. Says so before anybody sees it. */
  promptDrawn(opening: number, layout: PromptLayout): Promise<void>;
  /** The page has painted it: it may be seen. */
  promptPainted(opening: number): Promise<void>;
  /** How requests end. Without it the window cannot tell an answer elsewhere from an agent that left. */
  onRequestEnded(listener: (result: ApprovalResult) => void): Promise<Unsubscribe>;
  /** How questions end. */
  onQuestionEnded(listener: (result: QuestionResult) => void): Promise<Unsubscribe>;
  /** Answers a question, or declines to. */
  answer(id: QuestionId, answer: AnswerRequest): Promise<QuestionResult>;
  /** Takes a request that nobody answered in time out of the list. */
  dismissMissed(id: RequestId): Promise<void>;
  decide(id: RequestId, decision: DecisionRequest): Promise<DecisionResponse>;
  /** An open request as it would be shown with other arguments. Changes nothing. */
  previewEdit(id: RequestId, values: { [key in string]: JsonValue }): Promise<Approval>;
  /** Whether a person can approve an open request with a changed rule, and what it would have done. Changes nothing. */
  checkRule(id: RequestId, request: RuleCheckRequest): Promise<RuleCheck>;
  /** The redacted values of an open request. That somebody looked is recorded. */
  reveal(id: RequestId): Promise<Revealed>;
  /** Pauses, until a person resumes or for so many seconds; or resumes. */
  setMode(mode: Mode, seconds?: number): Promise<void>;
  openSettings(): Promise<void>;
  /** Opens the settings with the guide of the first start. */
  openGuide(): Promise<void>;
}

/** A change to an agent's settings: connect it or disconnect it. */
export type AgentWish = {
  agent: string;
  connect: boolean;
  onlyWhatAgentAsks: boolean;
  /** Not the person's own settings: those of the whole machine, by which no project switches hooks off. */
  forMachine: boolean;
};

/** What the settings window can do. Every call rejects with a `Problem`. */
export interface SettingsPlatform extends WindowPlatform {
  settingsView(): Promise<SettingsView>;
  onSettingsView(listener: (view: SettingsView) => void): Promise<Unsubscribe>;
  saveSettings(settings: Settings): Promise<void>;
  /** Pauses, until a person resumes or for so many seconds; or resumes. */
  setMode(mode: Mode, seconds?: number): Promise<void>;
  setPolicyPreset(preset: Preset): Promise<void>;
  setTimeoutSeconds(seconds: number): Promise<void>;
  openPolicyFile(): Promise<void>;
  policy(): Promise<PolicyView>;
  /** What is wrong with a policy text. Changes nothing. */
  checkPolicy(text: string): Promise<PolicyCheck>;
  /** Puts `text`, made from the one that `etag` names, in the place of the policy. */
  savePolicy(text: string, etag: string): Promise<PolicyView>;
  /** Puts a change that was made outside Handraise in force. */
  confirmPolicy(etag: string): Promise<PolicyView>;
  /** Takes the confirmed policy back. */
  discardPolicy(etag: string): Promise<PolicyView>;
  /** Adds `[[rule]]` tables behind the others. */
  addPolicyRules(rules: string): Promise<void>;
  /** Rules that would have spared a person some questions. */
  suggestRules(): Promise<Suggestions>;
  /** The rules that the agents keep themselves, as rules of the policy. Changes nothing. */
  ownRules(): Promise<AgentRules[]>;
  /** Adds `[[rule]]` tables before the others, and some behind them. */
  importPolicyRules(inFront: string, behind: string): Promise<void>;
  /** What the policy says about a call. Changes nothing. */
  tryCall(trial: Trial): Promise<EvaluationResult>;
  /** Calls that have changed something; of these `ids` with what has changed in each file. */
  kept(ids?: RequestId[]): Promise<KeptCalls>;
  /** Puts back what calls have changed. */
  putBack(request: PutBackRequest): Promise<PutBackResult>;
  revokeGrant(id: GrantId): Promise<void>;
  endSession(key: SessionKey): Promise<void>;
  createCredential(request: NewCredentialRequest): Promise<NewCredential>;
  revokeCredential(id: string): Promise<void>;
  dismissNotice(title: string): Promise<void>;
  /** Every agent that Handraise knows. Takes some seconds: each is asked for its version. */
  agents(): Promise<AgentOverview[]>;
  /** What a wish would change. Changes nothing. */
  previewAgentChange(wish: AgentWish): Promise<AgentChange>;
  /** Makes the change that `digest` names, as it was shown, or none. */
  changeAgent(wish: AgentWish, digest: string): Promise<AgentChange>;
  /** Tries an agent's connections out with a harmless call. */
  checkAgent(agent: string): Promise<DoctorCheck[]>;
  /** What each preset would have done with the agents' calls of the last 30 days. Can take minutes. */
  comparePresets(): Promise<PresetComparison>;
  onReplayProgress(listener: (progress: ReplayProgress) => void): Promise<Unsubscribe>;
  /** Ends the comparison, which then rejects. */
  stopComparing(): Promise<void>;
  /** Has a harmless call decided, as an agent would. Nothing runs it. */
  askSample(): Promise<ApprovalResult>;
  /** Takes that call back; asking for it then rejects. */
  stopSample(): Promise<void>;
  /** Opens the prompt window. */
  openInbox(): Promise<void>;
  /** Calls of the past, and those that wait, the latest first. */
  activity(search: ActivitySearch): Promise<ApprovalPage>;
  /** What can be chosen to show less. */
  activityChoices(): Promise<ActivityChoices>;
  /** How often a person was asked in the last days. */
  activityFigures(days: number): Promise<ActivityFigures>;
  /** Writes the calls that `search` finds to a new file in the folder for downloads. */
  exportActivity(search: ActivitySearch, format: ExportFormat): Promise<Exported>;
}

/** Everything that the user interface needs from the machine it runs on. */
export type Platform = PromptPlatform & SettingsPlatform;

/** Whatever a call rejected with, as a problem. */
export function asProblem(error: unknown): Partial<Problem> & { detail: string } {
  if (typeof error === 'object' && error !== null && 'detail' in error) return error as Problem;
  return { detail: typeof error === 'string' ? error : '' };
}

export { Approver, type ApproverOptions, type Search } from './client/approver.js';
export { type CallOptions, Client, type ClientOptions, type WaitOptions } from './client/client.js';
export type { EventsOptions, StreamedEvent } from './client/events.js';
export * from './errors.js';
export type * from './generated/protocol.js';
export { type Arguments, argumentsHash, canonical } from './json.js';
export type { ConnectOptions } from './transport/caller.js';
export type { Endpoint, Folders } from './transport/locations.js';
export type { Credential } from './transport/token.js';
export { type BatchCall, type Outcome } from './gate/batch.js';
export { type CallContext, type ToolCall, parseArguments, requestOf } from './gate/call.js';
export { type DeniedToolResult, deniedToolResult, denialText, isDenied } from './gate/denial.js';
export type { Execute } from './gate/decided.js';
export { Gate, type GateOptions } from './gate/gate.js';
export { type PauseSignal, isPause, pausePrompt } from './gate/pause.js';
export { type ApprovalOptions, type Gated, withApproval } from './gate/with-approval.js';
export { type DisplayOptions, type DisplayRule, displayArguments, visible } from './display.js';
export { type RiskWord, riskLevel } from './risk.js';
export { ApprovalPolicy, type PolicyDecision } from './policy/approval-policy.js';
export {
  type AgentTable,
  PolicyError,
  type PolicyTable,
  type RiskActions,
  type RuleTable,
  UnsupportedKeyError,
} from './policy/table.js';

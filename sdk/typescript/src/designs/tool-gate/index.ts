// For tool gates with conversations.

export {
  type MatchedRule,
  type PolicyAuditEvent,
  type ToolApprovalRecord,
  type ToolApprovalRequest,
  ToolGate,
  type ToolGateContext,
  type ToolGateDecision,
  type ToolGateOptions,
  type ToolPauseSignal,
  ToolPolicyDeniedError,
  sessionKeyOf,
  toolPauseSignal,
} from './tool-gate.js';
export { type ToolPolicies, type ToolPolicy, ToolPolicyError, toolPolicy } from './tool-policy.js';

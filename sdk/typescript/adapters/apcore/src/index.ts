// For executors in the manner of apcore, and for apcore-mcp's approval store.

export {
  type ApprovalDecisionEvent,
  ApprovalGate,
  type ApprovalGateOptions,
  InvalidInputError,
  type ModuleCall,
} from './approval-gate.js';
export {
  type ApprovalRecord,
  type ApprovalStore,
  type ApprovalStoreOptions,
  HandraiseApprovalStore,
} from './approval-store.js';

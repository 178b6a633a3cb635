export {
  type ApprovalHandler,
  type ApprovalRequest,
  type ApprovalResult,
  type ResumableHandler,
  createApprovalRequest,
  createApprovalResult,
  isApprovalHandler,
} from './approval.js';
export {
  type ApprovalSchema,
  type ElicitationOptions,
  ElicitationApprovalHandler,
  type ElicitingServer,
} from './elicitation.js';
export { AlwaysDenyHandler, AutoApproveHandler, AutoDenyHandler, CallbackApprovalHandler } from './fixed.js';
export { HandraiseApprovalHandler, type HandraiseHandlerOptions } from './handraise.js';
export {
  type PendingApproval,
  SseApprovalHandler,
  type SseOptions,
  type WireDecision,
  sseFrame,
} from './sse.js';
export { TerminalApprovalHandler, type TerminalOptions } from './terminal.js';
export * from '../errors.js';

// What an adapter for a framework is built with: `handraise/adapter`. The packages of `adapters` need no more than this
// and the other entry points, so anybody can write one.

// One call, decided.
export { type Decision, NOT_READABLE, decide, denied, readArguments, textOf, unchanged } from './decision.js';
// For frameworks that ask in one step and run the tool in another.
export { type ApprovedCall, ApprovedCalls } from './approved-calls.js';
// The session, where a framework knows the conversation: for `Gate.inConversation`.
export { type Conversation, conversationIn } from '../gate/conversation.js';
// What a framework hands over, as JSON.
export { isObject, snapshot } from '../json.js';
// For adapters that send the messages of an agent's own hooks: `Client.hook`.
export { credentialOf } from './agent-credential.js';
export { homeOfUser } from '../transport/locations.js';
// For executors that ask an `ApprovalHandler` of `handraise/handlers`.
export { isResumable } from '../handlers/approval.js';
export { callAtGate } from '../handlers/call-at-gate.js';
export { toolCallOf } from '../handlers/handraise.js';
export { requiresApproval } from '../handlers/risk-of.js';

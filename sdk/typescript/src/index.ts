export { Approver, type ApproverOptions, type Search } from './client/approver.js';
export {
  type BatchRequest,
  type CallOptions,
  Client,
  type ClientOptions,
  type WaitOptions,
} from './client/client.js';
export type { EventsOptions, StreamedEvent } from './client/events.js';
export type { QuestionChoice, QuestionRequest, QuestionResult } from './client/questions.js';
export * from './errors.js';
export type * from './generated/protocol.js';
export { type Arguments, argumentsHash, canonical } from './json.js';
export type { ConnectOptions } from './transport/caller.js';
export type { Endpoint, Folders } from './transport/locations.js';
export type { Credential } from './transport/token.js';

export { gateClient } from './gate-client.js';
export { gateServer } from './gate-server.js';
export type { GateOptions } from './gate-options.js';
export { definitionHash, describeChange, type ToolDefinition } from './definitions.js';
export { type DenialForm, type Refusal, refusalResult, type RefusalResult } from './denial.js';
export { pinsInFolder, pinsInMemory, type PinFile, type PinStore } from './pins.js';
export {
  type CommandEvents,
  CommandQueue,
  type CommandRequest,
  type PendingCommand,
  type QueueOptions,
} from './serve/command-queue.js';
export { CommandFailedError, type CommandResult, type RunLimits } from './serve/run-command.js';

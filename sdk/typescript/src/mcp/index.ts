export { gateClient } from './gate_client.js';
export { gateServer } from './gate_server.js';
export type { GateOptions } from './gate_options.js';
export { definitionHash, describeChange, type ToolDefinition } from './definitions.js';
export { type DenialForm, type Refusal, refusalResult, type RefusalResult } from './denial.js';
export { pinsInFolder, pinsInMemory, type PinFile, type PinStore } from './pins.js';
export {
  type CommandEvents,
  CommandQueue,
  type CommandRequest,
  type PendingCommand,
  type QueueOptions,
} from './serve/command_queue.js';
export { CommandFailedError, type CommandResult, type RunLimits } from './serve/run_command.js';

import type { Client } from '../index.js';
import type { DenialForm } from './denial.js';
import type { PinStore } from './pins.js';
import type { CallContext } from './tool-gate.js';

/** How the calls of a gated server or client are decided. */
export interface GateOptions extends CallContext {
  /** Asks the running gate. */
  client: Pick<Client, 'request' | 'resume'>;
  /** Whether a denial is marked as an error; default `auto`. */
  denial?: DenialForm;
  /** Seconds to wait for a person before a call is answered with the id to come back with; absent: as long as it takes. */
  pendingAfter?: number;
}

/** The same for a server that somebody else runs. */
export interface PinnedGateOptions extends GateOptions {
  /** The name that the person gave the server; never the one it gives itself. */
  server: string;
  /** Where tool definitions are pinned; default: in memory. */
  pins?: PinStore;
}

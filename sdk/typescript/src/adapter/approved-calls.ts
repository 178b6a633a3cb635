// Frameworks that ask in one step and run the tool in another.

import { type Arguments, argumentsHash, snapshot } from '../json.js';

/** Approvals that wait for their call; of more, the oldest is forgotten and asked about again. */
const MAX_KEPT = 10_000;

/** What may run. */
export interface ApprovedCall {
  readonly arguments: Arguments;
  /** The person put these arguments in the place of those that were asked about. */
  readonly isChanged: boolean;
}

/** Approvals on their way from the step that asks to the step that runs the tool. Each is used once, for its call. */
export class ApprovedCalls {
  readonly #kept = new Map<string, ApprovedCall>();

  /** Keeps what was approved for the call with the arguments `asked`. */
  keep(id: string, tool: string, asked: unknown, approved: ApprovedCall): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(keyOf(id, tool, asked), approved);
  }

  /** What may run; `undefined` when this very call was not approved, or was run already. */
  take(id: string, tool: string, asked: unknown): ApprovedCall | undefined {
    const key = keyOf(id, tool, asked);
    const approved = this.#kept.get(key);
    this.#kept.delete(key);
    return approved;
  }
}

/** Some models number their calls anew in every turn, so the id alone names no call. */
function keyOf(id: string, tool: string, asked: unknown): string {
  return JSON.stringify([id, tool, argumentsHash(snapshot(asked))]);
}

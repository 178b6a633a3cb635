import {
  type ApprovalResult as GateResult,
  type Approver,
  type CallContext,
  Gate,
  GateRefusedError,
  argumentsHash,
  errorOf,
} from 'handraise';
import { callAtGate, snapshot, toolCallOf } from 'handraise/adapter';
import { type ApprovalRequest, createApprovalRequest } from 'handraise/handlers';

/** How a pending approval stands, as apcore-mcp has it: without the arguments. */
export interface ApprovalRecord {
  status: 'pending' | 'approved' | 'rejected';
  moduleId: string;
  reason: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Milliseconds since 1970; `null` while it is open. */
  resolvedAt: number | null;
}

/** Keeps pending approvals for apcore-mcp's `StorageBackedApprovalHandler`. */
export interface ApprovalStore {
  /** Keeps a new pending approval. */
  savePending(approvalId: string, moduleId: string, args: Record<string, unknown>): Promise<void>;
  /** How it stands; `null` when the id is not known. */
  getResult(approvalId: string): Promise<ApprovalRecord | null>;
  /** Decides. `false` when the id is not known, or already over. */
  resolve(approvalId: string, options: { approved: boolean; reason?: string }): Promise<boolean>;
}

/** How a {@link HandraiseApprovalStore} asks. */
export interface ApprovalStoreOptions {
  /** Default: a gate with the `default` requester token. */
  gate?: Gate;
  /** Decides in {@link HandraiseApprovalStore.resolve}, which is refused without one. */
  approver?: Approver;
  /**
   * Says `approved` also about calls that came through no `ApprovalGate`. Whoever asks must then hold the
   * approval to the one call that it was given for.
   */
  unbound?: boolean;
  /** What a framework knows of the call: its session, its agent. */
  context?: (request: ApprovalRequest) => CallContext;
}

interface Saved {
  /** Of the request at Handraise. */
  id: string;
  moduleId: string;
  hash: string;
  /** It came through an `ApprovalGate`, which lets an approval run nothing but its call. */
  isBound: boolean;
}

/** Ids that a store remembers; the oldest is forgotten first. */
const REMEMBERED = 10_000;
const NOT_BOUND = 'Approved, but nothing holds the approval to its call: put an ApprovalGate before it.';
const CHANGED = 'Approved with other arguments, which cannot take the place of those that were sent here.';

/**
 * Requests of Handraise as the pending approvals of apcore-mcp. How long an approval stays open, and how long
 * its end can be looked up, is up to Handraise. A gate that cannot be asked throws: nothing runs.
 */
export class HandraiseApprovalStore implements ApprovalStore {
  readonly #options: ApprovalStoreOptions;
  readonly #gate: Gate;
  readonly #saved = new Map<string, Saved>();

  constructor(options: ApprovalStoreOptions = {}) {
    this.#options = options;
    this.#gate = options.gate ?? new Gate();
  }

  /** Submits the call without waiting. The same id with the same call asks nobody twice. */
  async savePending(approvalId: string, moduleId: string, args: Record<string, unknown>): Promise<void> {
    const atGate = callAtGate.getStore();
    const request = createApprovalRequest({ ...atGate, moduleId, arguments: args });
    const call = { ...toolCallOf(request, this.#options.context), idempotencyKey: approvalId };
    const { id } = await this.#gate.decide(call, { wait: 0 });
    const oldest = this.#saved.keys().next();
    if (this.#saved.size >= REMEMBERED && !oldest.done) this.#saved.delete(oldest.value);
    const hash = argumentsHash(snapshot(args));
    this.#saved.set(approvalId, { id, moduleId, hash, isBound: atGate !== undefined });
  }

  /**
   * How a request stands. Whoever looks never gets the arguments. At an `ApprovalGate` the approval is used up,
   * for the call that is there; it is rejected for another call.
   */
  async getResult(approvalId: string): Promise<ApprovalRecord | null> {
    const saved = this.#saved.get(approvalId);
    if (saved === undefined) return null;
    const result = await this.#gate.client.result(saved.id).catch(unlessRefused('not_found'));
    if (result === undefined) return null;
    const record = recordOf(saved.moduleId, result);
    if (record.status !== 'approved') return record;
    const rejected = (reason: string): ApprovalRecord => ({ ...record, status: 'rejected', reason });
    if (!saved.isBound && !this.#options.unbound) return rejected(NOT_BOUND);
    if (result.arguments != null) return rejected(CHANGED);
    const atGate = callAtGate.getStore();
    if (atGate === undefined) return record;
    const call = this.#gate.request(toolCallOf(atGate, this.#options.context));
    const used = await this.#gate.client
      .resume(saved.id, call, { wait: 0 })
      .catch(unlessRefused('not_redeemable'));
    if (used === undefined) return rejected('The approval belongs to another call, or was used already.');
    return recordOf(saved.moduleId, used);
  }

  /**
   * Decides as the approver.
   *
   * @throws TypeError without an approver. {@link GateRefusedError} when Handraise does not let this program
   * decide, as one that an agent has started.
   */
  async resolve(approvalId: string, options: { approved: boolean; reason?: string }): Promise<boolean> {
    const { approver } = this.#options;
    if (approver === undefined) throw new TypeError('only a person decides: give the store an `approver`');
    const saved = this.#saved.get(approvalId);
    if (saved === undefined) return false;
    const { approved, reason } = options;
    const decided = await approver
      .decide(saved.id, {
        decision: approved === true ? 'approve' : 'deny',
        arguments_hash: saved.hash,
        ...(reason === undefined ? {} : { reason }),
      })
      .catch(unlessRefused('not_found', 'already_over'));
    return decided !== undefined;
  }
}

/** Makes `undefined` of a refusal with one of `codes`. */
function unlessRefused(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof GateRefusedError && codes.includes(error.problem.code)) return undefined;
    throw error;
  };
}

function recordOf(moduleId: string, result: GateResult): ApprovalRecord {
  const { status } = result;
  const isOpen = status === 'pending';
  return {
    status: isOpen || status === 'approved' ? status : 'rejected',
    moduleId,
    // An end that approves nothing has words, whatever it is.
    reason: isOpen || status === 'approved' ? (result.reason ?? null) : errorOf(result, moduleId).reason,
    createdAt: Date.parse(result.requested_at),
    resolvedAt: result.decided_at == null ? null : Date.parse(result.decided_at),
  };
}

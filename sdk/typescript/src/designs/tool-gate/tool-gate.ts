import type { Approver } from '../../client/approver.js';
import { Client } from '../../client/client.js';
import { GateRefusedError, assertApproved } from '../../errors.js';
import { conversationIn, sessionWithin } from '../../gate/conversation.js';
import { pausePrompt } from '../../gate/pause.js';
import type { Approval, Scope } from '../../generated/protocol.js';
import { argumentsHash, snapshot } from '../../json.js';

/** What a tool policy said about a call. */
export interface ToolGateDecision {
  toolId: string;
  allowed: boolean;
  /** Only this flag asks; a tool's tags do not. */
  requireApproval: boolean;
  matchedRules?: readonly MatchedRule[];
  deniedBy?: MatchedRule;
}

export interface MatchedRule {
  scope: 'default' | 'intent' | 'agent' | 'override';
  source: string;
  effect: 'allow' | 'deny' | 'requireApproval';
  reason?: string;
}

/** Who calls, and in which conversation. */
export interface ToolGateContext {
  intentId?: string;
  agentId?: string;
  userId?: string;
  conversationId?: string;
  role?: string;
  metadata?: Record<string, unknown>;
}

/** A call that needs an approval. */
export interface ToolApprovalRequest {
  toolId: string;
  intentId?: string;
  agentId?: string;
  userId?: string;
  reason: string;
  /** Absent: nothing will be remembered. */
  sessionKey?: string;
  /** How long the person has, in milliseconds. */
  ttlMs: number;
}

/** An approval or a denial that was recorded. */
export interface ToolApprovalRecord {
  toolId: string;
  sessionKey: string;
  approved: boolean;
  /** ISO 8601. */
  timestamp: string;
}

/** What is observed of every decision: `afterPolicyDecision`. Arguments only as a hash. */
export interface PolicyAuditEvent {
  toolId: string;
  outcome: 'allow' | 'deny' | 'requireApproval';
  intentId?: string;
  agentId?: string;
  userId?: string;
  role?: string;
  matchedRules: readonly MatchedRule[];
  deniedBy?: MatchedRule;
  /** 16 hexadecimal digits. */
  argsHash: string;
  /** ISO 8601. */
  timestamp: string;
  metadata?: Record<string, unknown>;
}

/** Returned as a tool's result, it stops the run. */
export interface ToolPauseSignal {
  readonly __pause: true;
  readonly prompt: string;
  readonly metadata: {
    readonly toolId: string;
    readonly intentId?: string;
    readonly agentId?: string;
    readonly approvalRequest: true;
  };
  readonly ttlMs: number;
}

/** How a {@link ToolGate} works. */
export interface ToolGateOptions {
  /** Default: a client with the `default` requester token. */
  client?: Client;
  /** Records approvals; without it `recordApproval` and `clearApprovals` are refused. */
  approver?: Approver;
  /** Name of the agent whose sessions these are. */
  agent?: string;
  /** Hears of every decision. What it throws changes nothing. */
  afterPolicyDecision?: (event: PolicyAuditEvent) => void | Promise<void>;
}

const TTL_MS = 300_000;

/** The tool policy denies the tool; no approval changes that. */
export class ToolPolicyDeniedError extends Error {
  override readonly name = 'ToolPolicyDeniedError';
  readonly code = 'POLICY_DENIED';

  constructor(readonly decision: ToolGateDecision) {
    super(`Policy denies '${decision.toolId}'`);
  }
}

/**
 * The conversation: `conversationId`, also in the `metadata`, where frameworks have it under other names, too. Where
 * both are there and differ, the two together. The user counts only where no conversation is known; without either
 * there is no session, and nothing is remembered.
 */
export function sessionKeyOf(context: ToolGateContext): string | undefined {
  const own = context.conversationId;
  const other = conversationIn(context.metadata);
  if (other === undefined) return own ?? context.userId;
  // An id that is there and cannot be told is no reason to remember for more than it.
  return other.id === undefined ? undefined : sessionWithin(own, other);
}

/** The signal that goes with a request. */
export function toolPauseSignal(request: ToolApprovalRequest): ToolPauseSignal {
  const { toolId, intentId, agentId, ttlMs } = request;
  return {
    __pause: true,
    prompt: pausePrompt(toolId, intentId, agentId),
    metadata: {
      toolId,
      ...(intentId === undefined ? {} : { intentId }),
      ...(agentId === undefined ? {} : { agentId }),
      approvalRequest: true,
    },
    ttlMs,
  };
}

/**
 * Approvals per tool and conversation. What is approved is what Handraise remembers: a grant that a
 * person's answer made, which ends with its session and can be taken back in every window.
 */
export class ToolGate {
  readonly #options: ToolGateOptions;
  readonly #client: Client;

  constructor(options: ToolGateOptions = {}) {
    this.#options = options;
    this.#client = options.client ?? new Client();
  }

  /** Whether calls of this tool are approved for this session. */
  async hasApproval(toolId: string, sessionKey: string | undefined, args?: unknown): Promise<boolean> {
    if (sessionKey === undefined) return false;
    const evaluation = await this.#client.evaluate(this.#call(toolId, sessionKey, args));
    return evaluation.action === 'allow' && evaluation.decided_by === 'grant';
  }

  /** What has to be approved before a call; `undefined` when nothing has to be. */
  async createApprovalRequest(
    decision: ToolGateDecision,
    context: ToolGateContext,
    args?: unknown,
  ): Promise<ToolApprovalRequest | undefined> {
    this.#observe({
      ...identity(context),
      toolId: decision.toolId,
      outcome: !decision.allowed ? 'deny' : decision.requireApproval ? 'requireApproval' : 'allow',
      matchedRules: decision.matchedRules ?? [],
      ...(decision.deniedBy ? { deniedBy: decision.deniedBy } : {}),
      ...(context.role === undefined ? {} : { role: context.role }),
      argsHash: shortHash(args),
      timestamp: new Date().toISOString(),
    });
    const sessionKey = sessionKeyOf(context);
    if (!decision.allowed || !decision.requireApproval) return undefined;
    if (await this.hasApproval(decision.toolId, sessionKey, args)) return undefined;
    const rule = decision.matchedRules?.find(({ effect }) => effect === 'requireApproval');
    return {
      toolId: decision.toolId,
      ...identity(context),
      reason: rule?.reason ?? 'Tool requires explicit approval',
      ...(sessionKey === undefined ? {} : { sessionKey }),
      ttlMs: TTL_MS,
    };
  }

  /**
   * Runs a call, or gives the signal to stop on as the tool's result when it has to be approved first.
   *
   * @throws {@link ToolPolicyDeniedError} when the policy denies the tool.
   */
  async run<T>(
    decision: ToolGateDecision,
    context: ToolGateContext,
    args: Record<string, unknown>,
    execute: (args: Record<string, unknown>) => T | Promise<T>,
  ): Promise<T | ToolPauseSignal> {
    const decided = snapshot(args);
    const request = await this.createApprovalRequest(decision, context, decided);
    if (!decision.allowed) throw new ToolPolicyDeniedError(decision);
    return request ? toolPauseSignal(request) : execute(decided);
  }

  /**
   * Records what a person decided about a tool in a session. It needs an approver's token, which a
   * person has given to this program. An approval answers what waits in the session (or a request
   * of its own) for the whole session. A denial answers what waits, takes earlier approvals back,
   * and the next call asks again.
   *
   * @throws {@link GateRefusedError} without an approver, or when the gate does not take it;
   * {@link ApprovalError} when the policy denies the tool.
   */
  async recordApproval(toolId: string, sessionKey: string, approved: boolean): Promise<ToolApprovalRecord> {
    const approver = this.#approver();
    const waiting = await this.#waiting(approver, toolId, sessionKey);
    if (approved) {
      await this.#approve(approver, waiting, toolId, sessionKey);
    } else {
      for (const approval of waiting) await approver.deny(approval);
      for (const { id, session, matcher } of await approver.grants()) {
        const isThis = matcher.kind !== 'command' && matcher.kind !== 'folder' && matcher.tool === toolId;
        if (isThis && session.id === sessionKey) await approver.revoke(id);
      }
    }
    const timestamp = new Date().toISOString();
    this.#observe({
      toolId,
      outcome: approved ? 'allow' : 'deny',
      matchedRules: [],
      argsHash: shortHash(undefined),
      timestamp,
      metadata: { approvalResponse: true, sessionKey },
    });
    return { toolId, sessionKey, approved, timestamp };
  }

  /** Forgets what was approved in a session, or in all sessions of this agent. */
  async clearApprovals(sessionKey?: string): Promise<void> {
    const approver = this.#approver();
    const { agent } = this.#options;
    for (const session of (await approver.sessions()).sessions) {
      const isOurs = session.key.agent === agent;
      if (isOurs && (sessionKey === undefined || session.key.id === sessionKey))
        await approver.endSession(session.id);
    }
  }

  async #approve(approver: Approver, waiting: Approval[], toolId: string, sessionKey: string): Promise<void> {
    let open = waiting;
    if (open.length === 0) {
      const call = { ...this.#call(toolId, sessionKey), summary: `Approve ${toolId} for this session` };
      const result = await this.#client.submit(call);
      if (result.status !== 'pending') return assertApproved(result, toolId);
      open = await this.#waiting(approver, toolId, sessionKey);
    }
    for (const approval of open) {
      // The tool as a whole where the gate offers that; else as much as it offers for a session.
      const offered = approval.scopes.filter(({ scope }) => scope === 'session');
      const breadth = (offered.find((choice) => choice.breadth === 'tool') ?? offered.at(-1))?.breadth;
      const scope: Scope = breadth === undefined ? 'once' : 'session';
      await approver.approve(approval, { scope, ...(breadth === undefined ? {} : { breadth }) });
    }
  }

  async #waiting(approver: Approver, toolId: string, sessionKey: string): Promise<Approval[]> {
    const found: Approval[] = [];
    let cursor: string | undefined;
    do {
      const page = await approver.list({ session: sessionKey, ...(cursor === undefined ? {} : { cursor }) });
      const isThis = ({ tool, session, agent }: Approval) =>
        tool === toolId && session?.id === sessionKey && agent === this.#options.agent;
      found.push(...page.approvals.filter(isThis));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return found;
  }

  #call(toolId: string, sessionKey: string, args?: unknown) {
    const { agent } = this.#options;
    return {
      tool: toolId,
      arguments: snapshot(args),
      session: sessionKey,
      ...(agent === undefined ? {} : { agent }),
    };
  }

  #approver(): Approver {
    if (this.#options.approver) return this.#options.approver;
    throw new GateRefusedError({
      title: 'Only an approver may do this',
      status: 403,
      code: 'not_an_approver',
      detail: 'Give the ToolGate an `approver`: a person makes its token in the settings window.',
    });
  }

  #observe(event: PolicyAuditEvent): void {
    try {
      // Audit is best effort: what a listener does changes no decision.
      Promise.resolve(this.#options.afterPolicyDecision?.(event)).catch(() => undefined);
    } catch {
      // The same.
    }
  }
}

function identity({ intentId, agentId, userId }: ToolGateContext) {
  return {
    ...(intentId === undefined ? {} : { intentId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(userId === undefined ? {} : { userId }),
  };
}

function shortHash(args: unknown): string {
  return argumentsHash(snapshot(args)).slice(0, 16);
}

import { randomUUID } from 'node:crypto';

import { denialText } from '../gate/denial.js';
import { parseArguments } from '../gate/call.js';
import { Gate } from '../gate/gate.js';
import type { Action, RiskLevel } from '../generated/protocol.js';
import { isObject, snapshot } from '../json.js';
import { redacted } from '../redact.js';
import { type ApprovalHandler, type ApprovalResult, createApprovalRequest } from '../handlers/approval.js';
import { TerminalApprovalHandler } from '../handlers/terminal.js';

/** A person is being asked. */
export interface ApprovalRequestEvent {
  readonly type: 'ApprovalRequestEvent';
  readonly request_id: string;
  readonly tool_name: string;
  /** Without what stands under the name of a secret. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly risk_level: RiskLevel;
  readonly agent_name: string;
}

/** Follows every {@link ApprovalRequestEvent}. */
export interface ApprovalResultEvent {
  readonly type: 'ApprovalResultEvent';
  readonly request_id: string;
  readonly tool_name: string;
  readonly decision: 'approved' | 'denied' | 'approved_always';
  readonly reason: string;
}

/** What a policy says about a call; it asks nobody and changes nothing. */
export interface CallPolicy {
  /** @param risk - Absent: the tool declares none. It counts as `write`, and as strict as an unknown tool. */
  decide(
    toolName: string,
    args: Record<string, unknown>,
    risk?: RiskLevel,
    agent?: string,
  ): Action | Promise<Action>;
}

/** How an {@link ApprovalCapability} decides. */
export interface CapabilityOptions {
  /** Default: the policy of the running Handraise. An `ApprovalPolicy` needs none. */
  policy?: CallPolicy;
  /** Who is asked; default: the terminal. */
  handler?: ApprovalHandler;
  /** Serves the default policy. */
  gate?: Gate;
  agentName?: string;
  /** Sees the events as they happen, before anything goes on. What it throws changes nothing. */
  onEvent?: (event: ApprovalRequestEvent | ApprovalResultEvent) => void;
}

/** A call by a model. */
export interface CapabilityCall {
  toolName: string;
  /** An object, or the text that the model wrote; text that is no JSON object counts as `{}`. */
  arguments?: unknown;
  /** Declared on the tool; undeclared means `write`. */
  riskLevel?: RiskLevel;
  /** The conversation; what is approved in one is remembered for no other. Absent: that of the instance. */
  session?: string;
}

/** How a call was decided. */
export interface CapabilityDecision {
  readonly approved: boolean;
  /** Remembered for the session. */
  readonly always: boolean;
  readonly reason: string;
  /** What may run. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the model gets in the place of the tool's result; absent when approved. */
  readonly toolResult?: { readonly content: string; readonly is_error: false };
}

/**
 * Stands between a model's call and its execution: the policy first, then what was approved for the
 * session, then the handler. It offers the model no tool. One instance is one session, unless calls say which.
 */
export class ApprovalCapability {
  readonly #options: CapabilityOptions;
  readonly #policy: CallPolicy;
  readonly #handler: ApprovalHandler;
  readonly #remembered = new Set<string>();

  constructor(options: CapabilityOptions = {}) {
    this.#options = options;
    this.#handler = options.handler ?? new TerminalApprovalHandler();
    this.#policy = options.policy ?? policyOfGate(options.gate ?? new Gate());
  }

  /** Decides about a call. What the policy or the handler throws is thrown: then nothing may run. */
  async evaluate(call: CapabilityCall): Promise<CapabilityDecision> {
    const args = argumentsOf(call.arguments);
    const risk = call.riskLevel ?? 'write';
    const action = await this.#policy.decide(
      call.toolName,
      snapshot(args),
      call.riskLevel,
      this.#options.agentName,
    );
    if (action === 'deny') return denied(args, `Policy denies '${call.toolName}'`);
    const key = JSON.stringify([call.session ?? null, call.toolName]);
    const isRemembered = action === 'ask' && this.#remembered.has(key);
    if (action === 'allow' || isRemembered) return approved(args, isRemembered, '');
    const decision = await this.#ask(call.toolName, args, risk);
    if (decision.approved && decision.always) this.#remembered.add(key);
    return decision;
  }

  /** Decides about a call and runs it; a model's call of a tool that does not exist is an error result. */
  async run(
    call: CapabilityCall,
    tools: Readonly<Record<string, (args: Record<string, unknown>) => unknown>>,
  ): Promise<{ content: unknown; is_error: boolean }> {
    const tool = Object.hasOwn(tools, call.toolName) ? tools[call.toolName] : undefined;
    if (!tool) return { content: `Unknown tool '${call.toolName}'`, is_error: true };
    // The gate can be asked about such a call; a tool that runs without its arguments does something else.
    if (typeof call.arguments === 'string' && !isReadable(call.arguments)) {
      return { content: 'The arguments are no JSON object', is_error: true };
    }
    const decision = await this.evaluate(call);
    if (decision.toolResult) return decision.toolResult;
    return { content: await tool(snapshot(decision.arguments)), is_error: false };
  }

  async #ask(toolName: string, args: Record<string, unknown>, risk: RiskLevel): Promise<CapabilityDecision> {
    const requestId = randomUUID();
    const agentName = this.#options.agentName ?? '';
    this.#emit({
      type: 'ApprovalRequestEvent',
      request_id: requestId,
      tool_name: toolName,
      arguments: redacted(args) as Record<string, unknown>,
      risk_level: risk,
      agent_name: agentName,
    });
    const finish = (decision: ApprovalResultEvent['decision'], reason: string) =>
      this.#emit({
        type: 'ApprovalResultEvent',
        request_id: requestId,
        tool_name: toolName,
        decision,
        reason,
      });
    let result: ApprovalResult;
    try {
      result = await this.#handler.requestApproval(
        createApprovalRequest({
          moduleId: toolName,
          arguments: args,
          annotations: { destructive: risk === 'destructive', readonly: risk === 'read_only' },
          context: { requestId, agentName },
        }),
      );
    } catch (error) {
      finish('denied', 'The approval could not be asked for');
      throw error;
    }
    if (result.status !== 'approved') {
      const reason = result.reason?.trim() || 'Approval denied';
      finish('denied', reason);
      return denied(args, reason);
    }
    const always = result.metadata?.['always'] === true;
    finish(always ? 'approved_always' : 'approved', result.reason ?? '');
    const changed = result.metadata?.['arguments'];
    return approved(isObject(changed) ? changed : args, always, result.reason ?? '');
  }

  #emit(event: ApprovalRequestEvent | ApprovalResultEvent): void {
    try {
      this.#options.onEvent?.(Object.freeze(event));
    } catch {
      // Who listens has no say.
    }
  }
}

function policyOfGate(gate: Gate): CallPolicy {
  return {
    async decide(tool, args, risk, agent) {
      return (await gate.evaluate({ tool, arguments: args, risk, agent })).action;
    },
  };
}

function argumentsOf(given: unknown): Record<string, unknown> {
  if (typeof given === 'string') return parseArguments(given);
  return isObject(given) ? snapshot(given) : {};
}

function isReadable(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function approved(args: Record<string, unknown>, always: boolean, reason: string): CapabilityDecision {
  return { approved: true, always, reason, arguments: args };
}

function denied(args: Record<string, unknown>, reason: string): CapabilityDecision {
  return {
    approved: false,
    always: false,
    reason,
    arguments: args,
    toolResult: { content: denialText(reason), is_error: false },
  };
}

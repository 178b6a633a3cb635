import { randomUUID as randomId } from 'node:crypto';

import { type DisplayOptions, displayArguments } from '../display.js';
import type { Gate } from '../gate/gate.js';
import { canonical, snapshot } from '../json.js';
import { unknownKey } from '../keys.js';

export type McpRiskClass = 'low' | 'medium' | 'high';

/** A call of an MCP tool. */
export interface McpToolCall {
  toolName: string;
  args?: unknown;
  /** The same id with the same call is the same request: nobody is asked twice while it is open. */
  traceId?: string;
}

/** Runs a call. */
export type McpToolExecutor<T> = (call: McpToolCall) => T | Promise<T>;

/** All that a UI needs to show a request. Its arguments may be logged: they hold no secrets. */
export interface McpApprovalRequest {
  readonly traceId: string;
  readonly toolName: string;
  readonly summary: string;
  readonly risk: McpRiskClass;
  readonly displayArgs: unknown;
  readonly createdAtMs: number;
}

export type McpApprovalDecision =
  /** Runs it, with other arguments where they are given. */
  { decision: 'approve'; overrideArgs?: unknown } | { decision: 'deny'; reason?: string };

/** Asks a person. */
export interface HandraiseAdapter {
  /** @param call The call with its true arguments, which are not for showing. */
  requestApproval(request: McpApprovalRequest, call: Readonly<McpToolCall>): Promise<McpApprovalDecision>;
}

/** What is asked about. What is stricter wins; what is not said is asked. */
export interface McpApprovalPolicy {
  /** Ask about tools that nothing else names. Anything but `false` asks. */
  defaultRequireApproval: boolean;
  /** Not asked about. */
  allowlist?: readonly string[];
  /** Asked about, as high risk. */
  denylist?: readonly string[];
  tools?: readonly McpToolRule[];
}

export interface McpToolRule {
  toolName: string;
  requireApproval?: boolean;
  risk?: McpRiskClass;
  /** Adds to the default redaction. */
  argDisplay?: DisplayOptions;
}

/** Hears what happens. A logger that throws changes nothing. */
export interface McpHumanInLoopLogger {
  info(event: string, payload: Record<string, unknown>): void;
  warn(event: string, payload: Record<string, unknown>): void;
}

export interface McpHumanInLoopGateOptions {
  policy: McpApprovalPolicy;
  handraise: HandraiseAdapter;
  logger?: McpHumanInLoopLogger;
  nowMs?: () => number;
  randomUUID?: () => string;
  summarize?: (call: McpToolCall) => string;
}

/** The person said no; the call was not run. */
export class McpHumanApprovalDeniedError extends Error {
  override readonly name = 'McpHumanApprovalDeniedError';
  readonly traceId: string;
  readonly toolName: string;
  readonly reason: string | undefined;

  constructor({
    traceId,
    toolName,
    reason,
  }: {
    traceId: string;
    toolName: string;
    reason?: string | undefined;
  }) {
    super(`MCP tool invocation denied: ${toolName}`);
    this.traceId = traceId;
    this.toolName = toolName;
    this.reason = reason;
  }
}

/** The answer was neither approve nor deny; the call was not run. */
export class McpHumanApprovalInvalidDecisionError extends Error {
  override readonly name = 'McpHumanApprovalInvalidDecisionError';

  constructor() {
    super('Invalid human approval decision');
  }
}

/** What the policy says about a tool. */
function matchMcpPolicy(policy: McpApprovalPolicy, toolName: string) {
  const rule = policy.tools?.find((tool) => tool.toolName === toolName);
  const isDenied = policy.denylist?.includes(toolName) === true;
  const isAllowed = policy.allowlist?.includes(toolName) === true;
  const byRule = rule?.requireApproval ?? (isAllowed ? false : policy.defaultRequireApproval !== false);
  const requireApproval = isDenied || byRule;
  const risk: McpRiskClass = isDenied ? 'high' : (rule?.risk ?? (requireApproval ? 'medium' : 'low'));
  return { requireApproval, risk, argDisplay: rule?.argDisplay ?? {} };
}

const POLICY_KEYS = ['defaultRequireApproval', 'allowlist', 'denylist', 'tools'];
const RULE_KEYS = ['toolName', 'requireApproval', 'risk', 'argDisplay'];

/** A key that is passed over would let calls run that somebody meant to be asked about. */
function checkKeys(policy: McpApprovalPolicy): void {
  const [inPolicy, ...inRules] = [
    unknownKey(policy, POLICY_KEYS),
    ...(policy.tools ?? []).map((rule) => unknownKey(rule, RULE_KEYS)),
  ];
  const key = inPolicy ?? inRules.find((found) => found !== undefined);
  if (key === undefined) return;
  const known = inPolicy === undefined ? RULE_KEYS : POLICY_KEYS;
  throw new TypeError(`the policy: '${key}' is not known; there are: ${known.join(', ')}`);
}

/**
 * Stands around MCP tool calls that a person has to approve.
 *
 * @throws TypeError for a key of the policy that there is not.
 */
export function createMcpHumanInLoopGate(options: McpHumanInLoopGateOptions) {
  const { policy, handraise } = options;
  checkKeys(policy);
  const nowMs = options.nowMs ?? Date.now;
  const randomUUID = options.randomUUID ?? randomId;
  const summarize = options.summarize ?? ((call) => `Run MCP tool '${call.toolName}'`);
  const open = new Map<string, Promise<McpApprovalDecision>>();

  const log = (level: 'info' | 'warn', event: string, payload: Record<string, unknown>) => {
    try {
      options.logger?.[level](event, payload);
    } catch {
      // What was decided does not depend on who listens.
    }
  };

  /** Asks once for calls that are the same and open at the same time. */
  const decide = (call: McpToolCall, traceId: string): Promise<McpApprovalDecision> => {
    const key = JSON.stringify([traceId, call.toolName, canonical(snapshot({ args: call.args }))]);
    const joined = open.get(key);
    if (joined) return joined;
    const { risk, argDisplay } = matchMcpPolicy(policy, call.toolName);
    const { toolName } = call;
    const request: McpApprovalRequest = Object.freeze({
      traceId,
      toolName,
      summary: summarize(call),
      risk,
      displayArgs: displayArguments(call.args, argDisplay),
      createdAtMs: nowMs(),
    });
    log('info', 'mcp_approval_requested', { traceId, toolName, risk });
    const decision = (async () => handraise.requestApproval(request, call))()
      .then((made) => {
        const reason = made?.decision === 'deny' ? made.reason : undefined;
        if (made?.decision === 'approve') log('info', 'mcp_approval_approved', { traceId, toolName, risk });
        else log('warn', 'mcp_approval_denied', { traceId, toolName, risk, reason });
        return made;
      })
      .finally(() => open.delete(key));
    open.set(key, decision);
    return decision;
  };

  return {
    /**
     * Runs a call at once or after an approval.
     *
     * @throws {@link McpHumanApprovalDeniedError}, {@link McpHumanApprovalInvalidDecisionError}; what
     * the adapter throws is thrown. Then nothing was run.
     */
    async executeWithApproval<T>(call: McpToolCall, executor: McpToolExecutor<T>): Promise<T> {
      if (!matchMcpPolicy(policy, call.toolName).requireApproval) return executor(call);
      const traceId = call.traceId ?? randomUUID();
      // What is asked about is what runs, whatever becomes of the caller's object meanwhile.
      const asked = Object.freeze({ ...call, args: call.args === undefined ? undefined : copy(call.args) });
      const made = await decide(asked, traceId);
      switch (made?.decision) {
        case 'approve':
          return executor({
            ...asked,
            args: made.overrideArgs === undefined ? asked.args : made.overrideArgs,
          });
        case 'deny':
          throw new McpHumanApprovalDeniedError({ traceId, toolName: call.toolName, reason: made.reason });
        default:
          throw new McpHumanApprovalInvalidDecisionError();
      }
    },
  };
}

function copy(args: unknown): unknown {
  return snapshot({ args })['args'];
}

/** The adapter that asks through Handraise. */
export function handraiseAdapter(gate: Gate): HandraiseAdapter {
  return {
    async requestApproval(request, call) {
      const result = await gate.decide({
        tool: request.toolName,
        arguments: call.args,
        risk: request.risk,
        summary: request.summary,
        traceId: request.traceId,
      });
      if (result.status !== 'approved')
        return { decision: 'deny', reason: result.reason ?? 'Approval denied' };
      return { decision: 'approve', ...(result.arguments ? { overrideArgs: result.arguments } : {}) };
    },
  };
}

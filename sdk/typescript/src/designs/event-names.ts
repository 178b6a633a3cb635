import { riskWords } from '../risk.js';
import type { Approval, ApprovalResult, Event, Piece } from '../generated/protocol.js';

/** Whose names: those of an event stream, of log entries, of a command queue, of a tool gate, of apcore. */
export type EventStyle = 'stream' | 'log' | 'command' | 'tool-gate' | 'apcore';

/** An event under another design's name, in its shape. */
export interface RenamedEvent {
  name: string;
  payload: Record<string, unknown>;
}

/**
 * Renames the gate's approval events. Ends of requests whose beginning was not seen have no tool
 * name to go with them and are passed over, as are all other kinds of events.
 *
 * @example
 * const rename = eventNames('log');
 * for await (const { event } of client.events()) {
 *   const renamed = rename(event);
 *   if (renamed) logger.info(renamed.name, renamed.payload);
 * }
 */
export function eventNames(style: EventStyle): (event: Event) => RenamedEvent | undefined {
  const open = new Map<string, Approval>();
  const names = STYLES[style];
  return (event) => {
    if (event.type === 'approval_requested') {
      open.set(event.approval.id, event.approval);
      return names.requested?.(event.approval);
    }
    if (event.type !== 'approval_resolved') return undefined;
    const approval = open.get(event.id);
    open.delete(event.id);
    return approval && names.resolved(approval, event.result);
  };
}

interface Style {
  requested?: (approval: Approval) => RenamedEvent;
  resolved: (approval: Approval, result: ApprovalResult) => RenamedEvent;
}

const STYLES: Record<EventStyle, Style> = {
  stream: {
    requested: (approval) => ({
      name: 'ApprovalRequestEvent',
      payload: {
        request_id: approval.id,
        tool_name: approval.tool,
        arguments: argumentsOf(approval),
        risk_level: approval.risk.level,
        agent_name: approval.agent ?? '',
      },
    }),
    resolved: (approval, result) => ({
      name: 'ApprovalResultEvent',
      payload: {
        request_id: approval.id,
        tool_name: approval.tool,
        decision: result.status !== 'approved' ? 'denied' : lasts(result) ? 'approved_always' : 'approved',
        reason: result.reason ?? '',
      },
    }),
  },
  log: {
    requested: (approval) => ({ name: 'mcp_approval_requested', payload: logged(approval) }),
    resolved: (approval, result) => ({
      name: result.status === 'approved' ? 'mcp_approval_approved' : 'mcp_approval_denied',
      payload: { ...logged(approval), reason: result.reason },
    }),
  },
  command: {
    requested: (approval) => ({ name: 'command:pending', payload: queued(approval) }),
    resolved: (approval, result) => ({
      name: COMMAND_EVENTS[result.status] ?? 'command:denied',
      payload: { ...queued(approval), reason: result.reason },
    }),
  },
  'tool-gate': {
    requested: (approval) => ({ name: 'afterPolicyDecision', payload: audited(approval, 'requireApproval') }),
    resolved: (approval, result) => ({
      name: 'afterPolicyDecision',
      payload: {
        ...audited(approval, result.status === 'approved' ? 'allow' : 'deny'),
        timestamp: result.decided_at ?? result.requested_at,
        metadata: { approvalResponse: true, sessionKey: approval.session?.id },
      },
    }),
  },
  apcore: {
    requested: (approval) => ({
      name: 'apcore.approval.decision',
      payload: moduleEvent(approval, approval.result),
    }),
    resolved: (approval, result) => ({
      name: 'apcore.approval.decision',
      payload: moduleEvent(approval, result),
    }),
  },
};

const COMMAND_EVENTS: Record<string, string> = {
  approved: 'command:approved',
  denied: 'command:denied',
  timeout: 'command:approval_timeout',
  cancelled: 'command:failed',
};

function logged(approval: Approval): Record<string, unknown> {
  return {
    traceId: approval.result.trace_id ?? approval.id,
    toolName: approval.tool,
    risk: riskWords[approval.risk.level],
  };
}

function queued(approval: Approval): Record<string, unknown> {
  const { command = approval.title, args } = argumentsOf(approval);
  return {
    id: approval.id,
    command,
    args: Array.isArray(args) ? args : [],
    requestedAt: approval.requested_at,
    ...(approval.agent === undefined ? {} : { requestedBy: approval.agent }),
  };
}

function audited(approval: Approval, outcome: string): Record<string, unknown> {
  return {
    toolId: approval.tool,
    outcome,
    ...(approval.agent === undefined ? {} : { agentId: approval.agent }),
    matchedRules: [],
    argsHash: approval.arguments_hash.slice(0, 16),
    timestamp: approval.requested_at,
  };
}

function moduleEvent(approval: Approval, result: ApprovalResult): Record<string, unknown> {
  const status = result.status === 'denied' || result.status === 'cancelled' ? 'rejected' : result.status;
  return {
    module_id: approval.tool,
    status,
    approved_by: result.status === 'approved' ? (result.decided_by ?? null) : null,
    reason: result.reason ?? null,
    approval_id: approval.id,
    trace_id: result.trace_id ?? null,
    severity: status === 'approved' || status === 'pending' ? 'info' : 'warn',
  };
}

function lasts({ scope }: ApprovalResult): boolean {
  return scope !== undefined && scope !== 'once';
}

/** The arguments as they are shown: secrets redacted, what is invisible as labels. */
function argumentsOf(approval: Approval): Record<string, unknown> {
  return Object.fromEntries(
    approval.arguments.map(({ name, value, json }) => [
      textOf(name),
      json === true ? jsonOrText(textOf(value)) : textOf(value),
    ]),
  );
}

function textOf(pieces: Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.label}]`)).join('');
}

/** A value that is no string is shown as indented JSON; what was redacted or labelled in it may be none any more. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import {
  ApprovalError,
  ApprovalPendingError,
  type Approver,
  type Client,
  GateRefusedError,
} from '../../index.js';
import type { Approval, ApprovalRequest, JsonValue } from '../../generated/protocol.js';
import type { CommandQueue, PendingCommand } from './command-queue.js';
import { wordsOf } from './command-line.js';
import type { Inputs } from './inputs.js';
import { CommandFailedError, type CommandResult } from './run-command.js';

/** The result of a tool. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  [name: string]: unknown;
}

/** Who asks, and for whom. */
export interface Asking {
  client: Client;
  /** Absent: this connection may not decide. */
  approver: Approver | undefined;
  queue: CommandQueue;
  agent: () => string | undefined;
  session: string;
  cwd: string;
}

/** Seconds that a question waits, where nothing else is said. */
const QUESTION_SECONDS = 300;

export const texts = (...parts: string[]): ToolResult => ({
  content: parts.map((text) => ({ type: 'text', text })),
});
export const failure = (text: string): ToolResult => ({ ...texts(text), isError: true });

/** `raise_hand`: a question with its answer. */
export async function raiseHand(asking: Asking, inputs: Inputs, signal: AbortSignal): Promise<ToolResult> {
  const answer = await question(
    asking,
    inputs,
    'choices',
    'custom_label',
    inputs.count('timeout_seconds', 1, 86_400),
    signal,
  );
  const { status, selected = [], custom, reason } = answer;
  const structuredContent = {
    status,
    ...(answer.answer === undefined ? {} : { answer: answer.answer }),
    selected,
    ...(custom === undefined ? {} : { custom }),
    ...(reason === undefined ? {} : { reason }),
  };
  if (status === 'answered')
    return { ...texts(answer.answer ?? [...selected, custom ?? ''].join('\n')), structuredContent };
  const words: Record<string, string> = {
    declined: 'The person declined to answer',
    timeout: 'Nobody answered in time',
    cancelled: 'The question was withdrawn',
  };
  return {
    ...texts(`${words[status] ?? 'There is no answer'}${reason ? `: ${reason}` : '.'}`),
    structuredContent,
  };
}

/** `handraise_ask_user`: the same with the names of an earlier tool. */
export async function askUser(asking: Asking, inputs: Inputs, signal: AbortSignal): Promise<ToolResult> {
  const milliseconds = inputs.count('waitTimeoutMs', 1, 3_600_000);
  const seconds = milliseconds === undefined ? undefined : Math.max(1, Math.ceil(milliseconds / 1000));
  const options = inputs.choices('options') === undefined ? 'readyAnswers' : 'options';
  const { status, answer, selected, custom } = await question(
    asking,
    inputs,
    options,
    'customLabel',
    seconds,
    signal,
  );
  const actions: Record<string, string> = { answered: 'accept', declined: 'decline' };
  const result = {
    action: actions[status] ?? 'cancel',
    ...(answer === undefined ? {} : { answer }),
    ...(selected === undefined ? {} : { selectedOptions: selected }),
    ...(custom === undefined ? {} : { customResponse: custom }),
  };
  return { ...texts(JSON.stringify(result)), structuredContent: result };
}

function question(
  { client, agent, session, cwd }: Asking,
  inputs: Inputs,
  choicesField: string,
  labelField: string,
  seconds: number | undefined,
  signal: AbortSignal,
) {
  const header = inputs.optionalText('header');
  const choices = inputs.choices(choicesField);
  const multiple = inputs.flag('multiple');
  const label = inputs.optionalText(labelField);
  const requester = agent();
  return client.ask(
    {
      question: inputs.text('question'),
      ...(header === undefined ? {} : { header }),
      ...(choices === undefined ? {} : { choices }),
      ...(multiple === undefined ? {} : { multiple }),
      custom: inputs.flag('custom') ?? true,
      ...(label === undefined ? {} : { custom_label: label }),
      ...(requester === undefined ? {} : { agent: requester }),
      session,
      cwd,
      timeout_seconds: seconds ?? QUESTION_SECONDS,
    },
    { signal },
  );
}

/** `execute_command`. */
export async function executeCommand(
  { queue, agent, approver }: Asking,
  inputs: Inputs,
  signal: AbortSignal,
): Promise<ToolResult> {
  const [cwd, requester] = [inputs.optionalText('cwd'), agent()];
  const request = {
    command: inputs.text('command'),
    args: inputs.texts('args') ?? [],
    ...(cwd === undefined ? {} : { cwd }),
    ...(requester === undefined ? {} : { requestedBy: requester }),
  };
  const token = inputs.optionalText('_approval_token');
  try {
    if (token !== undefined) {
      if (queue.isPending(token)) return queued(token, approver);
      const result = await queue.collect(token, request);
      return result === undefined
        ? failure(`Command execution failed: No command with ID: ${token}`)
        : outputs(result);
    }
    if (inputs.flag('wait') !== false) return outputs(await queue.execute({ ...request, signal }));
    const entered = await queue.enqueue(request);
    return 'pending' in entered ? queued(entered.pending.id, approver) : outputs(entered.result);
  } catch (error) {
    if (error instanceof ApprovalPendingError) return queued(error.approvalId ?? '', approver);
    if (error instanceof CommandFailedError) {
      const { stdout, stderr } = error.result;
      return { ...texts(error.message, ...[stdout, stderr].filter((text) => text !== '')), isError: true };
    }
    if (error instanceof ApprovalError && error.result !== undefined) return texts(`Denied: ${error.reason}`);
    throw error;
  }
}

/** What to do now: an agent cannot approve, and is not told to. */
const queued = (id: string, approver: Approver | undefined) =>
  texts(
    `This command requires approval. It has been queued with ID: ${id}\n\n` +
      (approver === undefined
        ? `A person decides about it in Handraise. To get its output, call 'execute_command' again with the same ` +
          `command and "_approval_token": "${id}"; to take it back, call 'deny_command'.`
        : `Please approve this command in the UI or use the 'approve_command' function with this command ID.`),
  );

const outputs = ({ stdout, stderr }: CommandResult) => texts(stdout, stderr);

/** `get_pending_commands`: all for an approver, for a requester its own. */
export async function getPendingCommands({ queue, approver }: Asking): Promise<ToolResult> {
  const commands = approver === undefined ? queue.pending() : await pendingCommands(approver);
  return texts(JSON.stringify(commands, undefined, 2));
}

async function pendingCommands(approver: Approver): Promise<PendingCommand[]> {
  const found: PendingCommand[] = [];
  let cursor: string | undefined;
  do {
    const page = await approver.list({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.approvals.filter((approval) => approval.subject.kind === 'command').map(commandOf));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found.sort((one, other) => one.requestedAt.localeCompare(other.requestedAt));
}

function commandOf(approval: Approval): PendingCommand {
  const { id, title, agent, requested_at: requestedAt } = approval;
  // A line that takes a shell, as agents' hooks send it, stays whole.
  const [command = title, ...args] = wordsOf(title) ?? [title];
  return { id, command, args, requestedAt, ...(agent === undefined ? {} : { requestedBy: agent }) };
}

/** `approve_command`. The gate refuses it to whatever an agent has started. */
export async function approveCommand({ queue, approver }: Asking, inputs: Inputs): Promise<ToolResult> {
  const id = inputs.text('commandId');
  if (approver === undefined) {
    return failure(
      'Command approval failed: This connection may not approve. A person decides, in Handraise.',
    );
  }
  const own = queue.result(id);
  try {
    const approval = await openApproval(approver, id);
    if (approval === undefined) return failure(`Command approval failed: No pending command with ID: ${id}`);
    await approver.approve(approval);
    if (own === undefined)
      return texts('Command approved. It runs where it was asked for, and its output goes there.', '');
    const { stdout, stderr } = await own;
    return texts(
      `Command approved and executed successfully.\nOutput: ${stdout}`,
      stderr === '' ? '' : `Error output: ${stderr}`,
    );
  } catch (error) {
    return failure(`Command approval failed: ${whyNot(error, id)}`);
  }
}

/** `deny_command`: a requester takes its own back, an approver denies. */
export async function denyCommand({ queue, approver }: Asking, inputs: Inputs): Promise<ToolResult> {
  const [id, reason] = [inputs.text('commandId'), inputs.optionalText('reason')];
  try {
    if (approver === undefined) {
      if (!(await queue.withdraw(id)))
        return failure(`Command denial failed: No pending command with ID: ${id}`);
    } else {
      const approval = await openApproval(approver, id);
      if (approval === undefined) return failure(`Command denial failed: No pending command with ID: ${id}`);
      await approver.deny(approval, reason);
    }
    return texts(reason ? `Command denied: ${reason}` : 'Command denied');
  } catch (error) {
    return failure(`Command denial failed: ${whyNot(error, id)}`);
  }
}

async function openApproval(approver: Approver, id: string): Promise<Approval | undefined> {
  let cursor: string | undefined;
  do {
    const page = await approver.list({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    const found = page.approvals.find(
      (approval) => approval.id === id && approval.subject.kind === 'command',
    );
    if (found !== undefined) return found;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return undefined;
}

function whyNot(error: unknown, id: string): string {
  const code = error instanceof GateRefusedError ? error.problem.code : undefined;
  if (code === 'already_over' || code === 'not_found') return `No pending command with ID: ${id}`;
  return error instanceof Error ? error.message : String(error);
}

/** `approval_prompt`: what Claude Code wants to know, in its own form. */
export async function approvalPrompt(
  asking: Asking,
  inputs: Inputs,
  signal: AbortSignal,
): Promise<ToolResult> {
  const [tool, input, callId] = [
    inputs.text('tool_name'),
    inputs.object('input'),
    inputs.optionalText('tool_use_id'),
  ];
  const request: ApprovalRequest = {
    tool,
    arguments: input as Record<string, JsonValue>,
    agent: 'claude-code',
    session: asking.session,
    cwd: asking.cwd,
    ...(callId === undefined ? {} : { trace_id: callId }),
  };
  const deny = (message: string) => texts(JSON.stringify({ behavior: 'deny', message }));
  try {
    const result = await asking.client.request(request, { signal });
    if (result.status !== 'approved') return deny(result.reason || 'Denied in Handraise.');
    return texts(JSON.stringify({ behavior: 'allow', updatedInput: result.arguments ?? input }));
  } catch (error) {
    if (error instanceof ApprovalError) return deny(error.message);
    throw error;
  }
}

import { EventEmitter } from 'node:events';
import { resolve as resolvePath } from 'node:path';

import { type ApprovalRequest, type ApprovalResult, Client, errorOf } from '../../index.js';
import { lineOf, wordsOf } from './command-line.js';
import { CommandFailedError, type CommandResult, runCommand, type RunLimits } from './run-command.js';

/** One command that waits for a person. */
export interface PendingCommand {
  /** The id of its approval request. */
  id: string;
  command: string;
  args: string[];
  /** ISO 8601. */
  requestedAt: string;
  requestedBy?: string;
}

/** What is asked of the queue. */
export interface CommandRequest {
  command: string;
  args?: string[];
  /** Where it runs; the folder of the queue where absent. */
  cwd?: string;
  requestedBy?: string;
  /** Takes the request back, or ends the command. */
  signal?: AbortSignal;
}

/** Whose commands these are, and their bounds. */
export interface QueueOptions {
  agent?: string;
  /** The conversation; without one nothing is remembered. */
  session?: string;
  /** Where commands run; default: the folder of this program. */
  cwd?: string;
  /** How long a person has, in seconds; default: as the policy says. */
  timeoutSeconds?: number;
  /** Default: 120 seconds, and 1 MiB of each output. */
  limits?: Partial<RunLimits>;
}

/** The bounds of a run where nothing else is said. */
export const DEFAULT_LIMITS: Readonly<RunLimits> = { seconds: 120, bytes: 1024 * 1024 };

/** Events, each with the command; that of a failure has the error, too. */
export interface CommandEvents {
  'command:pending': [PendingCommand];
  'command:approved': [PendingCommand];
  'command:denied': [PendingCommand, string];
  'command:failed': [PendingCommand, Error];
  'command:approval_timeout': [PendingCommand];
}

/** Ended commands whose output can still be fetched. */
const KEPT = 100;

interface Open {
  record: PendingCommand;
  request: ApprovalRequest;
  cwd: string;
  abort: AbortController;
  result: Promise<CommandResult>;
  isPending: boolean;
}

/**
 * Commands, run without a shell once the gate has approved them. The gate's policy knows a command by how it
 * is written: `/tmp/x/ls` is not `ls`.
 *
 * @example
 * const queue = new CommandQueue(new Client(), { agent: 'release-bot', session: 'conversation-1' });
 * queue.on('command:pending', ({ id, command }) => console.log('waits for a person', id, command));
 * const { stdout } = await queue.execute({ command: 'git', args: ['push'] });
 */
export class CommandQueue extends EventEmitter<CommandEvents> {
  private readonly open = new Map<string, Open>();
  private readonly folder: string;
  private readonly limits: RunLimits;

  constructor(
    private readonly client: Client = new Client(),
    private readonly options: QueueOptions = {},
  ) {
    super();
    this.folder = resolvePath(options.cwd ?? '.');
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /**
   * Runs a command once it is approved.
   *
   * @throws ApprovalError when it is not; CommandFailedError when it fails.
   */
  async execute(request: CommandRequest): Promise<CommandResult> {
    const submitted = await this.submit(request);
    if (!submitted.isPending) return submitted.result;
    const withdraw = () => submitted.abort.abort(request.signal?.reason);
    request.signal?.addEventListener('abort', withdraw, { once: true });
    if (request.signal?.aborted) withdraw();
    return submitted.result.finally(() => request.signal?.removeEventListener('abort', withdraw));
  }

  /** Asks for a command. Where a person is asked it comes back at once, with what waits. */
  async enqueue(request: CommandRequest): Promise<{ pending: PendingCommand } | { result: CommandResult }> {
    const submitted = await this.submit(request);
    return submitted.isPending ? { pending: submitted.record } : { result: await submitted.result };
  }

  /**
   * The output of a command that was queued: waits for it, and hands it out once. `undefined`: there is no
   * such command, or it is another one.
   */
  async collect(id: string, { command, args = [] }: CommandRequest): Promise<CommandResult | undefined> {
    const found = this.open.get(id);
    if (found === undefined || lineOf([command, ...args]) !== found.request.arguments?.['command'])
      return undefined;
    this.open.delete(id);
    return found.result;
  }

  /** Whether the command with this id still waits for a person. */
  isPending(id: string): boolean {
    return this.open.get(id)?.isPending === true;
  }

  /** What waits for a person, oldest first. */
  pending(): PendingCommand[] {
    return [...this.open.values()].filter((open) => open.isPending).map((open) => open.record);
  }

  /** Takes a command back that waits. `false`: no such command waits. */
  async withdraw(id: string): Promise<boolean> {
    const found = this.open.get(id);
    if (found === undefined || !found.isPending) return false;
    const result = await this.client.cancel(id);
    if (result.status === 'cancelled') found.abort.abort(new Error('the command was taken back'));
    return result.status === 'cancelled';
  }

  /** The result of a command of this queue, however it was approved. */
  result(id: string): Promise<CommandResult> | undefined {
    return this.open.get(id)?.result;
  }

  /** Takes everything back. */
  async close(): Promise<void> {
    await Promise.allSettled(this.pending().map(({ id }) => this.withdraw(id)));
    for (const { abort } of this.open.values()) abort.abort(new Error('the client has gone'));
  }

  private async submit({ command, args = [], cwd, requestedBy, signal }: CommandRequest): Promise<Open> {
    const { agent, session, timeoutSeconds } = this.options;
    const folder = resolvePath(this.folder, cwd ?? '.');
    const requester = requestedBy ?? agent;
    const request: ApprovalRequest = {
      tool: 'execute_command',
      arguments: { command: lineOf([command, ...args]) },
      cwd: folder,
      // What runs is made from the result, below.
      runs_changed_command: true,
      ...(requester === undefined ? {} : { agent: requester }),
      ...(session === undefined ? {} : { session }),
      ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
    };
    const first = await this.client.submit(request, signal === undefined ? {} : { signal });
    const record: PendingCommand = {
      id: first.id,
      command,
      args,
      requestedAt: first.requested_at,
      ...(requester === undefined ? {} : { requestedBy: requester }),
    };
    const abort = new AbortController();
    const isPending = first.status === 'pending';
    const open: Open = {
      record,
      request,
      cwd: folder,
      abort,
      isPending,
      result: Promise.resolve({ stdout: '', stderr: '' }),
    };
    if (isPending) {
      this.open.set(first.id, open);
      this.emit('command:pending', record);
    }
    open.result = isPending ? this.whenDecided(open) : this.run(open, first);
    // Whoever asks for it later gets the failure then.
    open.result.catch(() => {});
    return open;
  }

  private async whenDecided(open: Open): Promise<CommandResult> {
    const { record, request, abort } = open;
    const withdraw = () => void this.client.cancel(record.id).catch(() => {});
    abort.signal.addEventListener('abort', withdraw, { once: true });
    try {
      // Redeemed: the gate hands an approval out once, so that nothing runs twice.
      const decided = await this.client.resume(record.id, request, { signal: abort.signal });
      abort.signal.removeEventListener('abort', withdraw);
      open.isPending = false;
      this.forgetOldest();
      return await this.run(open, decided);
    } finally {
      abort.signal.removeEventListener('abort', withdraw);
      open.isPending = false;
    }
  }

  private async run(open: Open, result: Readonly<ApprovalResult>): Promise<CommandResult> {
    const { record, abort } = open;
    if (result.status !== 'approved') {
      if (result.status === 'timeout') this.emit('command:approval_timeout', record);
      else this.emit('command:denied', record, result.reason ?? '');
      throw errorOf(result, `the command ${record.command}`);
    }
    this.emit('command:approved', record);
    try {
      const line = result.arguments?.['command'];
      const words = result.arguments === undefined ? [record.command, ...record.args] : wordsOf(String(line));
      if (words === undefined) {
        throw new CommandFailedError('Command execution failed: it was changed into one that takes a shell', {
          stdout: '',
          stderr: '',
        });
      }
      return await runCommand(words, open.cwd, this.limits, abort.signal);
    } catch (error) {
      this.emit('command:failed', record, error as Error);
      throw error;
    }
  }

  private forgetOldest(): void {
    const over = [...this.open.entries()].filter(([, open]) => !open.isPending);
    for (const [id] of over.slice(0, Math.max(0, over.length - KEPT))) this.open.delete(id);
  }
}

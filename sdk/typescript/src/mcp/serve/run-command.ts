import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** What a command wrote. */
export interface CommandResult {
  stdout: string;
  stderr: string;
}

/** Bounds of one run. */
export interface RunLimits {
  /** Seconds that it may take; then it is ended with all that it started. */
  seconds: number;
  /** Bytes that are kept of each of its two outputs. */
  bytes: number;
}

/** A command ended in failure. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';

  constructor(
    message: string,
    readonly result: CommandResult,
  ) {
    super(message);
  }
}

/** How long a command may take to end once it was told to, in milliseconds. */
const COMMAND_END_TIMEOUT = 2_000;

/**
 * Runs a command without a shell.
 *
 * @throws CommandFailedError when it cannot be started, fails, or takes too long.
 */
export function runCommand(
  words: string[],
  cwd: string,
  limits: RunLimits,
  signal?: AbortSignal,
): Promise<CommandResult> {
  const [command = '', ...args] = words;
  return new Promise((resolve, reject) => {
    // A process group of its own, so that all of it can be ended.
    const hasGroups = process.platform !== 'win32';
    const child = spawn(command, args, {
      cwd,
      shell: false,
      detached: hasGroups,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const stdout = collect(child.stdout, limits.bytes);
    const stderr = collect(child.stderr, limits.bytes);
    const end = (how: NodeJS.Signals) => {
      try {
        if (hasGroups && child.pid !== undefined) process.kill(-child.pid, how);
        else child.kill(how);
      } catch {
        // It has ended.
      }
    };
    let why: string | undefined;
    let last: NodeJS.Timeout | undefined;
    const stop = (reason: string) => {
      why ??= reason;
      end('SIGTERM');
      last ??= setTimeout(() => end('SIGKILL'), COMMAND_END_TIMEOUT);
    };
    const timer = setTimeout(() => stop(`it took longer than ${limits.seconds} s`), limits.seconds * 1000);
    const abort = () => stop('it was cancelled');
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    const done = () => {
      clearTimeout(timer);
      clearTimeout(last);
      signal?.removeEventListener('abort', abort);
      return { stdout: stdout(), stderr: stderr() };
    };
    child.once('error', (error) =>
      reject(new CommandFailedError(`Command execution failed: ${error.message}`, done())),
    );
    child.once('close', (code, killedBy) => {
      const result = done();
      if (why === undefined && code === 0) return resolve(result);
      const how =
        why ?? (killedBy === null ? `it ended with code ${String(code)}` : `it was ended by ${killedBy}`);
      return reject(new CommandFailedError(`Command execution failed: ${how}`, result));
    });
  });
}

/** Keeps what comes, up to `most` bytes; what is left out is counted. */
function collect(source: Readable, most: number): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  source.on('data', (chunk: Buffer) => {
    if (size < most) chunks.push(chunk.subarray(0, most - size));
    size += chunk.length;
  });
  return () => {
    const text = Buffer.concat(chunks).toString();
    return size <= most ? text : `${text}\n[${size - most} more bytes were left out]`;
  };
}

// Programs that a test starts, which end with `endPrograms`.

import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

const children: ChildProcess[] = [];

/** Starts a program that says its address first; gives that address. */
export async function listening([program = '', ...args]: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  for await (const line of createInterface(child.stdout)) return (JSON.parse(line) as { url: string }).url;
  throw new Error(`${program} said no address`);
}

/** A program that speaks in lines of JSON. */
export interface Speaking {
  child: ChildProcessByStdio<Writable, Readable, null>;
  /** Sends a message, or a line as it is. */
  write(message: object | string): void;
  /** The next message of the program. */
  next<T>(): Promise<T>;
}

/** Starts a program that speaks in lines of JSON over stdin and stdout. */
export function speaking([program = '', ...args]: string[], env: NodeJS.ProcessEnv = {}): Speaking {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    write: (message) =>
      child.stdin.write(
        `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
      ),
    next: async <T>() => JSON.parse(String((await lines.next()).value)) as T,
  };
}

/** Ends all that was started. */
export function endPrograms(): void {
  for (const child of children) child.kill();
}

import { spawn } from 'node:child_process';

import { lineWriter, readLines } from './lines.js';
import type { Ends, ProxySession } from './session.js';

/** How long a server may take to end once nobody speaks to it any more, in milliseconds. */
const SERVER_END_TIMEOUT = 2_000;

/** Makes the session once its ends are there. */
export type MakeSession = (ends: Ends) => ProxySession;

/**
 * Runs an MCP server that speaks over stdin and stdout, with its client on this program's.
 *
 * @returns The server's exit code once it has ended.
 */
export async function proxyStdio(command: string, args: string[], makeSession: MakeSession): Promise<number> {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
  const { stdin: toServer, stdout: fromServer } = server;
  // A server that has ended reads no more; how it ended is told by `exit`.
  toServer.on('error', () => {});
  const session = makeSession({
    toClient: lineWriter(process.stdout, fromServer),
    toServer: lineWriter(toServer, process.stdin),
  });
  readLines(fromServer, (line) => session.fromServer(line));
  readLines(process.stdin, (line) => session.fromClient(line));

  let timers: NodeJS.Timeout[] = [];
  const stop = () => {
    session.close();
    toServer.end();
    const after = (milliseconds: number, signal: NodeJS.Signals) =>
      setTimeout(() => server.kill(signal), milliseconds).unref();
    timers = [after(SERVER_END_TIMEOUT, 'SIGTERM'), after(2 * SERVER_END_TIMEOUT, 'SIGKILL')];
  };
  process.stdin.on('end', stop);
  process.stdout.on('error', stop);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);

  return new Promise((resolve, reject) => {
    server.on('error', (error) => reject(new Error(`${command} cannot be started: ${error.message}`)));
    server.on('close', (code) => {
      timers.forEach(clearTimeout);
      session.close();
      // A client that has not noticed yet must not keep this program alive.
      process.stdin.destroy();
      resolve(code ?? 1);
    });
  });
}

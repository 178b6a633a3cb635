import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';

import { Approver, Client } from '../../index.js';
import { credentialOf, FOLDER_OPTIONS, foldersOf, parsed, wholeNumber } from '../proxy/arguments.js';
import { CommandQueue, DEFAULT_LIMITS } from './command-queue.js';
import { lineWriter, readLines } from '../proxy/lines.js';
import { HandraiseServer } from './server.js';

const OPTIONS = {
  ...FOLDER_OPTIONS,
  agent: { type: 'string' },
  session: { type: 'string' },
  credential: { type: 'string' },
  'token-file': { type: 'string' },
  'approver-token-file': { type: 'string' },
  timeout: { type: 'string' },
  'run-timeout': { type: 'string' },
  'output-limit': { type: 'string' },
} as const;

/** Name of the variable that may hold an approver's token. It is removed before a command could see it. */
const APPROVER_VARIABLE = 'HANDRAISE_APPROVER_TOKEN';

/** Runs `handraise-mcp serve`; resolves with the exit code. */
export async function runServe(argv: string[], version: string): Promise<number> {
  const { values } = parsed(() => parseArgs({ args: argv, options: OPTIONS, allowPositionals: false }));
  const { folders } = foldersOf(values);
  const client = new Client({ ...credentialOf(values), folders });
  const session = values.session ?? `mcp-${randomUUID()}`;
  const cwd = process.cwd();
  const queue = new CommandQueue(client, {
    session,
    cwd,
    ...(values.timeout === undefined
      ? {}
      : { timeoutSeconds: wholeNumber('--timeout', values.timeout, 1, 86_400) }),
    limits: {
      seconds: wholeNumber(
        '--run-timeout',
        values['run-timeout'] ?? String(DEFAULT_LIMITS.seconds),
        1,
        86_400,
      ),
      bytes: wholeNumber(
        '--output-limit',
        values['output-limit'] ?? String(DEFAULT_LIMITS.bytes),
        1,
        64 * 1024 * 1024,
      ),
    },
  });
  const token = process.env[APPROVER_VARIABLE];
  delete process.env[APPROVER_VARIABLE];
  const file = values['approver-token-file'];
  const credential = file !== undefined ? { tokenFile: file } : token ? { token } : undefined;
  const approver = credential === undefined ? undefined : new Approver({ credential, folders });
  const write = lineWriter(process.stdout, process.stdin);
  const server = new HandraiseServer(
    { client, approver, queue, agent: values.agent, session, cwd },
    version,
    write,
  );
  const closed = new Promise<void>((resolve) => {
    process.stdin.on('end', resolve);
    process.stdout.on('error', () => resolve());
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  readLines(process.stdin, (line) => server.take(line));
  await closed;
  server.close();
  await queue.close();
  client.close();
  approver?.close();
  // Told to stop, it stops, whether the client has closed its end or not.
  process.stdin.destroy();
  return 0;
}

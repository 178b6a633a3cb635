import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

import { Approver, Client } from '../../index.js';
import { credentialOf, FOLDER_OPTIONS, foldersOf, parsed, wholeNumber } from '../proxy/arguments.js';
import { CommandQueue, DEFAULT_LIMITS } from './command-queue.js';
import { handraiseServer } from './server.js';

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
  const server = handraiseServer({ client, approver, queue, agent: values.agent, session, cwd }, version);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.on('end', resolve);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await queue.close();
  await server.close();
  client.close();
  approver?.close();
  return 0;
}

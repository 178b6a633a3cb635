// A built `handraise serve` in folders of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { type Approval, Approver, Client, type ClientOptions, type Folders } from 'handraise';

/** The program under test. */
export const PROGRAM = resolve(process.env['HANDRAISE'] ?? '../../target/debug/handraise');

/** How long something may take before a test gives up, in milliseconds. */
const TEST_TIMEOUT = 60_000;

export const POLICY = `version = 1
[[rule]]
pattern = "free_*"
action = "allow"
[[rule]]
pattern = "never_*"
action = "deny"
reason = "never"
`;

/** A running gate. */
export class RunningGate {
  readonly folder: string;
  readonly folders: Folders;
  readonly address: string;
  readonly socket: string;
  #process: ChildProcess;

  private constructor(folder: string, folders: Folders, started: Started, process: ChildProcess) {
    this.folder = folder;
    this.folders = folders;
    this.address = started.address;
    this.socket = started.socket;
    this.#process = process;
  }

  static async start(policy = POLICY, port = 0): Promise<RunningGate> {
    const folder = await mkdtemp(join(tmpdir(), 'handraise-sdk-'));
    const config = join(folder, 'config');
    await mkdir(config, { mode: 0o700 });
    await writeFile(join(config, 'policy.toml'), policy);
    return RunningGate.startIn(folder, port);
  }

  static async startIn(folder: string, port = 0): Promise<RunningGate> {
    const folders = { config: join(folder, 'config'), runtime: join(folder, 'run') };
    const approverToken = join(folder, 'approver.token');
    const child = spawn(
      PROGRAM,
      [
        ...[
          '--config-dir',
          folders.config,
          '--data-dir',
          join(folder, 'data'),
          '--runtime-dir',
          folders.runtime,
        ],
        ...['serve', '--port', String(port), '--approver-token-file', approverToken, '--confirm-policy'],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    for await (const line of createInterface(child.stdout)) {
      return new RunningGate(folder, folders, JSON.parse(line) as Started, child);
    }
    throw new Error(`${PROGRAM} did not start`);
  }

  client(options: Partial<ClientOptions> = {}): Client {
    return new Client({ folders: this.folders, ...options });
  }

  get approverTokenFile(): string {
    return join(this.folder, 'approver.token');
  }

  approver(): Approver {
    return new Approver({ folders: this.folders, credential: { tokenFile: this.approverTokenFile } });
  }

  async requesterToken(): Promise<string> {
    return (await readFile(join(this.folders.config, 'tokens/default.token'), 'utf8')).trim();
  }

  /** Lets the discovery file name the port only, or another one. */
  async point(endpoint: { address?: string; socket?: string }): Promise<void> {
    const path = join(this.folders.runtime, 'endpoint.json');
    const found = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    delete found['socket'];
    await writeFile(path, JSON.stringify({ ...found, ...endpoint }));
    await chmod(path, 0o600);
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((done) => this.#process.once('exit', done));
    this.#process.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

interface Started {
  address: string;
  socket: string;
}

/** Looks again and again until there is something. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + TEST_TIMEOUT;
  while (performance.now() < deadline) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((next) => setTimeout(next, 20));
  }
  throw new Error(`waited in vain for ${what}`);
}

/** The one request that waits for a person. */
export function pending(approver: Approver, tool?: string): Promise<Approval> {
  return eventually('a request', async () => {
    const { approvals } = await approver.list();
    return approvals.find((approval) => tool === undefined || approval.tool === tool);
  });
}

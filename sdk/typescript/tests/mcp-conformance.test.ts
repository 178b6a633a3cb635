import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { emptyFolder, handraiseMcp } from './mcp-support.js';
import { endPrograms, listening } from './programs.js';
import { RunningGate } from './running-gate.js';

const SUITE = resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js');
const POLICY = `version = 1
[[rule]]
pattern = "mcp__suite__*"
action = "allow"
`;

let gate: RunningGate;

before(async () => {
  gate = await RunningGate.start(POLICY);
});
after(async () => {
  endPrograms();
  await gate.stop();
});

/** What the suite says, line by line. */
async function output(words: string[], env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const options = { cwd: await emptyFolder(), env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  const run = promisify(execFile)(process.execPath, [SUITE, ...words], options);
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return `${stdout}${stderr}`.split('\n');
}

/** What the suite says, without times and addresses. */
async function suite(words: string[], env?: NodeJS.ProcessEnv): Promise<string[]> {
  return (await output(words, env)).filter((line) => /^[✓✗] |^Passed:|^OVERALL|^Total/.test(line));
}

test('the suite finds the same in a server behind the proxy as without it', async () => {
  const url = await listening([process.execPath, resolve('build/tests/conformance-server.js')]);
  const behind = await listening(
    handraiseMcp(gate, 'proxy', '--name', 'suite', '--url', url, '--listen', '0'),
  );
  const plain = await suite(['server', '--url', url]);
  assert.ok(plain.filter((line) => line.startsWith('✓')).length >= 28, plain.join('\n'));
  assert.deepEqual(await suite(['server', '--url', behind]), plain);
});

const CLIENT = `${process.execPath} ${resolve('build/tests/conformance-client.js')}`;

/** A way through the proxy, in the environment of the client. */
async function through(...options: string[]): Promise<NodeJS.ProcessEnv> {
  // Every scenario has a server of its own; under one name they would be asked about.
  const words = handraiseMcp(gate, 'proxy', '--name', 'suite', '--data-dir', await emptyFolder(), ...options);
  return { HANDRAISE_MCP_WORDS: JSON.stringify(words) };
}

test('the suite finds the same in a client behind the proxy as without it', async () => {
  for (const scenario of ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults']) {
    const run = (env: NodeJS.ProcessEnv) =>
      suite(['client', '--command', CLIENT, '--scenario', scenario], env);
    const plain = await run({});
    assert.ok(plain.length > 0, scenario);
    assert.deepEqual(await run(await through()), plain, `${scenario} over stdin and stdout`);
    assert.deepEqual(await run(await through('--listen', '0')), plain, `${scenario} over HTTP`);
  }
});

test('a stream that breaks off is taken up again behind the proxy as without it', async () => {
  // How long that takes is looked at by the suite, and left out here: it depends on what else this machine does.
  const checks = ['client-sse-graceful-reconnect', 'client-sse-last-event-id'];
  const run = async (env: NodeJS.ProcessEnv) => {
    const lines = await output(['client', '--command', CLIENT, '--scenario', 'sse-retry'], env);
    return checks.map((check) => lines.some((line) => line.includes(check) && line.includes('SUCCESS')));
  };
  assert.deepEqual(await run({}), [true, true]);
  assert.deepEqual(await run(await through()), [true, true], 'over stdin and stdout');
  assert.deepEqual(await run(await through('--listen', '0')), [true, true], 'over HTTP');
});

// Signing in (OAuth) is bound to the address of the server since 2025-06-18: a client must not take the word of a server
// at one address for a token of another (RFC 9728, 3.3), so behind a proxy at any address it has to refuse. The other
// scenarios `auth/*` begin with that and are not run. Who puts such a server behind the proxy gives it a token with
// `--header`.
test('who signs in at the server itself does so behind the proxy, who is bound to its address refuses', async () => {
  const client = `${process.execPath} ${resolve('build/tests/conformance-auth-client.js')}`;
  const run = (scenario: string, env: NodeJS.ProcessEnv) =>
    output(['client', '--command', client, '--scenario', scenario], env);
  const passed = (lines: string[]) => lines.filter((line) => line.startsWith('Passed:'));
  for (const name of ['oauth-metadata-backcompat', 'oauth-endpoint-fallback']) {
    const scenario = `auth/2025-03-26-${name}`;
    const plain = passed(await run(scenario, {}));
    assert.match(plain.join(), / 0 failed/, scenario);
    assert.deepEqual(passed(await run(scenario, await through('--listen', '0'))), plain, scenario);
  }
  assert.match(passed(await run('auth/metadata-default', {})).join(), / 0 failed/);
  const refused = await run('auth/metadata-default', await through('--listen', '0'));
  assert.match(refused.join('\n'), /refused: Error: Protected resource .* does not match/);
});

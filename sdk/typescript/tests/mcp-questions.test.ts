// What a server asks in the middle of a call, as questions in Handraise (`--questions`): real servers and clients of SDK
// 1.x and 2.x, in both eras.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { Client as SecondClient } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { type Approver } from 'handraise';

import { answer, handraiseMcp, textOf } from './mcp-support.js';
import {
  connectFirst,
  connectSecond,
  endWays,
  type Place,
  proxied,
  SERVER,
  type Way,
  WAYS,
} from './mcp-ways.js';
import { listening } from './programs.js';
import { RecordingServer } from './recording-server.js';
import { RunningGate, eventually, pending } from './running-gate.js';

const POLICY = `version = 1
[[rule]]
pattern = "mcp__*__*"
action = "allow"
`;
const MAIL = { name: 'mail', arguments: { to: 'ann' } };
// Another server's tool of the same name would be asked about.
const LETTER = { ...MAIL, name: 'letter' };
const STAFF = { action: 'accept' as const, content: { list: 'staff' } };

let gate: RunningGate;
let approver: Approver;
let names = 0;
const servers: RecordingServer[] = [];

before(async () => {
  gate = await RunningGate.start(POLICY);
  approver = gate.approver();
});
after(async () => {
  await endWays();
  servers.forEach((server) => server.stop());
  approver.close();
  await gate.stop();
});

/** Where the proxy that asks here is reached. */
const asking = (way: Way, server: string[], ...options: string[]) =>
  proxied(gate, way, server, ['--name', `list ${(names += 1)}`, '--questions', ...options]);

/** A client of SDK 2.x that speaks 2026-07-28; without `ask` it cannot ask its person. */
async function second(at: Place, ask?: () => ElicitResult): Promise<SecondClient> {
  const client = new SecondClient(
    { name: 'an-editor', version: '2' },
    {
      capabilities: ask === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  if (ask !== undefined) client.setRequestHandler('elicitation/create', () => ask() as never);
  return connectSecond(client, at);
}

/** A client of SDK 1.x; without `ask` it cannot ask its person. */
async function first(
  at: Place,
  ask?: (signal: AbortSignal) => ElicitResult | Promise<ElicitResult>,
): Promise<FirstClient> {
  const capabilities = ask === undefined ? {} : { elicitation: { form: {} } };
  const client = new FirstClient({ name: 'an-editor', version: '1' }, { capabilities });
  if (ask !== undefined) client.setRequestHandler(ElicitRequestSchema, (_request, { signal }) => ask(signal));
  return connectFirst(client, at);
}

/** The questions that wait for the person. */
async function questions(): Promise<unknown[]> {
  const token = (await readFile(gate.approverTokenFile, 'utf8')).trim();
  const headers = { Authorization: `Bearer ${token}` };
  const answered = await fetch(`http://${gate.address}/v1/questions`, { headers });
  return ((await answered.json()) as { questions: unknown[] }).questions;
}

const words = (pieces: unknown) => (pieces as { text: string }[]).map(({ text }) => text).join('');

test('2026-07-28: a server asks the person of a client that cannot ask, with its name', async () => {
  for (const way of WAYS) {
    const client = await second(await asking(way, SERVER));
    const mailed = client.callTool(MAIL);
    const asked = await answer(gate, { custom: 'staff' });
    assert.equal(words(asked['header']), `list ${names} asks`);
    assert.equal(words(asked['question']), 'Which list?\n\nlist');
    assert.equal(asked['agent'], 'an-editor', way);
    assert.deepEqual(asked['choices'], []);
    assert.equal(textOf(await mailed), 'sent to ann of staff', way);
    const refused = client.callTool(MAIL);
    await answer(gate, { decline: true });
    assert.equal(textOf(await refused), 'not sent', way);
  }
});

test('2026-07-28: the person may rather answer in the client, and is shown what is typed there', async () => {
  for (const way of WAYS) {
    let count = 0;
    const ask = () => {
      count += 1;
      return STAFF;
    };
    const client = await second(await asking(way, SERVER), ask);
    const here = client.callTool(MAIL);
    await answer(gate, { custom: 'friends' });
    assert.equal(textOf(await here), 'sent to ann of friends', way);
    assert.equal(count, 0);
    const there = client.callTool(MAIL);
    await answer(gate, { selected: ['Answer in an-editor'] });
    const approval = await pending(approver, 'mail');
    assert.match(words(approval.description), /"which" \("Which list\?"\).*"list":"staff"/s);
    await approver.approve(approval);
    assert.equal(textOf(await there), 'sent to ann of staff', way);
    assert.equal(count, 1);
  }
});

test('2026-07-28: what a server asks the model beside the person goes to the client alone', async () => {
  for (const way of WAYS) {
    const client = new SecondClient(
      { name: 'an-editor', version: '2' },
      { capabilities: { sampling: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    // A client that has not said that it can ask gets no question: SDK 2.x would end the call.
    const model = {
      model: 'none',
      role: 'assistant' as const,
      content: { type: 'text' as const, text: 'Dear Ann' },
    };
    client.setRequestHandler('sampling/createMessage', () => model);
    await connectSecond(client, await asking(way, SERVER));
    for (const [reply, chosen] of [
      [{ custom: 'staff' }, 'staff'],
      [{ decline: true }, null],
    ] as const) {
      const drafted = client.callTool({ name: 'draft', arguments: { to: 'ann' } });
      await answer(gate, reply);
      // What the model wrote is typed into an approved call.
      const approval = await pending(approver, 'draft');
      assert.match(words(approval.description), /"words".*Dear Ann/s, way);
      assert.doesNotMatch(words(approval.description), /staff/, 'the person has typed that');
      await approver.approve(approval);
      assert.deepEqual(
        JSON.parse(textOf(await drafted)),
        { to: 'ann', list: chosen, words: 'sampling' },
        way,
      );
    }
  }
});

/** A server whose tool `plan` asks for everything at once, and a way to call that through the proxy that asks here. */
async function askingForAll(): Promise<{
  server: RecordingServer;
  call(more: object, capabilities?: object): Promise<{ result: Record<string, unknown> }>;
}> {
  const server = await RecordingServer.start();
  servers.push(server);
  server.tools = [{ name: 'plan', description: 'Plans.', inputSchema: { type: 'object' } }];
  const which = { method: 'elicitation/create', params: { message: 'Which?', requestedSchema: FORM } };
  server.answer = ({ inputResponses }) =>
    inputResponses === undefined
      ? {
          resultType: 'input_required',
          requestState: 's',
          inputRequests: { which, folders: { method: 'roots/list' } },
        }
      : { resultType: 'complete', content: [], got: inputResponses };
  const words = ['--name', `list ${(names += 1)}`, '--questions', '--url', server.url, '--listen', '0'];
  const url = await listening(handraiseMcp(gate, 'proxy', ...words));
  return {
    server,
    async call(more, capabilities = { roots: {} }) {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      };
      const params = { name: 'plan', arguments: {}, _meta, ...more };
      const answered = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': 'tools/call',
          'Mcp-Name': 'plan',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      const text = await answered.text();
      return JSON.parse(text.slice(text.indexOf('{'))) as { result: Record<string, unknown> };
    },
  };
}
const FORM = { type: 'object', properties: { list: { type: 'string' } }, required: ['list'] };

test('2026-07-28: what the person has answered goes with its own call, and once', async () => {
  const { call } = await askingForAll();
  const going = { requestState: 's', inputResponses: { folders: { roots: [] } } };
  /** The answers that reach the server when the client goes on with `more`. */
  const goesOn = async (more: object) => {
    const answered = call(more);
    await approver.approve(await pending(approver, 'plan'));
    return (await answered).result['got'];
  };
  const asked = call({});
  await answer(gate, { custom: 'staff' });
  const { inputRequests } = (await asked).result as { inputRequests: object };
  assert.deepEqual(Object.keys(inputRequests), ['folders'], 'the client hears of what is for it alone');
  const { folders } = going.inputResponses;
  assert.deepEqual(await goesOn({ ...going, arguments: { other: 1 } }), { folders });
  assert.deepEqual(await goesOn({ ...going, requestState: 'another' }), { folders });
  assert.deepEqual(await goesOn(going), { folders, which: STAFF });
  assert.deepEqual(await goesOn(going), { folders });
});

test('2026-07-28: a client that takes tasks says for itself whether it can ask', async () => {
  // A task asks later, and of the client alone.
  const { server, call } = await askingForAll();
  server.answer = () => ({ resultType: 'complete', content: [] });
  const announced = async (capabilities: object) => {
    await call({}, capabilities);
    const { params } = JSON.parse(server.arrived('tools/call').at(-1)?.body ?? '') as {
      params: { _meta: Record<string, unknown> };
    };
    return params._meta['io.modelcontextprotocol/clientCapabilities'];
  };
  const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  assert.deepEqual(await announced(tasks), tasks);
  assert.deepEqual(await announced({}), { elicitation: { form: {}, url: {} } });
});

test('2026-07-28: what nobody answers in time goes to the client', async () => {
  const client = await second(await asking('stdio', SERVER, '--timeout', '1'), () => ({
    action: 'decline',
  }));
  assert.equal(textOf(await client.callTool(MAIL)), 'not sent');
  const alone = await second(await asking('http', SERVER, '--timeout', '1'));
  assert.equal(textOf(await alone.callTool(MAIL)), 'not sent');
});

test('2026-07-28: a call that is taken back takes its question along', async () => {
  for (const way of WAYS) {
    const client = await second(await asking(way, SERVER));
    const abort = new AbortController();
    const mailed = client.callTool(MAIL, { signal: abort.signal });
    await eventually('a question', async () => (await questions()).length === 1);
    abort.abort();
    await assert.rejects(mailed);
    await eventually('no question', async () => (await questions()).length === 0);
    const again = client.callTool(MAIL);
    await answer(gate, { custom: 'staff' });
    assert.equal(textOf(await again), 'sent to ann of staff', way);
  }
});

test('older revisions: a server asks the person of a client that cannot ask', async () => {
  for (const way of ['stdio', 'stdio to http'] as const) {
    const client = await first(await asking(way, [...SERVER, '--legacy']));
    const mailed = client.callTool(LETTER);
    const asked = await answer(gate, { custom: 'staff' });
    assert.equal(words(asked['header']), `list ${names} asks`);
    assert.equal(textOf(await mailed), 'sent to ann of staff', way);
    const refused = client.callTool(LETTER);
    await answer(gate, { decline: true });
    assert.equal(textOf(await refused), 'decline: not sent', way);
  }
});

test('older revisions: an answer here takes the question back from the client', async () => {
  let isAsked = false;
  let isTakenBack = false;
  let count = 0;
  const ask = (signal: AbortSignal) => {
    count += 1;
    if (count === 1) return STAFF;
    isAsked = true;
    return new Promise<ElicitResult>((settle) =>
      signal.addEventListener('abort', () => {
        isTakenBack = true;
        settle({ action: 'accept', content: { list: 'too late' } });
      }),
    );
  };
  const client = await first(await asking('stdio', [...SERVER, '--legacy']), ask);
  // Clients of SDK 1.x cannot be told that a request with the id 0 is over, which is the first.
  assert.equal(textOf(await client.callTool(LETTER)), 'sent to ann of staff');
  const mailed = client.callTool(LETTER);
  await eventually('the client', () => Promise.resolve(isAsked));
  await answer(gate, { custom: 'staff' });
  assert.equal(textOf(await mailed), 'sent to ann of staff');
  await eventually('the withdrawal', () => Promise.resolve(isTakenBack));
});

test('older revisions: an answer in the client takes the question back here', async () => {
  let reply: ((result: ElicitResult) => void) | undefined;
  const ask = () => new Promise<ElicitResult>((settle) => (reply = settle));
  const client = await first(await asking('stdio', [...SERVER, '--legacy']), ask);
  const mailed = client.callTool(LETTER);
  await eventually('a question', async () => (await questions()).length === 1 && reply !== undefined);
  reply?.(STAFF);
  assert.equal(textOf(await mailed), 'sent to ann of staff');
  await eventually('no question', async () => (await questions()).length === 0);
  const again = client.callTool(LETTER);
  await answer(gate, { custom: 'friends' });
  assert.equal(textOf(await again), 'sent to ann of friends');
});

test('older revisions: a call that is taken back takes its question along', async () => {
  const client = await first(await asking('stdio', [...SERVER, '--legacy']));
  const abort = new AbortController();
  const mailed = client.callTool(LETTER, undefined, { signal: abort.signal });
  await eventually('a question', async () => (await questions()).length === 1);
  abort.abort();
  await assert.rejects(mailed);
  await eventually('no question', async () => (await questions()).length === 0);
});

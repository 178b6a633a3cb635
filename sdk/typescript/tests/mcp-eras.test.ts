// Real clients and servers of SDK 1.x and 2.x, with the proxy between them: over stdin and stdout, over HTTP, and from the
// one to the other.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { type Approver } from 'handraise';
import { Client as SecondClient } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';

import { textOf } from './mcp-support.js';
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
import { RunningGate, eventually, pending } from './running-gate.js';

const REVISION = '2026-07-28';
const POLICY = `version = 1
[[rule]]
pattern = "mcp__*__hang*"
action = "allow"
`;

let gate: RunningGate;
let approver: Approver;

before(async () => {
  gate = await RunningGate.start(POLICY);
  approver = gate.approver();
});
after(async () => {
  await endWays();
  approver.close();
  await gate.stop();
});

type Negotiation = 'first' | 'legacy' | 'auto' | 'pin';
type Mode = 'dual' | 'modern-only' | 'legacy';

const serverOf = (mode: Mode) => (mode === 'dual' ? SERVER : [...SERVER, `--${mode}`]);

let proxies = 0;

/** Where the proxy to a server is reached. */
const behind = (way: Way, mode: Mode, upstream?: string) =>
  proxied(gate, way, serverOf(mode), ['--name', `${mode} ${(proxies += 1)}`], upstream);

/** What the tests use of a client of either SDK. */
interface Caller {
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  close(): Promise<void>;
}

async function connected(at: Place, negotiation: Negotiation): Promise<Caller> {
  if (negotiation === 'first') {
    return connectFirst(new FirstClient({ name: 'a-first-client', version: '1' }), at);
  }
  return connectSecond(second(negotiation), at);
}

function second(negotiation: 'legacy' | 'auto' | 'pin'): SecondClient {
  const mode = negotiation === 'pin' ? { pin: REVISION } : negotiation;
  return new SecondClient(
    { name: 'a-second-client', version: '2' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
}

const GREET = { name: 'greet', arguments: {} };

/** A denied call, whose reason the client hands on, and an approved one. */
async function asks(client: Caller): Promise<void> {
  const denied = client.callTool(GREET);
  await approver.deny(await pending(approver, 'greet'), 'not now');
  assert.equal(textOf(await denied), 'Denied: not now');
  const approved = client.callTool(GREET);
  await approver.approve(await pending(approver, 'greet'));
  assert.equal(textOf(await approved), 'hello');
}

const WORKS: [Negotiation, Mode][] = [
  ['first', 'legacy'],
  ['first', 'dual'],
  ['legacy', 'legacy'],
  ['legacy', 'dual'],
  ['auto', 'legacy'],
  ['auto', 'dual'],
  ['auto', 'modern-only'],
  ['pin', 'dual'],
  ['pin', 'modern-only'],
];

for (const way of WAYS) {
  test(`old and new clients and servers, ${way}: who can talk without the proxy can talk through it`, async () => {
    for (const mode of ['legacy', 'dual', 'modern-only'] as const) {
      // Over HTTP one server serves all clients, and one proxy.
      const upstream = way === 'stdio' ? undefined : await listening([...serverOf(mode), '--http']);
      const shared = way === 'http' ? await behind(way, mode, upstream) : undefined;
      for (const [negotiation] of WORKS.filter(([, server]) => server === mode)) {
        const client = await connected(shared ?? (await behind(way, mode, upstream)), negotiation);
        const { tools } = await client.listTools();
        assert.ok(
          tools.some(({ name }) => name === 'greet'),
          `${negotiation} to ${mode}`,
        );
        await asks(client);
        await client.close();
      }
    }
  });
}

test('who cannot talk without the proxy gets the same answer through it', async () => {
  for (const way of WAYS) {
    await assert.rejects(connected(await behind(way, 'modern-only'), 'first'), /version/i, way);
    await assert.rejects(connected(await behind(way, 'legacy'), 'pin'), new RegExp('', 'u'), way);
  }
});

test('a question of the server: the call is approved once, and what is typed is shown', async () => {
  for (const way of WAYS) {
    const client = second('auto');
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept' as const,
      content: { list: 'staff' },
    }));
    await connectSecond(client, await behind(way, 'dual'));
    const sent = client.callTool({ name: 'mail', arguments: { to: 'Ann' } });
    const first = await pending(approver, 'mail');
    assert.equal(first.agent, 'a-second-client');
    // The person changes the arguments; what follows goes on with those.
    await approver.approve(first, { arguments: { to: 'Bob' } });
    const next = await eventually('what is typed', async () => {
      const { approvals } = await approver.list();
      return approvals.find(({ id }) => id !== first.id);
    });
    assert.match(JSON.stringify(next.description), /Which list\?.*staff/s, way);
    assert.equal(next.editable_arguments?.includes('Bob'), true, way);
    await approver.approve(next);
    assert.equal(textOf(await sent), 'sent to Bob of staff', way);
  }
});

test('a form that is turned down types nothing, and is covered by the approval', async () => {
  const client = second('auto');
  let asked = 0;
  client.setRequestHandler('elicitation/create', () => {
    asked += 1;
    return { action: 'decline' as const };
  });
  await connectSecond(client, await behind('stdio', 'dual'));
  const sent = client.callTool({ name: 'mail', arguments: { to: 'Ann, at any price' } });
  sent.catch(() => {});
  await approver.approve(await pending(approver, 'mail'));
  // The server asks again and again; nobody is asked here.
  await assert.rejects(sent, /round/i);
  assert.ok(asked > 1);
  assert.deepEqual((await approver.list()).approvals, []);
});

test('arguments that a person changes stand in the headers that a server compares', async () => {
  for (const way of ['http', 'stdio to http'] as const) {
    const client = second('pin');
    await connectSecond(client, await behind(way, 'modern-only'));
    await client.listTools();
    const call = client.callTool({ name: 'routed', arguments: { region: 'eu', count: 2 } });
    await approver.approve(await pending(approver, 'routed'), { arguments: { region: 'ü ', count: 3 } });
    assert.equal(textOf(await call), 'ü  3', way);
  }
});

test('who cancels withdraws the question, or what runs at the server', async () => {
  for (const way of WAYS) {
    const client = second('pin');
    await connectSecond(client, await behind(way, 'modern-only'));
    const before = new AbortController();
    const asked = client.callTool(GREET, { signal: before.signal });
    asked.catch(() => {});
    await pending(approver, 'greet');
    before.abort();
    await assert.rejects(asked);
    await eventually('the end of the question', async () => (await approver.list()).approvals.length === 0);

    const hanging = async () => textOf(await client.callTool({ name: 'hanging' }));
    const running = new AbortController();
    const hangs = client.callTool({ name: 'hang' }, { signal: running.signal });
    hangs.catch(() => {});
    await eventually('the call at the server', async () => (await hanging()) === '{"begun":1,"cancelled":0}');
    running.abort();
    await assert.rejects(hangs);
    await eventually('its end there', async () => (await hanging()) === '{"begun":1,"cancelled":1}');
    await client.close();
  }
});

// What stands in the headers of a message and what stands in its body: whoever decides by the one and runs the
// other can be fooled.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';

import { type Approver } from 'handraise';

import { proxyOver } from './mcp-support.js';
import { endPrograms } from './programs.js';
import { RecordingServer } from './recording-server.js';
import { RunningGate, pending } from './running-gate.js';

const POLICY = `version = 1
[[rule]]
pattern = "mcp__denied__*"
action = "deny"
[[rule]]
pattern = "mcp__open__*"
action = "allow"
`;
const REVISION = '2026-07-28';
const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

let gate: RunningGate;
let approver: Approver;
let server: RecordingServer;
let denied: string;
let open: string;

before(async () => {
  gate = await RunningGate.start(POLICY);
  approver = gate.approver();
  server = await RecordingServer.start();
  denied = await proxy('denied');
  open = await proxy('open');
});
after(async () => {
  endPrograms();
  server.stop();
  approver.close();
  await gate.stop();
});

const proxy = (name: string) => proxyOver(gate, name, server.url);

interface Reply {
  status: number;
  body: {
    id?: unknown;
    result?: Record<string, unknown>;
    error?: { code: number; message: string; data?: unknown };
  };
}

/** Sends bytes as they are. */
function send(
  url: string,
  body: string | Buffer,
  headers: Record<string, string | string[]> = {},
  how: { method?: string; path?: string; chunked?: boolean } = {},
): Promise<Reply> {
  const address = new URL(url);
  return new Promise((done, failed) => {
    const sent = request({
      host: address.hostname,
      port: address.port,
      path: how.path ?? address.pathname,
      method: how.method ?? 'POST',
      headers: {
        ...JSON_TYPE,
        ...(how.chunked ? {} : { 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    sent.on('error', failed).on('response', (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => (text += bytes.toString()));
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          body: text.startsWith('{') ? (JSON.parse(text) as Reply['body']) : {},
        }),
      );
    });
    if (how.chunked) for (const byte of Buffer.from(body)) sent.write(Buffer.from([byte]));
    sent.end(how.chunked ? undefined : body);
  });
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const message = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
const standard = (method: string, name?: string) => ({
  'MCP-Protocol-Version': REVISION,
  'Mcp-Method': method,
  ...(name === undefined ? {} : { 'Mcp-Name': name }),
});

test('headers that call another tool than the body are refused, and nothing arrives', async () => {
  server.requests.length = 0;
  const list = message('tools/list');
  const call = (name: string) => message('tools/call', { name, arguments: {} });
  const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
  const attacks: [string, Record<string, string | string[]>][] = [
    [list, standard('tools/call', 'wipe')],
    [list, { ...standard('tools/list'), 'Mcp-Name': 'wipe' }],
    [list, { ...standard('tools/list'), 'Mcp-Param-Region': 'x' }],
    [list, { ...standard('tools/list'), 'Mcp-Method': ['tools/list', 'tools/call'] }],
    [list, { ...standard('tools/list'), 'MCP-Protocol-Version': '2025-11-25' }],
    [list, { 'Mcp-Method': 'tools/list' }],
    [list, { ...standard('tools/list'), 'Mcp-Method': 'Tools/List' }],
    [list, { ...standard('tools/list'), 'MCP-Protocol-Version': '2027-01-01' }],
    // The same beside a message of an older revision, and beside no message at all.
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list"}', { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'wipe' }],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list"}', { 'MCP-Protocol-Version': REVISION }],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', { 'Mcp-Method': 'tools/call' }],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'wipe' }],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'wipe' }],
    ['', { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'wipe' }],
    [call('greet'), standard('tools/call', 'wipe')],
    [call('greet'), standard('tools/call')],
    [call('greet'), standard('tools/call', base64('wipe'))],
    [call('greet'), standard('tools/call', '=?base64?Z3JlZXQ?=')],
    [call('greet'), standard('tools/call', '=?BASE64?Z3JlZXQ=?=')],
    [call('greet'), { ...standard('tools/call', 'greet'), 'Mcp-Param-Region': 'eu' }],
    [
      message('tools/call', { name: 'routed', arguments: { region: 'eu' } }),
      standard('tools/call', 'routed'),
    ],
    [
      message('tools/call', { name: 'routed', arguments: { region: 'eu' } }),
      { ...standard('tools/call', 'routed'), 'Mcp-Param-Region': 'us' },
    ],
    [
      message('tools/call', { name: 'routed', arguments: { at: { row: 1 } } }),
      { ...standard('tools/call', 'routed'), 'Mcp-Param-Row': '2' },
    ],
    [
      message('tools/call', { name: 'routed' }),
      { ...standard('tools/call', 'routed'), 'Mcp-Param-Region': 'us' },
    ],
  ];
  for (const url of [denied, open]) {
    for (const [body, headers] of attacks) {
      const { status, body: answer } = await send(url, body, headers);
      assert.equal(status, 400, `${body} ${JSON.stringify(headers)}`);
      assert.ok([-32020, -32022, -32602].includes(answer.error?.code ?? 0), JSON.stringify(answer));
    }
  }
  // What the proxy lists itself says so, and is all that has arrived.
  for (const { body, headers } of server.requests) {
    assert.match(body, /"method":"tools\/list"/);
    assert.equal(headers['mcp-method'], 'tools/list');
    assert.equal(headers['mcp-name'], undefined);
    assert.equal(headers['mcp-param-region'], undefined);
    assert.match(body, new RegExp(`"io.modelcontextprotocol/protocolVersion":"${REVISION}"`));
  }
});

test('headers that agree with the body pass, also in Base64 and at their place in the arguments', async () => {
  const routed = { name: 'routed', arguments: { region: ' ü', at: { row: 7 } } };
  const headers = {
    ...standard('tools/call', 'routed'),
    'Mcp-Param-Region': `=?base64?${Buffer.from(' ü').toString('base64')}?=`,
    'Mcp-Param-Row': '7',
  };
  const { status, body } = await send(open, message('tools/call', routed), headers);
  assert.equal(status, 200, JSON.stringify(body));
  assert.ok(body.result);
  const old = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'greet', arguments: {} } };
  assert.equal((await send(open, JSON.stringify(old), { 'MCP-Protocol-Version': '2025-11-25' })).status, 200);
  assert.equal((await send(open, JSON.stringify(old))).status, 200);
});

test('a denial is a whole result, and says nothing to a server that looks at headers', async () => {
  server.requests.length = 0;
  const { status, body } = await send(
    denied,
    message('tools/call', { name: 'greet', arguments: {} }),
    standard('tools/call', 'greet'),
  );
  assert.equal(status, 200);
  assert.equal(body.result?.['resultType'], 'complete');
  assert.deepEqual(
    server.requests.map(({ headers }) => headers['mcp-method']).filter((method) => method !== 'tools/list'),
    [],
  );
});

test('other arguments that a person gives stand in the headers, too', async () => {
  server.requests.length = 0;
  const asking = await proxy('asked');
  const call = message('tools/call', { name: 'routed', arguments: { region: 'eu' } });
  const answer = send(asking, call, { ...standard('tools/call', 'routed'), 'Mcp-Param-Region': 'eu' });
  await approver.approve(await pending(approver, 'routed'), { arguments: { region: 'us', at: { row: 3 } } });
  assert.equal((await answer).status, 200);
  const [arrived] = server.arrived('tools/call');
  assert.equal(arrived?.headers['mcp-param-region'], 'us');
  assert.equal(arrived?.headers['mcp-param-row'], '3');
});

test('a body that a server could read as another one is refused', async () => {
  server.requests.length = 0;
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{}}}';
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const bodies: [string | Buffer, Record<string, string>, { method?: string; path?: string }][] = [
    [call, form, { path: '/mcp/' }],
    [call, form, { path: '/MCP' }],
    [call, form, {}],
    [call, { 'Content-Type': 'text/plain' }, {}],
    [list, { 'Content-Type': 'multipart/form-data; boundary=x' }, {}],
    [list, { 'Content-Type': 'application/json; charset=utf-7' }, {}],
    [list, { 'Content-Type': 'application/json; charset=utf-16' }, {}],
    [Buffer.from(call, 'utf16le'), {}, {}],
    [`\uFEFF${call}`, {}, {}],
    [call, {}, { method: 'PUT' }],
    [call, {}, { method: 'GET' }],
    [call, {}, { method: 'DELETE' }],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"greet"}}', {}, {}],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"greet"}}', {}, {}],
    [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"},"paramſ":{"name":"greet"}}',
      {},
      {},
    ],
    ['{"jsonrpc":"2.0","id":1,"method":"Tools/Call","params":{"name":"greet"}}', {}, {}],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call ","params":{"name":"greet"}}', {}, {}],
    ['{"jsonrpc":"2.0","id":1,"method":"tools\\u2215call","params":{"name":"greet"}}', {}, {}],
    ['{"jsonrpc":"2.0","id":1,"method":"toolſ/call","params":{"name":"greet"}}', {}, {}],
    ['{"jsonrpc":"2.0","id":1,"method":"/tools//call","params":{"name":"greet"}}', {}, {}],
    ['{"jsonrpc":"2.0","id":1,"method":"tools_call","params":{"name":"greet"}}', {}, {}],
    ['{"jsonrpc":"2.0","id":1,"method":["tools/call"],"params":{"name":"greet"}}', {}, {}],
    ['{"jsonrpc":"2.0","id":1,"method":"tasks/Update","params":{"taskId":"1","inputResponses":{}}}', {}, {}],
  ];
  for (const [body, headers, how] of bodies) {
    const { status, body: answer } = await send(denied, body, headers, how);
    assert.ok([400, 405, 415].includes(status), `${String(body)} ${JSON.stringify(headers)}: ${status}`);
    assert.ok(answer.error, String(body));
  }
  assert.deepEqual(server.requests, []);
  // In pieces, and with headers that some servers take for another method, it is the same message as ever.
  const inPieces = await send(denied, call, { 'X-HTTP-Method-Override': 'DELETE' }, { chunked: true });
  assert.match(JSON.stringify(inPieces.body), /Denied: /);
  assert.ok(server.requests.every(({ headers }) => headers['x-http-method-override'] === undefined));
});

test('another spelling of a tool that the server lists is refused, and what nobody knows does not go along', async () => {
  server.requests.length = 0;
  for (const name of ['Greet', 'GREET', 'ｇｒｅｅｔ', ' greet', 'greet\u0000', 'gr\u200beet']) {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
    const { body } = await send(open, JSON.stringify(call));
    assert.match(body.error?.message ?? '', /lists no tool/, name);
  }
  const more = message('tools/call', { name: 'greet', arguments: {}, args: {} });
  const old = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'greet', Arguments: {} } };
  for (const call of [send(open, more, standard('tools/call', 'greet')), send(open, JSON.stringify(old))]) {
    assert.match((await call).body.error?.message ?? '', /does not know the parameter "(args|Arguments)"/);
  }
  assert.deepEqual(server.arrived('tools/call'), []);
});

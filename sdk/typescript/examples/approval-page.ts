// A web page that shows what waits and takes the answers: server-sent events one way, POST the other.
//
//   node approval-page.js --token-file APPROVER_TOKEN [--port N] [--config-dir DIR --runtime-dir DIR]
//
// Start it outside of your agents, with an approver's token from the settings window, and open the
// address that it prints. The address holds a key: whoever has it can approve. Handraise itself
// answers no web page.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

import { ApprovalError, Approver, type Folders } from 'handraise';
import { type WireDecision, sseFrame } from 'handraise/handlers';

const { values } = parseArgs({
  options: {
    'token-file': { type: 'string' },
    port: { type: 'string', default: '0' },
    'config-dir': { type: 'string' },
    'runtime-dir': { type: 'string' },
  },
});
const { 'token-file': tokenFile, 'config-dir': config, 'runtime-dir': runtime } = values;
if (tokenFile === undefined) throw new Error('give an approver token with --token-file');
const folders: Partial<Folders> = { ...(config ? { config } : {}), ...(runtime ? { runtime } : {}) };
const approver = new Approver({ folders, credential: { tokenFile } });
const key = randomBytes(32).toString('hex');
const nonce = randomBytes(16).toString('hex');

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>What waits for you</title>
<style nonce="${nonce}">
  body { font: 1rem/1.5 system-ui; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
  main[aria-busy=true]::before { content: 'Looking for what waits …' }
  main[aria-busy=false]:empty::before { content: 'Nothing waits.' }
  article { border: 1px solid; border-radius: 0.5rem; padding: 1rem; margin: 1rem 0 }
  h2, p, pre { margin: 0 0 0.75rem; overflow-wrap: anywhere }
  pre { white-space: pre-wrap }
  mark { font-size: 0.8em }
  button { font: inherit; margin: 0 0.5rem 0 0; padding: 0.25rem 0.75rem }
  [role=alert] { margin: 0; font-weight: bold }
  [role=alert]:not(:empty) { margin-top: 0.75rem }
</style>
<h1>What waits for you</h1>
<p id="problem" role="alert"></p>
<main aria-live="polite" aria-busy="true"></main>
<script nonce="${nonce}">
  const key = new URLSearchParams(location.search).get('key');
  const main = document.querySelector('main');
  const problem = document.getElementById('problem');
  const add = (parent, name, text = '') => {
    const element = parent.appendChild(document.createElement(name));
    element.textContent = text; // Text only: whatever an agent writes is never markup.
    return element;
  };
  const draw = (parent, pieces) => {
    for (const piece of pieces) {
      if (piece.kind === 'text') parent.append(piece.text);
      else add(parent, 'mark', '[' + piece.label + ']');
    }
  };
  const answer = async (approval, decision, problem) => {
    problem.textContent = '';
    try {
      const response = await fetch('/approve/' + approval.id, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Key': key },
        body: JSON.stringify({ ...decision, arguments_hash: approval.arguments_hash }),
      });
      if (!response.ok) problem.textContent = (await response.json()).error;
    } catch {
      problem.textContent = 'This page cannot be reached any more. Nothing was decided.';
    }
  };
  const events = new EventSource('/events?key=' + key);
  // What was answered while the list of what waits was on its way stands in that list still.
  const resolved = new Set();
  // Nobody tells what happens until the next connection, which begins with all that waits then.
  events.addEventListener('error', () => {
    main.replaceChildren();
    main.ariaBusy = 'true';
  });
  events.addEventListener('refused', ({ data }) => (problem.textContent = JSON.parse(data).error));
  events.addEventListener('listed', () => {
    problem.textContent = '';
    main.ariaBusy = 'false';
  });
  events.addEventListener('approval_requested', ({ data }) => {
    const { approval } = JSON.parse(data);
    if (resolved.has(approval.id) || document.getElementById(approval.id)) return;
    const article = add(main, 'article');
    article.id = approval.id;
    add(article, 'h2', approval.title);
    add(article, 'p', (approval.agent ?? 'An agent') + ' · ' + approval.risk.level + ' · ' + approval.explanation);
    for (const row of approval.arguments) {
      draw(add(article, 'strong'), row.name);
      draw(add(article, 'pre'), row.value);
    }
    const offer = (name, decision) =>
      (add(article, 'button', name).onclick = () => answer(approval, decision, problem));
    offer('Approve', { approved: true });
    offer('Approve in this session', { approved: true, always: true });
    offer('Deny', { approved: false, reason: 'Denied on the page' });
    const problem = add(article, 'p');
    problem.setAttribute('role', 'alert');
  });
  events.addEventListener('approval_resolved', ({ data }) => {
    const { id } = JSON.parse(data);
    resolved.add(id);
    document.getElementById(id)?.remove();
  });
</script>
</html>`;

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    const message = error instanceof ApprovalError ? error.message : 'Something went wrong';
    if (!response.headersSent)
      reply(response, error instanceof ApprovalError ? 409 : 500, { error: message });
    else response.end();
  });
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const url = new URL(request.url ?? '/', origin);
  // Neither another page nor a name that somebody has pointed at this machine gets in.
  const isForeign = request.headers.origin !== undefined && request.headers.origin !== origin;
  if (request.headers.host !== `127.0.0.1:${port}` || isForeign)
    return reply(response, 403, { error: 'foreign' });
  if (!isKey(url.searchParams.get('key') ?? request.headers['x-key'])) {
    return reply(response, 401, { error: 'open the address that was printed, with its key' });
  }
  const id = /^\/approve\/([0-9a-f-]{36})$/.exec(url.pathname)?.[1];
  if (request.method === 'GET' && url.pathname === '/') return page(response);
  if (request.method === 'GET' && url.pathname === '/events') return stream(request, response);
  if (request.method === 'POST' && id !== undefined) return decide(request, response, id);
  reply(response, 404, { error: 'there is no such thing here' });
}

function page(response: ServerResponse): void {
  const policy = `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  response.end(PAGE);
}

/** What waits already, and what happens. Says why, when Handraise tells this page nothing. */
async function stream(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  request.on('close', () => gone.abort());
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  const refused = (error: unknown) => {
    const message = error instanceof ApprovalError ? error.message : 'Something went wrong';
    response.write(sseFrame('refused', { error: message }));
    gone.abort();
  };
  const list = async () => {
    for (const approval of (await approver.list({ limit: 200 })).approvals) {
      response.write(sseFrame('approval_requested', { approval }));
    }
    response.write(sseFrame('listed', {}));
  };
  const happens = async () => {
    const onOpen = () => void list().catch(refused);
    for await (const { event } of approver.events({ signal: gone.signal, onOpen })) {
      if (event.type !== 'approval_requested' && event.type !== 'approval_resolved') continue;
      response.write(sseFrame(event.type, event));
    }
  };
  await happens().catch(refused);
  response.end();
}

async function decide(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
  const { approved, always, reason, arguments_hash } = (await json(request)) as WireDecision & {
    arguments_hash?: string;
  };
  await approver.decide(id, {
    decision: approved === true ? 'approve' : 'deny',
    ...(approved === true && always === true ? { scope: 'session' } : {}),
    ...(typeof reason === 'string' && reason !== '' ? { reason } : {}),
    ...(typeof arguments_hash === 'string' ? { arguments_hash } : {}),
  });
  reply(response, 200, { status: 'ok' });
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

function isKey(given: string | string[] | null | undefined): boolean {
  if (typeof given !== 'string') return false;
  const [left, right] = [Buffer.from(given), Buffer.from(key)];
  return left.length === right.length && timingSafeEqual(left, right);
}

server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?key=${key}`);
});

// A server with the tools, resources and prompts that the conformance suite for MCP 2026-07-28 looks for, made with SDK 2.x.
// Its first line on stdout is its address.

import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';

import { PROMPTS, resource, SIMPLE, text, URIS } from './conformance-contents.js';

type Responses = Record<string, Record<string, unknown>>;
interface Context {
  mcpReq: {
    notify(notification: object): Promise<void>;
    _meta?: { progressToken?: string | number };
    envelope?: Record<string, unknown>;
    inputResponses?: Responses;
    requestState(): unknown;
  };
}
type Tool = (ctx: Context) => unknown;

const SECRET = randomBytes(32);
const sealed = (words: string) => `${words}.${createHmac('sha256', SECRET).update(words).digest('hex')}`;
const form = (message: string, name: string, type = 'string') => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  },
});
const sampling = (words: string) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(words) }], maxTokens: 100 },
});
const roots = { method: 'roots/list', params: {} };
const asks = (inputRequests: object, requestState?: string) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
});
const says = (words: string) => ({ content: [text(words)] });

/** The answers to what was asked; undefined where one is missing or is none. */
function answered({ mcpReq }: Context, ...names: string[]): Responses | undefined {
  const { inputResponses = {} } = mcpReq;
  const isThere = (name: string) => typeof inputResponses[name] === 'object' && inputResponses[name] !== null;
  return names.every(isThere) ? inputResponses : undefined;
}

function refuseOtherState(ctx: Context, words: string): void {
  const state = ctx.mcpReq.requestState();
  if (state !== undefined && state !== sealed(words))
    throw new ProtocolError(-32602, 'The requestState is not ours.');
}

const confirm = { confirm: form('Please confirm', 'ok', 'boolean') };
const TOOLS: Record<string, Tool> = {
  ...SIMPLE,
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    return says(String(progressToken));
  },
  test_streaming_elicitation(ctx) {
    const found = answered(ctx, 'user_name');
    return found ? says(JSON.stringify(found)) : asks({ user_name: form('What is your name?', 'name') });
  },
  async test_logging_tool({ mcpReq }) {
    const level = mcpReq.envelope?.['io.modelcontextprotocol/logLevel'];
    if (level !== undefined)
      await mcpReq.notify({ method: 'notifications/message', params: { level, data: 'logged' } });
    return says('done');
  },
  test_missing_capability({ mcpReq }) {
    const capabilities = mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] as
      object | undefined;
    if (capabilities !== undefined && 'sampling' in capabilities) return says('fine');
    const data = { requiredCapabilities: { sampling: {} } };
    throw new ProtocolError(-32021, 'This needs sampling.', data);
  },
  test_input_required_result_elicitation(ctx) {
    const content = answered(ctx, 'user_name')?.['user_name']?.['content'] as { name?: string } | undefined;
    if (content === undefined) return asks({ user_name: form('What is your name?', 'name') });
    return says(`Hello, ${content.name}!`);
  },
  test_input_required_result_sampling(ctx) {
    const found = answered(ctx, 'capital_question');
    return found
      ? says(JSON.stringify(found))
      : asks({ capital_question: sampling('What is the capital of France?') });
  },
  test_input_required_result_list_roots(ctx) {
    const found = answered(ctx, 'client_roots');
    return found ? says(JSON.stringify(found)) : asks({ client_roots: roots });
  },
  test_input_required_result_request_state(ctx) {
    refuseOtherState(ctx, 'state');
    return answered(ctx, 'confirm') ? says('state-ok') : asks(confirm, sealed('state'));
  },
  test_input_required_result_tampered_state(ctx) {
    refuseOtherState(ctx, 'tampered');
    return answered(ctx, 'confirm') ? says('state-ok') : asks(confirm, sealed('tampered'));
  },
  test_input_required_result_multiple_inputs(ctx) {
    const questions = {
      user_name: form('What is your name?', 'name'),
      greeting: sampling('Generate a greeting'),
      client_roots: roots,
    };
    const found = answered(ctx, ...Object.keys(questions));
    return found ? says(JSON.stringify(found)) : asks(questions, sealed('many'));
  },
  test_input_required_result_multi_round(ctx) {
    if (answered(ctx, 'step2')) return says('both steps');
    if (answered(ctx, 'step1'))
      return asks({ step2: form('Step 2: What is your favorite color?', 'color') }, sealed('two'));
    return asks({ step1: form('Step 1: What is your name?', 'name') }, sealed('one'));
  },
  test_input_required_result_capabilities({ mcpReq }) {
    const can = mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] as object | undefined;
    const questions = {
      ...('elicitation' in (can ?? {}) ? { user_name: form('What is your name?', 'name') } : {}),
      ...('sampling' in (can ?? {}) ? { greeting: sampling('Generate a greeting') } : {}),
    };
    if (mcpReq.inputResponses !== undefined || Object.keys(questions).length === 0) return says('fine');
    return asks(questions);
  },
};

function fixtures(): Server {
  const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} };
  const server = new Server({ name: 'conformance-fixtures', version: '2' }, { capabilities });
  const set = server.setRequestHandler.bind(server) as (
    method: string,
    handler: (request: { params: Record<string, never> }, ctx: Context) => unknown,
  ) => void;
  const inputSchema = { type: 'object' };
  set('tools/list', () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, description: name, inputSchema })),
  }));
  set('tools/call', ({ params }, ctx) => {
    const tool = TOOLS[String(params['name'])];
    if (tool === undefined) throw new ProtocolError(-32602, 'There is no such tool.');
    return tool(ctx);
  });
  set('resources/list', () => ({
    resources: URIS.map((uri) => ({ uri, name: uri, mimeType: 'text/plain' })),
  }));
  set('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  set('resources/read', ({ params }) => {
    const uri = String(params['uri']);
    if (!URIS.includes(uri) && !uri.startsWith('test://template/'))
      throw new ProtocolError(-32602, 'Resource not found', { uri });
    return { contents: [resource(uri)] };
  });
  set('prompts/list', () => ({
    prompts: [...Object.keys(PROMPTS), 'test_input_required_result_prompt'].map((name) => ({
      name,
      description: name,
    })),
  }));
  set('prompts/get', ({ params }, ctx) => {
    if (String(params['name']) !== 'test_input_required_result_prompt')
      return PROMPTS[String(params['name'])]?.(params['arguments'] ?? {});
    const found = answered(ctx, 'user_context');
    if (found === undefined)
      return asks({ user_context: form('What context should the prompt use?', 'context') });
    return { messages: [{ role: 'user', content: text(JSON.stringify(found)) }] };
  });
  set('completion/complete', () => ({ completion: { values: ['paris', 'park'], total: 2, hasMore: false } }));
  return server;
}

const handler = toNodeHandler(createMcpHandler(fixtures));
const isLocalHost = localhostHostValidation();
const isLocalOrigin = localhostOriginValidation();
const server = createServer((request, response) => {
  if (isLocalHost(request, response) && isLocalOrigin(request, response))
    void handler(request as never, response);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` })}\n`);
});

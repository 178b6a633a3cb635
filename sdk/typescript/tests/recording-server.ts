// An MCP server over HTTP without any library, in this process: it takes whatever comes, and remembers it.

import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it arrived. */
export interface Recorded {
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Message = { id?: unknown; method?: string; params?: Record<string, unknown> };

const anything = { type: 'object' };

/** A server that remembers what reaches it. */
export class RecordingServer {
  readonly requests: Recorded[] = [];
  /** What `tools/call` gives. */
  answer: (params: Record<string, unknown>) => unknown = () => ({
    content: [{ type: 'text', text: 'done' }],
  });
  /** The session that `initialize` opens. */
  session: string | undefined;
  /** More that the result of `tools/list` holds. */
  listed: Record<string, unknown> = {};
  /** The error that `tools/call` gives, with status 400. */
  failure: { code: number; message: string } | undefined;
  /** What `tasks/get` and `tasks/update` give. */
  task: Record<string, unknown> = {};
  /** Absent: listing fails. */
  tools: object[] | undefined = [
    { name: 'greet', description: 'Says hello.', inputSchema: anything },
    {
      name: 'routed',
      description: 'Is sent somewhere by a header.',
      inputSchema: {
        type: 'object',
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          at: { type: 'object', properties: { row: { type: 'integer', 'x-mcp-header': 'Row' } } },
        },
      },
    },
  ];
  /** The text that `tools/list` gives, in the place of all that. */
  listedText: ((id: unknown) => string) | undefined;
  readonly #subscribed: ServerResponse[] = [];
  #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<RecordingServer> {
    const server = createServer();
    const recording = new RecordingServer(server);
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (bytes: Buffer) => (body += bytes.toString()));
      request.on('end', () => {
        recording.requests.push({ method: request.method ?? '', headers: request.headers, body });
        if (body.includes('"subscriptions/listen"')) return recording.#subscribes(response);
        const text = body.includes('"tools/list"')
          ? recording.listedText?.((JSON.parse(body) as Message).id)
          : undefined;
        if (text !== undefined)
          return response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
        const answers = recording.#answers(body);
        if (answers === undefined) return response.writeHead(202).end();
        const opens = recording.session !== undefined && body.includes('"initialize"');
        const session = opens ? { 'Mcp-Session-Id': recording.session } : {};
        response
          .writeHead('error' in (answers as object) ? 400 : 200, {
            'Content-Type': 'application/json',
            ...session,
          })
          .end(JSON.stringify(answers));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return recording;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  /** Tells who has subscribed that the tools have changed. */
  tellOfChange(): void {
    const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    for (const response of this.#subscribed) response.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  #subscribes(response: ServerResponse): void {
    this.#subscribed.push(response);
    const message = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} };
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  /** Messages of a method that have arrived. */
  arrived(method: string): Recorded[] {
    return this.requests.filter(({ body }) => body.includes(`"${method}"`));
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answers(body: string): unknown {
    if (body === '') return { nothing: true };
    const { id, method, params = {} } = JSON.parse(body) as Message;
    if (id === undefined) return undefined;
    if (method === 'tools/call' && this.failure !== undefined)
      return { jsonrpc: '2.0', id, error: this.failure };
    if (method === 'tools/list' && this.tools === undefined)
      return { jsonrpc: '2.0', id, error: { code: -32603, message: 'not now' } };
    const result =
      method === 'tools/list'
        ? { tools: this.tools, ...this.listed }
        : method === 'tools/call'
          ? this.answer(params)
          : method?.startsWith('tasks/')
            ? this.task
            : {
                protocolVersion: '2025-11-25',
                capabilities: {},
                serverInfo: { name: 'recording', version: '1' },
              };
    return { jsonrpc: '2.0', id, result };
  }
}

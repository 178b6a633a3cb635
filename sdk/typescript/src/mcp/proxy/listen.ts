import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { INTERNAL_ERROR } from '../json-rpc.js';
import { fail } from './http-answer.js';
import { type DecidedWith, HttpProxy } from './http-proxy.js';

/** How long a connection on which nothing is said stays open, in milliseconds. */
const CONNECTION_KEPT = 10 * 60 * 1000;

/**
 * Listens on loopback for clients of the Streamable HTTP transport and passes what they send on to
 * `target`, with the gate before `tools/call`. Resolves when the program is told to stop.
 */
export async function listenHttp(target: URL, port: number, deciding: DecidedWith): Promise<number> {
  const proxy = new HttpProxy(target, deciding);
  const server = createServer((request, response) => {
    proxy.serve(request, response).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else fail(response, 502, { code: INTERNAL_ERROR, message: `${target.origin}: ${why}` });
    });
  });
  server.requestTimeout = 0;
  // A client without session or credential is known by its connection.
  server.keepAliveTimeout = CONNECTION_KEPT;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  proxy.port = (server.address() as AddressInfo).port;
  const url = `http://127.0.0.1:${proxy.port}${target.pathname}${target.search}`;
  process.stdout.write(`${JSON.stringify({ url })}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  server.close();
  server.closeAllConnections();
  return 0;
}

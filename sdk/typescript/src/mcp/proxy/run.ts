import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { Client } from '../../index.js';
import { homeOfUser } from '../../transport/locations.js';
import { pinsInFolder } from '../pins.js';
import { ToolBook } from '../tool-book.js';
import { ServerQuestions } from '../elicitation/questions.js';
import { type CallContext, ToolGate } from '../tool-gate.js';
import { proxyArguments, type ProxyArguments } from './arguments.js';
import { readLines, lineWriter } from './lines.js';
import { listenHttp } from './listen.js';
import { type Ends, ProxySession } from './session.js';
import { proxyStdio } from './stdio.js';
import { StreamableHttp } from './streamable-http.js';

/** Runs `handraise-mcp proxy`; resolves with the exit code. */
export async function runProxy(argv: string[]): Promise<number> {
  const given = proxyArguments(argv, process.env);
  const { target } = given;
  const book = await bookOf(given);
  const client = new Client({
    credential: given.credential,
    folders: given.folders,
    reconnectSeconds: given.reconnectSeconds,
  });
  const options = {
    denial: given.denial,
    ...(given.pendingAfter === undefined ? {} : { pendingAfter: given.pendingAfter }),
  };
  const questionsIn = (context: CallContext) =>
    given.asksHere ? { questions: new ServerQuestions(client, context) } : {};
  if ('url' in target && target.listen !== undefined) {
    return listenHttp(target.url, target.listen, {
      client,
      book,
      context: given.context,
      options,
      ...questionsIn(given.context),
    });
  }
  // One client, one conversation.
  const context = { session: `mcp-${randomUUID()}`, ...given.context };
  const makeSession = (ends: Ends) => {
    const gate = new ToolGate(client, context);
    const session = new ProxySession(gate, context.session, book, ends, {
      ...options,
      ...questionsIn(context),
    });
    if (given.context.agent === undefined) session.onClientName = (name) => (context.agent = name);
    return session;
  };
  if ('command' in target) {
    const [command = '', ...args] = target.command;
    return proxyStdio(command, args, makeSession);
  }
  return proxyUrl(target.url, target.headers, makeSession, book);
}

/** The pins of the server that is proxied. */
async function bookOf({ context, target, dataFolder }: ProxyArguments): Promise<ToolBook> {
  const folder = dataFolder ?? join(await homeOfUser(), '.local/share/handraise');
  const identity = 'command' in target ? JSON.stringify(target.command) : target.url.href;
  return ToolBook.open(pinsInFolder(join(folder, 'mcp-pins')), context.server, identity);
}

/** A client on stdin and stdout, a server at `url`. */
async function proxyUrl(
  url: URL,
  headers: Record<string, string>,
  makeSession: (ends: Ends) => ProxySession,
  book: ToolBook,
): Promise<number> {
  const toClient = lineWriter(process.stdout, process.stdin);
  const server = new StreamableHttp(
    url,
    headers,
    (text) => session.fromServer(Buffer.from(text)),
    (tool) => book.entry(tool).definition,
  );
  const session = makeSession({ toClient, toServer: (text) => server.send(text.toString()) });
  readLines(process.stdin, (line) => session.fromClient(line));
  await new Promise<void>((resolve) => {
    process.stdin.on('end', resolve);
    process.stdout.on('error', () => resolve());
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  session.close();
  await server.close();
  // Told to stop, it stops, whether the client has closed its end or not.
  process.stdin.destroy();
  return 0;
}

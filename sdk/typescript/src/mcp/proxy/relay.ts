import type { IncomingMessage } from 'node:http';

import { FrameDecoder } from '../../client/event-stream.js';
import { isObject } from '../../json.js';
import { errorMessage, INTERNAL_ERROR, type Message, type Request } from '../json-rpc.js';
import type { HttpAnswer } from './http-answer.js';
import { bodyOf } from './http-body.js';
import { FrameCutter } from './frames.js';
import { isNearlyMessage, parsedText } from './server-text.js';

/** Longest message of a server whose answers are looked at, in bytes. */
const MAX_MESSAGE = 32 * 1024 * 1024;

/** Looks at a message of the server; gives what the client gets in its place, `undefined` for nothing. */
export type Look = (message: Message) => Message | undefined;

/**
 * Passes the server's answer to `request` on, message by message: nothing of a message reaches the client before it
 * was looked at, and what stays as it is passes byte for byte.
 *
 * @param isHeld Says, once all was looked at, that the answer is still to come: it is given later, or not at all.
 */
export async function relay(
  upstream: IncomingMessage,
  request: Request,
  answer: HttpAnswer,
  look: Look,
  isHeld: () => boolean = () => false,
): Promise<void> {
  const type = upstream.headers['content-type'] ?? '';
  if (upstream.headers['content-encoding'] !== undefined) {
    upstream.destroy();
    return answer.end(failure(request, 'The server has encoded its answer, which nobody asked it to.'));
  }
  if (upstream.statusCode === 200 && type.startsWith('text/event-stream')) {
    return relayStream(upstream, request, answer, look, isHeld);
  }
  const body = await bodyOf(upstream, MAX_MESSAGE);
  if (body === undefined) return answer.end(failure(request, 'The answer of the server is too large.'));
  const text = body.toString();
  const message = messageIn(text);
  if (message === undefined && isNearlyMessage(text))
    return answer.end(failure(request, 'The answer of the server is no JSON.'));
  const left = message === undefined ? undefined : look(message);
  if (isHeld()) return;
  if (!answer.isStream) {
    const isSame = left === message;
    return answer.whole(
      upstream,
      isSame ? body : Buffer.from(left === undefined ? '' : JSON.stringify(left)),
    );
  }
  // The answer has begun as a stream, because a person was asked for long: an error of the server still is its own.
  const isAnswer = left !== undefined && left['id'] === request.id;
  if (isAnswer) return answer.end(left);
  answer.end(failure(request, `The server answered with HTTP status ${upstream.statusCode}.`));
}

async function relayStream(
  upstream: IncomingMessage,
  request: Request,
  answer: HttpAnswer,
  look: Look,
  isHeld: () => boolean,
): Promise<void> {
  const cutter = new FrameCutter();
  answer.begin(upstream.headers);
  for await (const piece of upstream as AsyncIterable<Buffer>) {
    for (const frame of cutter.push(piece)) await answer.bytes(lookedAt(frame, look));
    if (cutter.open <= MAX_MESSAGE) continue;
    upstream.destroy();
    return answer.end(failure(request, 'A message of the server is too large.'));
  }
  const rest = cutter.rest();
  if (rest.length > 0) await answer.bytes(lookedAt(rest, look));
  if (!isHeld()) answer.close();
}

/** The bytes of a frame as the client gets them. */
function lookedAt(frame: Buffer, look: Look): Buffer {
  const [found] = new FrameDecoder().push(`${new TextDecoder().decode(frame)}\n\n`);
  const message = found === undefined ? undefined : messageIn(found.data);
  if (message === undefined) return found !== undefined && isNearlyMessage(found.data) ? Buffer.of() : frame;
  const left = look(message);
  if (left === message) return frame;
  return Buffer.from(left === undefined ? '' : `event: message\ndata: ${JSON.stringify(left)}\n\n`);
}

function messageIn(text: string): Message | undefined {
  const value = parsedText(text);
  return isObject(value) ? value : undefined;
}

function failure({ id }: Request, why: string): Message {
  return errorMessage(id, INTERNAL_ERROR, why);
}

import type { IncomingMessage } from 'node:http';

import { FrameDecoder } from '../../client/event-stream.js';
import { isObject } from '../../json.js';
import type { RequestId } from '../json-rpc.js';

/** Largest message, in bytes, where nothing else is said. */
const MAX_BODY = 16 * 1024 * 1024;

/** The whole body; `undefined` when it has more than `most` bytes. */
export async function bodyOf(message: IncomingMessage, most = MAX_BODY): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
  }
  return size > most ? undefined : Buffer.concat(chunks);
}

/** Whether the body is JSON in UTF-8, as it says: in another character set it could be another message. */
export function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(headers['content-type'] ?? '');
}

/** Whether the body is a form, as it says, and nothing that a server could take for JSON after all. */
export function isForm({ headers, method }: IncomingMessage, body: Buffer): boolean {
  const type = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '');
  return type && method === 'POST' && /^[A-Za-z0-9%+&=._~*'()!$,;:@/?-]*$/.test(body.toString('latin1'));
}

/** The result in the answer to `request`, which is JSON or a stream of messages. */
export function answerIn(
  text: string,
  type: string,
  request: { id: RequestId },
): Record<string, unknown> | undefined {
  const texts = type.startsWith('text/event-stream')
    ? [...new FrameDecoder().push(`${text}\n\n`)].map((frame) => frame.data)
    : [text];
  for (const one of texts) {
    try {
      const answer: unknown = JSON.parse(one);
      if (isObject(answer) && answer['id'] === request.id && isObject(answer['result']))
        return answer['result'];
    } catch {
      // No message.
    }
  }
  return undefined;
}

import type { RequestId } from '../json-rpc.js';

/** When a client first hears that a person is asked, in milliseconds. */
const FIRST = 1_000;
/** How often after that: official clients give up after 60 seconds without progress. */
const BETWEEN = 15_000;

/**
 * Tells a client again and again that a person is being asked.
 *
 * @param token The `progressToken` of the call.
 * @returns Stops it.
 */
export function keepTelling(token: RequestId, send: (text: string) => void): () => void {
  let count = 0;
  const tell = () => {
    count += 1;
    // Progress has to grow with every notification, and what the server itself tells later starts at 0.
    const progress = -1 / count;
    const message = 'Handraise is asking a person.';
    const params = { progressToken: token, progress, message };
    send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }));
    timer = setTimeout(tell, BETWEEN);
  };
  let timer = setTimeout(tell, FIRST);
  return () => clearTimeout(timer);
}

import type { PinnedGateOptions } from './gate-options.js';
import { GatedTransport } from './gated-transport.js';
import { pinsInMemory } from './pins.js';
import type { SdkClient, SdkTransport } from './sdk-types.js';
import { ToolBook } from './tool-book.js';

/**
 * Puts the calls that a client of an official SDK (1.x or 2.x) makes behind the gate, however they are made: by
 * `callTool`, by `request`, as a task, or as the SDK's own going on with a call in whose middle the server asked.
 * Nothing reaches the server before it is approved. The client may be connected already, or be connected later.
 *
 * @returns The same client.
 */
export function gateClient<T extends SdkClient>(client: T, options: PinnedGateOptions): T {
  const book = ToolBook.open(options.pins ?? pinsInMemory(), options.server, options.server);
  // Whoever sends first gets the failure.
  book.catch(() => {});
  const { transport } = client;
  if (transport !== undefined) new GatedTransport(transport as SdkTransport, book, options).replace();
  const connect = client.connect.bind(client) as (transport: object, how?: object) => Promise<void>;
  const gated = (own: SdkTransport, how?: object) =>
    connect(new GatedTransport(own, book, options).transport(), how);
  client.connect = gated as unknown as T['connect'];
  return client;
}

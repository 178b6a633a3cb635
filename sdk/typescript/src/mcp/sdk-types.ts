// What is used of the official SDKs: `@modelcontextprotocol/sdk` 1.x, `/client` and `/server` 2.x. None of them is
// needed to use this package.

/** A transport of either SDK, as far as it is used. */
export interface SdkTransport {
  send(message: object, options?: SdkSendOptions): Promise<void>;
  onmessage?: ((message: object, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
}

/** How a message is sent. */
export interface SdkSendOptions {
  /** Headers of the request, over HTTP (2.x). */
  headers?: Record<string, string>;
  /** Takes the request back (2.x, over HTTP). */
  requestSignal?: AbortSignal;
}

/** A client of either SDK. */
export interface SdkClient {
  connect(transport: never, options?: never): Promise<void>;
  readonly transport?: unknown;
}

/** A low-level server of either SDK. */
export interface SdkServer {
  setRequestHandler: unknown;
}

import { errorMessage, INTERNAL_ERROR, isRequest, type Message } from './json-rpc.js';
import type { PinnedGateOptions } from './gate-options.js';
import { withArguments } from './proxy/headers.js';
import { ProxySession } from './proxy/session.js';
import { isObject } from '../json.js';
import type { SdkSendOptions, SdkTransport } from './sdk-types.js';
import type { ToolBook } from './tool-book.js';
import { ToolGate } from './tool-gate.js';

/** A message on its way to the server. */
interface Outgoing {
  bytes: Buffer;
  message: object;
  options: SdkSendOptions | undefined;
  done(sending?: Promise<void>): void;
}

/** The transport of a client with a {@link ProxySession} in it. */
export class GatedTransport {
  private readonly send: SdkTransport['send'];
  private readonly session: Promise<ProxySession>;
  /** Requests that have not reached the server yet, by their ids. */
  private readonly waiting = new Map<string, Outgoing>();
  /** What the session is looking at. */
  private current: Outgoing | { bytes: Buffer; message: object; extra: unknown } | undefined;
  private receive: SdkTransport['onmessage'];

  constructor(
    private readonly own: SdkTransport,
    book: Promise<ToolBook>,
    private readonly options: PinnedGateOptions,
  ) {
    this.send = own.send.bind(own);
    this.session = book.then((tools) => this.sessionWith(tools));
    this.session.catch(() => {});
  }

  /** Puts the gate into a transport that is connected already. */
  replace(): void {
    const { own } = this;
    this.receive = own.onmessage?.bind(own);
    own.onmessage = (message, extra) => this.received(message, extra);
    own.send = (message, options) => this.sent(message, options);
    own.onclose = this.closing(own.onclose?.bind(own));
  }

  /** The same transport for who connects to it. */
  transport(): SdkTransport {
    return new Proxy(this.own, {
      get: (own, name) => {
        if (name === 'send') return (message: object, how?: SdkSendOptions) => this.sent(message, how);
        if (name === 'onmessage') return this.receive;
        const value: unknown = Reflect.get(own, name, own);
        // Methods use what is private to the transport itself.
        return typeof value === 'function' && name !== 'onclose' ? value.bind(own) : value;
      },
      set: (own, name, value) => {
        if (name === 'onmessage') {
          this.receive = value as SdkTransport['onmessage'];
          own.onmessage = (message, extra) => this.received(message, extra);
          return true;
        }
        const kept: unknown = name === 'onclose' ? this.closing(value as SdkTransport['onclose']) : value;
        return Reflect.set(own, name, kept, own);
      },
    });
  }

  private sessionWith(tools: ToolBook): ProxySession {
    const { client, session, denial, pendingAfter } = this.options;
    const ends = {
      toClient: (text: string | Buffer) => this.toClient(text),
      toServer: (text: string | Buffer) => this.toServer(text, tools),
    };
    return new ProxySession(new ToolGate(client, this.options), session, tools, ends, {
      ...(denial === undefined ? {} : { denial }),
      ...(pendingAfter === undefined ? {} : { pendingAfter }),
    });
  }

  private async sent(message: object, options?: SdkSendOptions): Promise<void> {
    const session = await this.session;
    await new Promise<void>((resolve, reject) => {
      const bytes = Buffer.from(JSON.stringify(message));
      const done = (sending?: Promise<void>) => (sending ?? Promise.resolve()).then(resolve, reject);
      const outgoing: Outgoing = { bytes, message, options, done };
      if (isRequest(message as Message)) {
        const { id } = message as Message;
        this.waiting.set(keyOf(id), outgoing);
        options?.requestSignal?.addEventListener('abort', () => session.cancel(id) && this.over(id));
      }
      this.current = outgoing;
      session.fromClient(bytes);
      this.current = undefined;
      if (isRequest(message as Message)) return;
      const { method, params } = message as Message;
      // What the session keeps to itself is over.
      if (method === 'notifications/cancelled' && isObject(params)) this.over(params['requestId']);
      done();
    });
  }

  private over(id: unknown): void {
    this.waiting.get(keyOf(id))?.done();
    this.waiting.delete(keyOf(id));
  }

  private toServer(text: string | Buffer, tools: ToolBook): void {
    const { current } = this;
    const isCurrent = current !== undefined && 'done' in current && current.bytes === text;
    const message = isCurrent ? (current.message as Message) : (JSON.parse(text.toString()) as Message);
    const key = keyOf(message['id']);
    const outgoing = isCurrent ? current : this.waiting.get(key);
    this.waiting.delete(key);
    const isSame = outgoing !== undefined && outgoing.bytes === text;
    const how = isSame ? outgoing.options : changedOptions(outgoing?.options, message, tools);
    const sending = this.send(isSame ? outgoing.message : message, how);
    if (outgoing !== undefined) return outgoing.done(sending);
    // A request of the session's own: what fails is its answer.
    sending.catch((error: unknown) => {
      const id = message['id'] as string;
      const failure = errorMessage(id, INTERNAL_ERROR, String(error));
      void this.session.then((session) => session.fromServer(Buffer.from(JSON.stringify(failure))));
    });
  }

  private toClient(text: string | Buffer): void {
    const { current } = this;
    if (current !== undefined && 'extra' in current && current.bytes === text) {
      this.receive?.(current.message, current.extra);
      return;
    }
    const message = JSON.parse(text.toString()) as Message;
    if (message['id'] === null && current !== undefined && 'done' in current) {
      const why = isObject(message['error']) ? message['error']['message'] : 'refused';
      this.waiting.delete(keyOf((current.message as Message)['id']));
      return current.done(Promise.reject(new Error(String(why))));
    }
    // The gate itself has answered.
    if (message['method'] === undefined) this.over(message['id']);
    this.receive?.(message, current !== undefined && 'extra' in current ? current.extra : undefined);
  }

  private received(message: object, extra: unknown): void {
    void this.session
      .then((session) => {
        const bytes = Buffer.from(JSON.stringify(message));
        this.current = { bytes, message, extra };
        session.fromServer(bytes);
        this.current = undefined;
      })
      .catch(() => {});
  }

  private closing(then: SdkTransport['onclose']): () => void {
    return () => {
      void this.session.then((session) => session.close()).catch(() => {});
      then?.();
    };
  }
}

function changedOptions(
  options: SdkSendOptions | undefined,
  message: Message,
  tools: ToolBook,
): SdkSendOptions | undefined {
  const params = isObject(message['params']) ? message['params'] : {};
  const { name, arguments: args } = params;
  if (options?.headers === undefined || typeof name !== 'string') return options;
  const { definition } = tools.entry(name);
  const headers = withArguments(options.headers, isObject(args) ? args : {}, definition);
  return { ...options, headers: headers as Record<string, string> };
}

function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? '';
}

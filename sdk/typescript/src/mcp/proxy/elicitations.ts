import { isObject } from '../../json.js';
import type { Modes } from '../elicitation/modes.js';
import { ELICIT, modeOf, type ServerQuestions } from '../elicitation/questions.js';
import { isRequest, isRequestId, type Message, resultMessage } from '../json-rpc.js';

/** Answers that come too late and are awaited still; the oldest is forgotten first. */
const MAX_LATE = 1000;

/** Who hears of what is asked, and for whom. */
export interface Between {
  toClient(message: Message): void;
  toServer(message: Message): void;
  /** What the conversation is called at the gate. */
  session: string | undefined;
  /** What the client calls itself. */
  agent(): string | undefined;
}

/**
 * What a server of a revision before 2026-07-28 asks the person, by a request of its own: it is asked in Handraise and, where
 * that can ask, by the client. The first answer counts, and the other is withdrawn.
 */
export class Elicitations {
  /** What the client itself can ask. */
  own: Modes = { form: false, url: false };
  private readonly open = new Map<string, { abort: AbortController; isAtClient: boolean }>();
  /** Those that the client may still answer, though the server has its answer. */
  private readonly late = new Set<string>();

  constructor(
    private readonly questions: ServerQuestions,
    private readonly between: Between,
  ) {}

  /** Whether `bytes` of the server may ask something, or take it back. */
  mayMatter(bytes: Buffer): boolean {
    return bytes.includes('elicitation') || this.open.size > 0;
  }

  /** The server has sent `message`; says whether the client gets it. */
  fromServer(message: Message): boolean {
    const { method, params } = message;
    if (method === 'notifications/cancelled' && isObject(params)) {
      const open = this.open.get(JSON.stringify(params['requestId']));
      open?.abort.abort(new Error('the server has taken its question back'));
      return open?.isAtClient ?? true;
    }
    if (method === 'notifications/elicitation/complete') return this.own.url;
    const mode = modeOf(params);
    if (method !== ELICIT || mode === undefined || !isRequest(message)) return true;
    const isAtClient = this.own[mode];
    const key = JSON.stringify(message.id);
    // The client is to answer the first of two with one id.
    if (this.open.has(key)) return isAtClient;
    this.late.delete(key);
    const abort = new AbortController();
    this.open.set(key, { abort, isAtClient });
    void this.ask(message, key, abort.signal, isAtClient);
    return isAtClient;
  }

  /** The client has sent `message`; says whether the server gets it. */
  fromClient(message: Message): boolean {
    if (message['method'] !== undefined || !isRequestId(message['id'])) return true;
    const key = JSON.stringify(message['id']);
    const open = this.open.get(key);
    this.open.delete(key);
    open?.abort.abort(new Error('the question was answered in the client'));
    return open !== undefined || !this.late.delete(key);
  }

  /** Nobody waits for an answer any more. */
  close(): void {
    for (const { abort } of this.open.values()) abort.abort(new Error('the client has gone'));
    this.open.clear();
  }

  private async ask(
    { id, params }: Message,
    key: string,
    signal: AbortSignal,
    isAtClient: boolean,
  ): Promise<void> {
    const { session, agent } = this.between;
    const options = { session, agent: agent(), canGoToClient: false, signal };
    const ended = await this.questions.ask(params, options);
    const open = this.open.get(key);
    if (open?.abort.signal !== signal) return;
    const isTakenBack = signal.aborted;
    // The client still may answer what nobody has answered here.
    if (typeof ended === 'string' && isAtClient && !isTakenBack) return;
    this.open.delete(key);
    if (isTakenBack || !isRequestId(id)) return;
    this.between.toServer(resultMessage(id, typeof ended === 'string' ? { action: 'cancel' } : ended));
    if (!isAtClient) return;
    this.late.add(key);
    const [oldest] = this.late;
    if (this.late.size > MAX_LATE && oldest !== undefined) this.late.delete(oldest);
    const reason = 'The question was answered in Handraise.';
    const method = 'notifications/cancelled';
    this.between.toClient({ jsonrpc: '2.0', method, params: { requestId: id, reason } });
  }
}

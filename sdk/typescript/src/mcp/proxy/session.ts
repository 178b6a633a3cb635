import { randomUUID } from 'node:crypto';

import { isObject } from '../../json.js';
import { refusedAnswer } from '../answer-check.js';
import {
  errorMessage,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isGated,
  isRequest,
  isRequestId,
  type Message,
  readMessages,
  type Request,
  UnreadableMessageError,
} from '../json-rpc.js';
import { clientNameOf, HEADER_MISMATCH, revisionOf } from '../revision.js';
import { askingEverything, type Modes, modesIn, modesOf } from '../elicitation/modes.js';
import { goingOn, type InputRequired, type ServerQuestions } from '../elicitation/questions.js';
import type { ToolBook } from '../tool-book.js';
import { ToolList } from '../tool-list.js';
import { InvalidCallError, type ToolGate } from '../tool-gate.js';
import type { Caller } from './caller.js';
import { type Asked, Deciding, type DecidingOptions, type Forwarded } from './deciding.js';
import { Elicitations } from './elicitations.js';
import { PartAnswers } from './part-answers.js';
import { keepTelling } from './progress.js';
import { isNearlyMessage, parsedText } from './server-text.js';

/** Where messages go: JSON texts without line breaks. */
export interface Ends {
  toClient(text: string | Buffer): void;
  toServer(text: string | Buffer): void;
}

/** How long the server may take to list its tools, in milliseconds. */
const MAX_LISTING = 10_000;
/** Requests at the server whose answers are looked at; the oldest is forgotten first. */
const MAX_RUNNING = 1000;
/** One client reads the lists. */
const READER = '';

/** A request of the client for a list of tools. */
interface Listing {
  isFirst: boolean;
  revision: string | undefined;
  told: number;
}

/** A request at the server, of a revision in which its answer may be a question. */
interface Running {
  message: Request;
  /** What the client itself can ask its person. */
  own: Modes;
  /** Where it is a call of a tool. */
  call?: { asked: Asked; forwarded: Forwarded };
}

/** How a session goes. */
export interface SessionOptions extends DecidingOptions {
  /** Asks the person here, too, what the server wants to know. */
  questions?: ServerQuestions;
}

/**
 * One client and one server, with the gate between them. Every message passes as it came, byte for byte,
 * but for `tools/call`, which passes when it is approved.
 */
export class ProxySession {
  /** Calls that a person is being asked about, by their ids. */
  private readonly asking = new Map<string, AbortController>();
  /** Requests of the client for lists of tools, by their ids. */
  private readonly listing = new Map<string, Listing>();
  private readonly running = new Map<string, Running>();
  /** Requests of the proxy itself. */
  private readonly own = new Map<string, (answer: Message) => void>();
  private readonly list: ToolList;
  private readonly deciding: Deciding;
  private readonly caller: Caller;
  private readonly questions: ServerQuestions | undefined;
  private readonly elicitations: Elicitations | undefined;
  private readonly partAnswers = new PartAnswers();
  /** Where the server has told of progress itself: what it tells has to grow. */
  private readonly progressed = new Set<string>();
  private clientName: string | undefined;
  /** Is told the name that the client gives itself. */
  onClientName: ((name: string) => void) | undefined;

  /** @param conversation What the conversation is called at the gate. */
  constructor(
    gate: ToolGate,
    conversation: string | undefined,
    book: ToolBook,
    private readonly ends: Ends,
    { questions, ...options }: SessionOptions = {},
  ) {
    this.questions = questions;
    if (questions !== undefined) {
      const toClient = (message: Message) => this.answer(message);
      const toServer = (message: Message) => ends.toServer(JSON.stringify(message));
      const agent = () => this.clientName;
      this.elicitations = new Elicitations(questions, { toClient, toServer, session: conversation, agent });
    }
    this.list = new ToolList(book);
    this.deciding = new Deciding(gate, book, options);
    this.caller = { conversation, principal: '' };
  }

  /** The client has sent `bytes`: one message. */
  fromClient(bytes: Buffer): void {
    let messages: Message[] = [];
    try {
      messages = readMessages(bytes);
      messages.forEach(revisionOf);
      this.refuseUsedIds(messages);
    } catch (error) {
      // What cannot be read must not reach a server that reads it after all.
      const refusal = error instanceof UnreadableMessageError ? error : unexpected(error);
      const [message] = messages;
      // Another request with this id would take the answer for its own.
      const isOne = messages.length === 1 && message !== undefined && isRequest(message);
      const id = isOne && refusal.code !== INVALID_REQUEST ? message.id : null;
      this.answer(errorMessage(id, refusal.code, refusal.message, refusal.data));
      return;
    }
    // Some readers of lines take a carriage return for the end of one; in JSON it is only space.
    const text = bytes.includes(13) ? bytes.toString().replaceAll('\r', ' ') : bytes;
    // A batch with a call is taken apart: the call waits, and the rest does not.
    const isApart = messages.some((message) => isGated(message['method']));
    const left: Message[] = [];
    for (const message of messages) {
      const own = modesIn(message);
      const announced = this.announced(message);
      // A call of a tool goes on later, when it is approved.
      const sent = isGated(message['method']) ? announced : this.completed(announced);
      const written = messages.length === 1 && sent === message ? text : JSON.stringify(sent);
      if (isGated(message['method'])) {
        void this.call(sent, written, own);
        continue;
      }
      this.note(sent, own);
      if (this.isOver(message) || this.elicitations?.fromClient(message) === false) continue;
      if (isApart) this.ends.toServer(written);
      else left.push(sent);
    }
    if (left.length === 0) return;
    const isSame = left.length === messages.length && left.every((one, at) => one === messages[at]);
    this.ends.toServer(isSame ? text : JSON.stringify(messages.length === 1 ? left[0] : left));
  }

  /** `message`, as a client sends it whose person can be asked here what the server wants to know. */
  private announced(message: Message): Message {
    if (this.elicitations === undefined || !isRequest(message)) return message;
    if (message.method === 'initialize') this.elicitations.own = modesOf(message.params?.['capabilities']);
    return askingEverything(message);
  }

  /** `message`, with what the person has answered here to a part of what it goes on with. */
  private completed(message: Message): Message {
    if (!isRequest(message)) return message;
    const params = this.partAnswers.completed(this.caller, message, message.params);
    return message.params === undefined || params === message.params ? message : { ...message, params };
  }

  /** The server has sent `text`: one message, whatever it is. */
  fromServer(bytes: Buffer): void {
    const mayMatter =
      this.listing.size > 0 ||
      this.own.size > 0 ||
      this.asking.size > 0 ||
      this.running.size > 0 ||
      this.elicitations?.mayMatter(bytes) === true ||
      bytes.includes('list_changed');
    const text = mayMatter ? this.forClient(bytes) : bytes;
    if (text !== undefined) this.ends.toClient(text);
  }

  /** Withdraws the call of the id `id`; says whether it has not reached the server. */
  cancel(id: unknown): boolean {
    const controller = this.asking.get(keyOf(id));
    controller?.abort(new Error('the client has cancelled the call'));
    return controller !== undefined;
  }

  /** The client or the server has gone: nobody waits for an answer any more. */
  close(): void {
    for (const controller of this.asking.values()) controller.abort(new Error('the client has gone'));
    this.elicitations?.close();
    for (const settle of this.own.values()) settle({});
    this.own.clear();
  }

  /** Of two requests with one id, nobody knows which one an answer is for. */
  private refuseUsedIds(messages: Message[]): void {
    const ids = messages.filter(isRequest).map(({ id }) => keyOf(id));
    const isUsed = (key: string, at: number) =>
      this.listing.has(key) || this.asking.has(key) || this.running.has(key) || ids.indexOf(key) !== at;
    if (ids.some(isUsed)) {
      throw new UnreadableMessageError(INVALID_REQUEST, 'Another request with this id is open.');
    }
  }

  /** Remembers what the answers to a message of the client will be about. */
  private note(message: Message, own = modesIn(message)): void {
    if (!isRequest(message)) return;
    if (message.method === 'initialize') {
      const info = message.params?.['clientInfo'];
      const name = isObject(info) ? info['name'] : undefined;
      if (typeof name === 'string' && name.trim() !== '') {
        this.clientName = name;
        this.onClientName?.(name);
      }
    }
    const revision = revisionOf(message);
    if (revision !== undefined) this.runs({ message, own });
    if (message.method !== 'tools/list') return;
    const cursor = isObject(message.params) ? message.params['cursor'] : undefined;
    this.listing.set(keyOf(message.id), { isFirst: cursor === undefined, revision, told: this.list.told });
  }

  /** Whether `message` cancels a call that the server has not seen. */
  private isOver(message: Message): boolean {
    if (message['method'] !== 'notifications/cancelled' || !isObject(message['params'])) return false;
    return this.cancel(message['params']['requestId']);
  }

  private async call(message: Message, text: string | Buffer, own = modesIn(message)): Promise<void> {
    // Without an id it is no request, and no answer could tell why it did not run.
    if (!isRequest(message)) {
      const id = isRequestId(message['id']) ? message['id'] : null;
      return this.answer(
        errorMessage(id, INVALID_REQUEST, 'A call of a tool needs an id. It was not forwarded.'),
      );
    }
    const { id, params } = message;
    const key = keyOf(id);
    const abort = new AbortController();
    this.asking.set(key, abort);
    try {
      const call = this.deciding.callOf(message, this.caller);
      const relist = async () => {
        if (!this.list.countsFor(READER)) await this.listTools(call.revision);
      };
      await relist();
      const asked = { message, call, caller: this.caller, signal: abort.signal, relist };
      const answer = await this.deciding.decide(asked, (told) => {
        if (told !== undefined) this.ends.toClient(told);
      });
      this.asking.delete(key);
      if (abort.signal.aborted) return;
      if ('refused' in answer) return this.answer(answer.refused);
      if (call.revision !== undefined) this.runs({ message, own, call: { asked, forwarded: answer } });
      const sent = this.partAnswers.completed(this.caller, message, answer.params);
      this.ends.toServer(sent === params ? text : JSON.stringify({ ...message, params: sent }));
    } catch (error) {
      this.asking.delete(key);
      // A cancelled request has no answer.
      if (abort.signal.aborted) return;
      const { code, message: why } =
        error instanceof InvalidCallError
          ? { code: INVALID_PARAMS, message: error.message }
          : unexpected(error);
      this.answer(errorMessage(id, code, why));
    }
  }

  private runs(running: Running): void {
    this.running.set(keyOf(running.message.id), running);
    const oldest = this.running.keys().next().value;
    if (this.running.size > MAX_RUNNING && oldest !== undefined) this.running.delete(oldest);
  }

  /** Lists the server's tools, without the client hearing of it. */
  private listTools(revision: string | undefined): Promise<void> {
    return this.list.read(READER, revision, async (params) => {
      const { result } = await this.ask('tools/list', params);
      return isObject(result) ? result : undefined;
    });
  }

  private ask(method: string, params: object): Promise<Message> {
    // The client cannot guess it, and so not send a request under it whose answer would be taken for this one.
    const id = `handraise:${randomUUID()}`;
    const key = keyOf(id);
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({}), MAX_LISTING);
      const settle = (answer: Message) => {
        clearTimeout(timer);
        this.own.delete(key);
        resolve(answer);
      };
      this.own.set(key, settle);
      this.ends.toServer(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /** Looks at a message of the server; gives what of it is for the client. */
  private forClient(bytes: Buffer): Buffer | string | undefined {
    const text = bytes.toString();
    const message = parsedText(text);
    if (message === undefined) return isNearlyMessage(text) ? undefined : bytes;
    if (!Array.isArray(message)) {
      const left = isObject(message) ? this.learn(message) : message;
      return left === message ? bytes : left === undefined ? undefined : JSON.stringify(left);
    }
    const left = message.map((one: unknown) => (isObject(one) ? this.learn(one) : one));
    if (left.every((one, at) => one === message[at])) return bytes;
    const kept = left.filter((one) => one !== undefined);
    return kept.length === 0 ? undefined : JSON.stringify(kept);
  }

  /** Learns from a message of the server; gives what the client gets in its place. */
  private learn(message: Message): Message | undefined {
    if (message['method'] === 'notifications/tools/list_changed') this.list.changed();
    if (message['method'] === 'notifications/progress' && isObject(message['params']))
      this.progressed.add(keyOf(message['params']['progressToken']));
    if (this.elicitations?.fromServer(message) === false) return undefined;
    if (message['method'] !== undefined || !isRequestId(message['id'])) return message;
    const key = keyOf(message['id']);
    const settle = this.own.get(key);
    if (settle !== undefined) {
      settle(message);
      return undefined;
    }
    // The server has not seen this call, and cannot answer it.
    if (this.asking.has(key)) return undefined;
    const running = this.running.get(key);
    this.running.delete(key);
    const refused = running === undefined ? undefined : refusedAnswer(running.message, message);
    if (refused !== undefined) return refused;
    const { result } = message;
    if (running !== undefined && this.questions?.asksIn(result)) {
      void this.askHere(this.questions, running, message, result);
      return undefined;
    }
    return this.learnAnswer(message, running);
  }

  private learnAnswer(message: Message, running: Running | undefined): Message {
    const key = keyOf(message['id']);
    if (this.running.size === 0) this.progressed.clear();
    this.learnFrom(message, running);
    if (running !== undefined) this.deciding.told(this.caller, running.message, message['result']);
    const list = this.listing.get(key);
    this.listing.delete(key);
    if (list !== undefined && isObject(message['result']))
      this.list.listed(message['result'], { ...list, reader: READER });
    return message;
  }

  /** Asks the person what the server's answer to a request wants to know; the request goes on with that. */
  private async askHere(
    questions: ServerQuestions,
    running: Running,
    answer: Message,
    result: InputRequired,
  ): Promise<void> {
    const { message, own, call } = running;
    const key = keyOf(message.id);
    const abort = new AbortController();
    this.asking.set(key, abort);
    const meta = isObject(message.params?.['_meta']) ? message.params['_meta'] : {};
    const { progressToken: token } = meta;
    const isTold = isRequestId(token) && !this.progressed.has(keyOf(token));
    const stop = isTold ? keepTelling(token, (text) => this.ends.toClient(text)) : () => {};
    const agent = clientNameOf(message) ?? this.clientName;
    const options = { session: this.caller.conversation, agent, signal: abort.signal };
    const responses = await questions.answers(result, own, options);
    stop();
    this.asking.delete(key);
    if (abort.signal.aborted) return;
    const left =
      responses === undefined ? result : this.partAnswers.left(this.caller, message, result, responses);
    if (responses === undefined || left !== undefined) {
      this.learnAnswer(answer, running);
      return this.answer(left === result ? answer : { ...answer, result: left });
    }
    this.runs(running);
    const params = goingOn(call?.forwarded.params ?? message.params ?? {}, result, responses);
    this.ends.toServer(JSON.stringify({ ...message, params }));
  }

  private learnFrom({ result, error }: Message, running: Running | undefined): void {
    if (running?.call === undefined) return;
    const { asked, forwarded } = running.call;
    this.deciding.answered(asked, forwarded, result);
    // The headers were made from what the server had listed.
    if (isObject(error) && error['code'] === HEADER_MISMATCH) this.list.changed();
  }

  private answer(message: Message): void {
    this.ends.toClient(JSON.stringify(message));
  }
}

/** Ids are compared with their kind: `1` is not `"1"`. */
function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? '';
}

function unexpected(error: unknown): { code: number; message: string; data?: unknown } {
  const why = error instanceof Error ? error.message : String(error);
  return { code: INTERNAL_ERROR, message: `The call was denied, because the gate failed: ${why}` };
}

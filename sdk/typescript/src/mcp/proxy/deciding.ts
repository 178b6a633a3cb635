import { isObject } from '../../json.js';
import { type CallParams, callOf, updateOf } from '../call-params.js';
import type { ToolDefinition } from '../definitions.js';
import { type DenialForm, refusalResult, refusalText } from '../denial.js';
import { errorMessage, INVALID_REQUEST, type Message, type Request, resultMessage } from '../json-rpc.js';
import { isSameDefinition } from '../pins.js';
import { clientNameOf, revisionOf } from '../revision.js';
import { type Entry, type ToolBook, withConcern } from '../tool-book.js';
import {
  type CallClearance,
  InvalidCallError,
  TOKEN_ARGUMENT,
  TOKEN_META,
  type ToolGate,
} from '../tool-gate.js';
import type { Caller } from './caller.js';
import { keepTelling } from './progress.js';
import { concernOf, isCovered, type Round, Rounds } from './rounds.js';

/** How calls are answered. */
export interface DecidingOptions {
  denial?: DenialForm;
  /** Seconds to wait for a person before a call is answered with the id to come back with. */
  pendingAfter?: number;
}

/** What the server is to get of a call. */
export interface Forwarded {
  /** Parameters of the request: those of the client themselves where nothing was changed. */
  params: Record<string, unknown>;
  arguments: Record<string, unknown>;
  isChanged: boolean;
  definition: ToolDefinition | undefined;
  /** A person was asked about it, which takes time. */
  isPersons?: boolean;
}

/** A call with who makes it. */
export interface Asked {
  message: Request;
  call: CallParams;
  caller: Caller;
  /** Withdraws it. */
  signal: AbortSignal;
  /** Lists the tools, where what was listed does not count any more. Absent: nobody else changes them. */
  relist?: () => Promise<void>;
}

/** Decides about the calls of one server's tools, over whatever they come. */
export class Deciding {
  constructor(
    private readonly gate: ToolGate,
    private readonly book: Pick<ToolBook, 'alike' | 'entry'>,
    private readonly options: DecidingOptions,
    private readonly rounds = new Rounds(),
  ) {}

  /**
   * @param tell Is called while a person is asked, with a notification for a client that wants one.
   * @throws InvalidCallError for a call that cannot be taken as it is.
   */
  async decide(
    asked: Asked,
    tell: (text: string | undefined) => void,
  ): Promise<{ refused: Message } | Forwarded> {
    const { call, caller } = asked;
    let entry = listedEntry(this.book, call.name);
    const round = this.rounds.take(caller, call);
    let isForwarded = false;
    try {
      for (;;) {
        const answer = await this.decided(asked, round, entry, tell);
        if ('refused' in answer) return answer;
        if (answer.isPersons) await asked.relist?.();
        // What the server has made of the tool while the person looked at it, nobody has approved.
        const now = listedEntry(this.book, call.name);
        const { definition } = entry;
        isForwarded = now.definition === definition || isSameDefinition(now.definition, definition);
        if (isForwarded) return answer;
        entry = now;
      }
    } finally {
      // What has not reached the server is open as before.
      if (round !== undefined && call.task === undefined && !isForwarded) this.rounds.putBack(round);
    }
  }

  /**
   * What a person may have to see of `message`: a call, or what is typed into the task that a call began.
   *
   * @throws InvalidCallError when it cannot be taken as it is.
   */
  callOf(message: Request, caller: Caller): CallParams {
    if (message.method !== 'tasks/update') return callOf(message);
    const agent = clientNameOf(message);
    return {
      ...this.rounds.updated(caller, updateOf(message)),
      ...(agent === undefined ? {} : { agent }),
      progressToken: undefined,
      revision: revisionOf(message),
    };
  }

  /** The server has answered `request`, which asks how a task stands. */
  told(caller: Caller, { method, params }: Request, result: unknown): void {
    if (method === 'tasks/get') this.rounds.told(caller, params?.['taskId'], result);
  }

  /** The server has answered the call `asked`, of which it got `forwarded`. */
  answered({ caller, call }: Pick<Asked, 'caller' | 'call'>, forwarded: Forwarded, result: unknown): void {
    this.rounds.answered(caller, call, forwarded, result);
  }

  private async decided(
    { message: { id, params = {} }, call, caller, signal }: Asked,
    round: Round | undefined,
    listed: Entry,
    tell: (text: string | undefined) => void,
  ): Promise<{ refused: Message } | Forwarded> {
    const { definition } = listed;
    const wasChanged = round?.isChanged ?? false;
    if (round !== undefined && listed.concern === undefined && isCovered(round, caller, call)) {
      const { arguments: args } = round;
      const forwarded = wasChanged ? { ...params, arguments: args } : params;
      return { params: forwarded, arguments: args, isChanged: wasChanged, definition };
    }
    const entry = withConcern(listed, concernOf(round, call));
    const { pendingAfter: after, denial } = this.options;
    const isUpdate = call.task !== undefined;
    // There is no way to come back with what was typed.
    const pendingAfter = isUpdate ? undefined : after;
    const { progressToken: token } = call;
    const stop = keepTelling(token ?? '', (text) => tell(token === undefined ? undefined : text));
    const wait = { signal, ...(pendingAfter === undefined ? {} : { pendingAfter }) };
    const verdict = await this.gate
      .in(caller.conversation)
      .decide(goingOn(call, round), entry, wait)
      .finally(stop);
    if (isUpdate && !verdict.runs) {
      return { refused: errorMessage(id, INVALID_REQUEST, refusalText(verdict.refusal)) };
    }
    if (isUpdate && verdict.runs) {
      if (verdict.isChanged)
        throw new InvalidCallError('The arguments of a task that runs cannot be changed.');
      return { params, arguments: verdict.arguments, isChanged: false, definition };
    }
    if (!verdict.runs) return { refused: refusedMessage(id, params, verdict, entry, denial, call.revision) };
    const isChanged = verdict.isChanged || wasChanged;
    return {
      params: paramsOf(params, { ...verdict, isChanged }),
      arguments: verdict.arguments,
      isChanged,
      definition,
      isPersons: verdict.result.decided_by === 'person',
    };
  }
}

/** The call with the arguments that the server has already got, where a person changed those of the client. */
function goingOn(call: CallParams, round: Round | undefined): CallParams {
  if (round === undefined || !round.isChanged) return call;
  const token = Object.hasOwn(call.arguments, TOKEN_ARGUMENT)
    ? { [TOKEN_ARGUMENT]: call.arguments[TOKEN_ARGUMENT] }
    : {};
  return { ...call, arguments: { ...round.arguments, ...token } };
}

/** What is forwarded: `params` themselves where nothing was changed. */
export function paramsOf(
  params: Record<string, unknown>,
  verdict: Extract<CallClearance, { runs: true }>,
): Record<string, unknown> {
  if (!verdict.isChanged) return params;
  const { _meta: meta, ...rest } = params;
  const kept = isObject(meta) ? Object.entries(meta).filter(([name]) => name !== TOKEN_META) : [];
  return {
    ...rest,
    ...(kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) }),
    arguments: verdict.arguments,
  };
}

/** The answer to a call that does not run. */
function refusedMessage(
  id: Request['id'],
  params: Record<string, unknown>,
  { refusal }: Extract<CallClearance, { runs: false }>,
  entry: Entry,
  denial: DenialForm | undefined,
  revision: string | undefined,
): Message {
  // Who asked for a task expects one: a plain result would not be understood, an error is.
  if (isObject(params['task'])) return errorMessage(id, INVALID_REQUEST, refusalText(refusal));
  return resultMessage(id, refusalResult(refusal, entry.definition, denial, revision));
}

/**
 * What is known about the tool called `name`.
 *
 * @throws InvalidCallError for another spelling of a tool that the server lists: the policy would be asked
 * about one tool, and the server might run the other.
 */
function listedEntry(book: Pick<ToolBook, 'alike' | 'entry'>, name: string): Entry {
  const other = book.alike(name);
  if (other === undefined) return book.entry(name);
  throw new InvalidCallError(
    `The server lists no tool ${JSON.stringify(name)}, but ${JSON.stringify(other)}.`,
  );
}

import type { Client } from '../../index.js';
import { isObject } from '../../json.js';
import type { CallContext } from '../tool-gate.js';
import { type Asked, Form, Page } from './form.js';
import type { Modes } from './modes.js';

/** The request of a server that asks the person. */
export const ELICIT = 'elicitation/create';

/** What a server gets. */
export interface Elicited {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
}

/** How the asking ended: with an answer; the person wants to answer in the client; or nobody has answered. */
export type Ended = Elicited | 'in the client' | 'nobody';

/** A result that asks something (MCP 2026-07-28). */
export interface InputRequired {
  resultType: 'input_required';
  inputRequests: Record<string, unknown>;
  requestState?: string;
}

/** Who is asked for, and how. */
export interface AskOptions {
  /** The conversation: the questions end with it. */
  session: string | undefined;
  /** What the client calls itself. */
  agent?: string | undefined;
  /** The person may rather answer in the client, which waits for that. */
  canGoToClient: boolean;
  signal: AbortSignal;
}

/** Puts what a server asks the person as questions in Handraise, with the server's name. */
export class ServerQuestions {
  constructor(
    private readonly client: Pick<Client, 'ask'>,
    private readonly context: CallContext,
  ) {}

  /** Whether a result wants to know something that the person can be asked here. */
  asksIn(result: unknown): result is InputRequired {
    if (!isObject(result) || result['resultType'] !== 'input_required') return false;
    return elicitationsIn(result['inputRequests']) !== undefined;
  }

  /** Asks what the parameters of an `elicitation/create` say. */
  async ask(params: unknown, options: AskOptions): Promise<Ended> {
    const asked = askedIn(params);
    if (asked === undefined) return 'nobody';
    const { server, agent = options.agent, cwd, timeoutSeconds } = this.context;
    const { session, signal } = options;
    for (;;) {
      const words = asked.question();
      if (words === undefined) break;
      const choices = words.choices ?? [];
      const elsewhere = options.canGoToClient ? elsewhereThan(choices, agent) : undefined;
      const result = await this.client
        .ask(
          {
            ...words,
            choices: elsewhere === undefined ? choices : [...choices, { label: elsewhere }],
            header: `${(server ?? 'An MCP server').slice(0, 150)} asks`,
            ...(agent === undefined ? {} : { agent }),
            ...(session === undefined ? {} : { session }),
            ...(cwd === undefined ? {} : { cwd }),
            ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
          },
          { signal },
        )
        .catch(() => undefined);
      if (result?.status === 'declined') return { action: 'decline' };
      if (result?.status !== 'answered') return 'nobody';
      if (elsewhere !== undefined && result.selected.includes(elsewhere)) return 'in the client';
      asked.answer(result);
    }
    const { content } = asked;
    return { action: 'accept', ...(content === undefined ? {} : { content }) };
  }

  /**
   * Asks all that a result `input_required` wants to know of the person (MCP 2026-07-28).
   *
   * @param own What the client itself can ask.
   * @returns Their `inputResponses`; `undefined` where the client is to answer.
   */
  async answers(
    { inputRequests }: InputRequired,
    own: Modes,
    options: Omit<AskOptions, 'canGoToClient'>,
  ): Promise<Record<string, Elicited> | undefined> {
    const asked = elicitationsIn(inputRequests);
    if (asked === undefined) return undefined;
    const canGoToClient = asked.every(([, params]) => own[modeOf(params) ?? 'form']);
    const answers: [string, Elicited][] = [];
    for (const [name, params] of asked) {
      const ended = await this.ask(params, { ...options, canGoToClient });
      if (typeof ended !== 'string') answers.push([name, ended]);
      else if (canGoToClient) return undefined;
      else answers.push([name, { action: 'cancel' }]);
    }
    return Object.fromEntries(answers);
  }
}

/** The questions to the person; `undefined` where there are none. */
function elicitationsIn(requests: unknown): [string, unknown][] | undefined {
  const asked: [string, unknown][] = [];
  for (const [name, one] of isObject(requests) ? Object.entries(requests) : []) {
    if (isObject(one) && one['method'] === ELICIT) asked.push([name, one['params']]);
  }
  return asked.length === 0 ? undefined : asked;
}

/** What is left of `result` when `answers` are there: that is for the client itself. `undefined` where it is nothing. */
export function leftOf(result: InputRequired, answers: Record<string, Elicited>): InputRequired | undefined {
  const left = Object.entries(result.inputRequests).filter(([name]) => !Object.hasOwn(answers, name));
  return left.length === 0 ? undefined : { ...result, inputRequests: Object.fromEntries(left) };
}

/** How a server wants to ask; a form where it does not say. */
export function modeOf(params: unknown): keyof Modes | undefined {
  const mode = isObject(params) ? (params['mode'] ?? 'form') : undefined;
  return mode === 'form' || mode === 'url' ? mode : undefined;
}

function askedIn(params: unknown): Asked | undefined {
  if (!isObject(params) || typeof params['message'] !== 'string') return undefined;
  const { message, url, requestedSchema } = params;
  switch (modeOf(params)) {
    case 'form':
      return Form.read(message, requestedSchema);
    case 'url':
      return typeof url === 'string' ? new Page(message, url) : undefined;
    default:
      return undefined;
  }
}

/** What a person chooses to answer in the client. */
function elsewhereThan(choices: { label: string }[], agent: string | undefined): string {
  let label = `Answer in ${agent?.slice(0, 100) ?? 'the client'}`;
  while (choices.some((one) => one.label === label)) label += '…';
  return label;
}

/** Parameters of the request `params` that goes on, with the answers to what `result` has asked. */
export function goingOn(
  params: Record<string, unknown>,
  { requestState }: InputRequired,
  inputResponses: Record<string, Elicited>,
): Record<string, unknown> {
  const { requestState: _before, ...rest } = params;
  return { ...rest, inputResponses, ...(requestState === undefined ? {} : { requestState }) };
}

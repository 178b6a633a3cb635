import { GateUnavailableError, deepFreeze } from '../errors.js';
import type {
  AnswerRequest,
  Approval,
  ApprovalPage,
  DecisionRequest,
  DecisionResponse,
  Grant,
  Question,
  QuestionList,
  QuestionResult,
  SessionList,
} from '../generated/protocol.js';
import { isObject } from '../json.js';
import { Caller, type ConnectOptions } from '../transport/caller.js';
import type { Credential } from '../transport/token.js';
import type { CallOptions } from './client.js';
import { type EventsOptions, type StreamedEvent, listen } from './events.js';
import { readQuestion } from './questions.js';
import { readResult } from './result.js';

/** How an {@link Approver} reaches the gate, and with which token. */
export interface ApproverOptions extends ConnectOptions {
  /** An approver's token, which a person made in the settings window. There is no default. */
  credential: Exclude<Credential, { name: string }>;
}

/** What to look for. */
export interface Search {
  /** Default `pending`. */
  status?: 'pending' | 'approved' | 'denied' | 'timeout' | 'cancelled' | 'all';
  session?: string;
  agent?: string;
  /** Text in the tool, the title or the arguments. */
  q?: string;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Requests on a page: 1 to 200, default 50. */
  limit?: number;
}

/**
 * Speaks to the running gate for a person who decides. What an agent started can never decide,
 * whatever token it holds.
 */
export class Approver {
  readonly #caller: Caller;

  /** @throws TypeError without a token: none lies around for programs to find. */
  constructor(options: ApproverOptions) {
    const { credential } = options as { credential?: Credential };
    if (credential === undefined || 'name' in credential) {
      throw new TypeError('an approver needs the `token` or the `tokenFile` that a person made for it');
    }
    this.#caller = new Caller(options.credential, options);
  }

  /** Open requests, or ended ones. */
  async list(search: Search = {}, options: CallOptions = {}): Promise<ApprovalPage> {
    const fields = new URLSearchParams();
    for (const [name, value] of Object.entries(search))
      if (value !== undefined) fields.set(name, String(value));
    const query = fields.toString();
    return this.#get<ApprovalPage>(`/v1/approvals${query && `?${query}`}`, 'approvals', options.signal);
  }

  /**
   * Decides. When the request is already over, the {@link GateRefusedError} has the code
   * `already_over` and the real result.
   */
  async decide(id: string, decision: DecisionRequest, options: CallOptions = {}): Promise<DecisionResponse> {
    const { body } = await this.#caller.call(
      {
        method: 'POST',
        path: `/v1/approvals/${encodeURIComponent(id)}/decision`,
        body: JSON.stringify(decision),
        isRepeatable: false,
      },
      options.signal,
    );
    if (!isObject(body))
      throw new GateUnavailableError('answer', 'Handraise answered something that is no decision.');
    return { result: readResult(body['result']), ticket: body['ticket'] === true };
  }

  /** Approves what was shown, bound to the arguments that were shown. */
  approve(approval: Approval, decision: Omit<DecisionRequest, 'decision'> = {}): Promise<DecisionResponse> {
    return this.decide(approval.id, {
      arguments_hash: approval.arguments_hash,
      ...decision,
      decision: 'approve',
    });
  }

  /** Denies; the reason is for the model. */
  deny(approval: Approval, reason?: string): Promise<DecisionResponse> {
    return this.decide(approval.id, { decision: 'deny', ...(reason === undefined ? {} : { reason }) });
  }

  /** Open questions, oldest first. */
  async questions(options: CallOptions = {}): Promise<Question[]> {
    return (await this.#get<QuestionList>('/v1/questions', 'questions', options.signal)).questions;
  }

  /** Answers a question with `selected` and `custom`, or with `decline`. */
  async answer(
    id: string,
    answer: AnswerRequest,
    options: CallOptions = {},
  ): Promise<Readonly<QuestionResult>> {
    const { body } = await this.#caller.call(
      {
        method: 'POST',
        path: `/v1/questions/${encodeURIComponent(id)}/answer`,
        body: JSON.stringify(answer),
        isRepeatable: false,
      },
      options.signal,
    );
    return readQuestion(body);
  }

  /** Sessions with what is remembered for them. */
  sessions(options: CallOptions = {}): Promise<SessionList> {
    return this.#get<SessionList>('/v1/sessions', 'sessions', options.signal);
  }

  /** Ends a session and forgets what is remembered for it. */
  async endSession(id: string): Promise<void> {
    await this.#delete(`/v1/sessions/${encodeURIComponent(id)}`);
  }

  /** Everything that is remembered. */
  async grants(options: CallOptions = {}): Promise<Grant[]> {
    const { body } = await this.#caller.call(
      { method: 'GET', path: '/v1/grants', isRepeatable: true },
      options.signal,
    );
    if (Array.isArray(body)) return body as Grant[];
    throw new GateUnavailableError('answer', 'Handraise answered without the grants.');
  }

  /** Takes a grant back. */
  async revoke(id: string): Promise<void> {
    await this.#delete(`/v1/grants/${encodeURIComponent(id)}`);
  }

  /** What happens, as it happens. */
  events(options: EventsOptions = {}): AsyncGenerator<StreamedEvent, void> {
    return listen(this.#caller, options);
  }

  /** Closes the connections that wait for the next request. The approver can still be used. */
  close(): void {
    this.#caller.close();
  }

  async #get<T>(path: string, field: string, signal?: AbortSignal): Promise<T> {
    const { body } = await this.#caller.call({ method: 'GET', path, isRepeatable: true }, signal);
    if (isObject(body) && Array.isArray(body[field])) return deepFreeze(body as T) as T;
    throw new GateUnavailableError('answer', `Handraise answered without ${field}.`);
  }

  #delete(path: string) {
    return this.#caller.call({ method: 'DELETE', path, isRepeatable: true });
  }
}

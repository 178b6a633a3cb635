import { isObject } from '../json.js';
import type { Message } from './json-rpc.js';

/** What handlers get beside the request: of SDK 1.x, or of 2.x. */
export type Extra = FirstExtra | SecondContext;

interface FirstExtra {
  signal: AbortSignal;
  /** The session that the transport has opened. */
  sessionId?: string;
  /** Of a request over HTTP. */
  requestInfo?: unknown;
  authInfo?: { token?: string };
  sendNotification(notification: never): Promise<void>;
}

interface SecondContext {
  sessionId?: string;
  mcpReq: {
    signal: AbortSignal;
    notify(notification: never): Promise<void>;
    /** What the SDK has taken out of the parameters. */
    envelope?: Record<string, unknown>;
    inputResponses?: Record<string, unknown>;
    requestState(): unknown;
  };
  /** Of a request over HTTP. */
  http?: { authInfo?: { token?: string } };
}

/** The same of both. */
export interface HandlerContext {
  signal: AbortSignal;
  sessionId: string | undefined;
  /** The token that the server has checked. */
  token: string | undefined;
  isHttp: boolean;
  notify(message: Message): void;
  /** The parameters of the request as they came. */
  whole(params: Record<string, unknown>): Record<string, unknown>;
}

/** Reads what handlers get beside the request. */
export function readContext(extra: Extra): HandlerContext {
  if (!('mcpReq' in extra)) {
    return {
      signal: extra.signal,
      sessionId: extra.sessionId,
      token: extra.authInfo?.token,
      isHttp: extra.requestInfo !== undefined,
      notify: (message) => void extra.sendNotification(message as never).catch(() => {}),
      whole: (params) => params,
    };
  }
  const { mcpReq, http, sessionId } = extra;
  return {
    signal: mcpReq.signal,
    sessionId,
    token: http?.authInfo?.token,
    isHttp: http !== undefined,
    notify: (message) => void mcpReq.notify(message as never).catch(() => {}),
    whole: (params) => {
      const { envelope, inputResponses } = mcpReq;
      const requestState = mcpReq.requestState();
      const meta = { ...(isObject(params['_meta']) ? params['_meta'] : {}), ...envelope };
      return {
        ...params,
        ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
        ...(inputResponses === undefined ? {} : { inputResponses }),
        ...(requestState === undefined ? {} : { requestState }),
      };
    },
  };
}

import { isObject } from '../../json.js';
import type { Message, Request } from '../json-rpc.js';
import { announces, ASKING, capabilitiesIn, TASKS, withCapabilities } from '../revision.js';

/** The ways in which a client can ask its person. */
export interface Modes {
  form: boolean;
  url: boolean;
}

/** Revisions before 2026-07-28 in which servers can ask, and whether there are two ways to. */
const AGREED: Record<string, { hasUrl: boolean }> = {
  '2025-06-18': { hasUrl: false },
  '2025-11-25': { hasUrl: true },
};

/** What `capabilities` of a client say; `elicitation: {}` means a form. */
export function modesOf(capabilities: unknown): Modes {
  const modes = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  if (!isObject(modes)) return { form: false, url: false };
  const has = (name: string) => isObject(modes[name]);
  return { form: has('form') || !has('url'), url: has('url') };
}

/** What the client of a request that names its revision can ask. */
export function modesIn(message: Message): Modes {
  return modesOf(capabilitiesIn(message));
}

/**
 * `message`, as a client would send it that can ask its person in every way of its revision: a client that cannot still
 * has one, who can be asked here.
 */
export function askingEverything(message: Request): Request {
  if (message.method === 'initialize') {
    const { params = {} } = message;
    const known = AGREED[String(params['protocolVersion'])];
    const capabilities = params['capabilities'] ?? {};
    if (known === undefined || !isObject(capabilities)) return message;
    const own = modesOf(capabilities);
    if (own.form && (own.url || !known.hasUrl)) return message;
    const elicitation = known.hasUrl ? both(capabilities) : {};
    return { ...message, params: { ...params, capabilities: { ...capabilities, elicitation } } };
  }
  const capabilities = capabilitiesIn(message);
  if (!ASKING.includes(message.method) || !isObject(capabilities)) return message;
  // The questions of a task come later, to the client alone.
  if (announces(message, TASKS)) return message;
  const own = modesOf(capabilities);
  return own.form && own.url
    ? message
    : withCapabilities(message, { ...capabilities, elicitation: both(capabilities) });
}

function both({ elicitation }: Record<string, unknown>): Record<string, unknown> {
  return { form: {}, url: {}, ...(isObject(elicitation) ? elicitation : {}) };
}

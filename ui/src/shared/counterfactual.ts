import type { Preview } from '../generated/protocol';
import { m } from '../paraglide/messages.js';
import { number } from './format';

/** Whether a person denied a call that the rule would have let pass. */
export function wasDenied(preview: Preview): boolean {
  return preview.denied_by_person.length > 0;
}

/** What a rule would have done to the calls of the past, in one sentence. */
export function counterfactual(preview: Preview): string {
  if (preview.calls === 0) return m.preview_no_calls();
  const calls = number(preview.calls);
  if (preview.matched === 0) return m.preview_none({ calls });
  const inputs = { calls, count: number(preview.would_allow) };
  if (preview.would_allow === 0) return m.preview_stops({ calls, count: stopped(preview) });
  if (!wasDenied(preview)) return m.preview_allows({ ...inputs });
  return m.preview_allows_denied({ ...inputs, denied: number(preview.denied_by_person.length) });
}

function stopped(preview: Preview): string {
  return number(preview.would_ask + preview.would_deny);
}

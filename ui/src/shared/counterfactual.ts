import type { Preview } from '../generated/protocol';
import { m } from '../paraglide/messages.js';

/** Whether a person denied a call that the rule would have let pass. */
export function wasDenied(preview: Preview): boolean {
  return preview.denied_by_person.length > 0;
}

/** What a rule would have done to the calls of the past, in one sentence. */
export function counterfactual(preview: Preview): string {
  if (preview.calls === 0) return m.preview_no_calls();
  const calls = preview.calls.toLocaleString('en');
  if (preview.matched === 0) return m.preview_none({ calls });
  const inputs = { calls, count: preview.would_allow.toLocaleString('en') };
  if (preview.would_allow === 0) return m.preview_stops({ calls, count: stopped(preview) });
  if (!wasDenied(preview)) return m.preview_allows({ ...inputs });
  return m.preview_allows_denied({ ...inputs, denied: preview.denied_by_person.length.toLocaleString('en') });
}

function stopped(preview: Preview): string {
  return (preview.would_ask + preview.would_deny).toLocaleString('en');
}

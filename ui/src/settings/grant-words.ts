import type { Grant } from '../generated/protocol';
import { m } from '../paraglide/messages.js';

/** Which calls a grant covers, in words. */
export function grantCovers(grant: Grant): string {
  const { matcher } = grant;
  const tool = matcher.server ? `${matcher.server}: ${matcher.tool}` : matcher.tool;
  if (matcher.kind === 'tool') return m.grant_tool({ tool });
  return matcher.cwd ? m.grant_exact_in({ tool, folder: matcher.cwd }) : m.grant_exact({ tool });
}

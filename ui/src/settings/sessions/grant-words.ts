import type { Grant } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { listed } from '../../shared/words';

/** Which calls a grant covers, in words, and for which tasks it holds only while they run the same. */
export function grantCovers(grant: Grant): string {
  const calls = (grant.tasks ?? []).filter(({ text }) => text !== '').map(({ call }) => call);
  const covered = callsOf(grant);
  return calls.length > 0 ? m.grant_while({ covered, calls: listed([...new Set(calls)]) }) : covered;
}

function callsOf({ matcher }: Grant): string {
  switch (matcher.kind) {
    case 'exact': {
      const tool = named(matcher);
      return matcher.cwd ? m.grant_exact_in({ tool, folder: matcher.cwd }) : m.grant_exact({ tool });
    }
    case 'command': {
      const patterns = listed(matcher.patterns);
      return matcher.project
        ? m.grant_command_in({ patterns, folder: matcher.project })
        : m.grant_command({ patterns });
    }
    case 'folder': {
      const { folder } = matcher;
      return matcher.class === 'file_read' ? m.grant_reads({ folder }) : m.grant_writes({ folder });
    }
    case 'tool':
      return m.grant_tool({ tool: named(matcher) });
  }
}

function named({ tool, server }: { tool: string; server?: string }): string {
  return server ? `${server}: ${tool}` : tool;
}

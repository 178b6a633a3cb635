import type { Approval, Provenance } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';

/** Something known about where a request comes from. */
export type ProvenanceFact = { label: string; value: string };

/** What is known besides the programs. */
export function provenanceFacts(origin: Provenance): ProvenanceFact[] {
  const { repository } = origin;
  const facts: { label: string; value: string | undefined }[] = [
    { label: m.provenance_terminal(), value: origin.terminal },
    { label: m.provenance_folder(), value: origin.folder },
    {
      label: m.provenance_repository(),
      value: repository?.folder === origin.folder ? undefined : repository?.folder,
    },
    { label: m.provenance_branch(), value: repository?.branch },
    { label: m.provenance_commit(), value: repository?.commit },
    { label: m.provenance_worktree(), value: repository?.worktree_of },
    { label: m.provenance_container(), value: origin.container },
    { label: m.provenance_ssh(), value: origin.ssh },
  ];
  return facts.flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]));
}

/** Whether the asking program contradicts what the requester claims. */
export function isContradicted({ findings }: Pick<Approval, 'findings'>): boolean {
  return (findings ?? []).some((finding) => finding.kind === 'contradiction');
}

/** The project, unless the line that says where the request comes from names it already. */
export function otherProject({ project, origin }: Pick<Approval, 'project' | 'origin'>): string | undefined {
  const folder = origin?.repository?.folder ?? origin?.folder;
  return folder?.split('/').at(-1) === project ? undefined : project;
}

/** Where a request comes from, without the name of the agent where that stands before it already. */
export function whereFrom(agent: string, { summary }: Provenance): string {
  return summary.startsWith(`${agent} `) ? summary.slice(agent.length + 1) : summary;
}

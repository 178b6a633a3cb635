import type { Session } from '../../generated/protocol';

/** The sessions of one project. */
export type SessionGroup = {
  /** Path of its folder; nothing where it is not known. */
  project: string | undefined;
  /** What to call it: the name of its folder. */
  name: string | undefined;
  sessions: Session[];
};

/** Sessions by project, each in the order that they come in; what belongs to no project comes last. */
export function byProject(sessions: readonly Session[]): SessionGroup[] {
  const groups = new Map<string | undefined, SessionGroup>();
  for (const session of sessions) {
    const { project } = session;
    const group = groups.get(project) ?? { project, name: nameOf(project), sessions: [] };
    group.sessions.push(session);
    groups.set(project, group);
  }
  const all = [...groups.values()];
  return [
    ...all.filter(({ project }) => project !== undefined),
    ...all.filter(({ project }) => project === undefined),
  ];
}

function nameOf(project: string | undefined): string | undefined {
  return project?.split(/[\\/]/).findLast((part) => part !== '') ?? project;
}

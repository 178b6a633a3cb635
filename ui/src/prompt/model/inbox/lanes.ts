import type { Approval, SubAgent } from '../../../generated/protocol';
import { isFoundIn } from '../../../shared/search';
import { agentTitle } from '../../../shared/words';
import { plainText } from '../../../text/marks';
import { warningsOf } from '../request/findings';
import type { Waiting } from '../request/waiting';

/** Calls of one session that look alike, as `pytest a` and `pytest b`; they can be answered together. */
export type Group = { members: Approval[]; shape: string };

/** What one session waits for, or one of its sub-agents. */
export type Lane = {
  id: string;
  agent: string;
  project: string | undefined;
  /** The sub-agent, as its agent calls it. */
  subAgent: string | undefined;
  /** How many requests and questions there are in it. */
  count: number;
  entries: (Waiting | Group)[];
};

/** Longest command line that is answered together with others, in characters: all of them have to be read. */
const MAX_LINE = 300;
/** A word that says what a program is to do, as `test` in `cargo test`. */
const VERB = /^[a-z][a-z0-9:-]*$/;

/** Whether it is a group, and no single request. */
export function isGroup(entry: Waiting | Group): entry is Group {
  return 'members' in entry;
}

/** Who asks: a name that is only claimed is never the one that is proved. */
function agentKey(one: Waiting): string {
  return JSON.stringify([one.agent ?? null, one.agent_verified]);
}

function sessionKey(one: Waiting): string {
  const { session } = one;
  return JSON.stringify([agentKey(one), session ? [session.requester, session.agent, session.id] : null]);
}

function laneKey(one: Waiting): string {
  return JSON.stringify([sessionKey(one), subAgentOf(one)?.id ?? null]);
}

function subAgentOf(one: Waiting): SubAgent | undefined {
  return 'question' in one ? undefined : one.sub_agent;
}

/**
 * What a call looks like, in words; the same for calls that can be answered together. Nothing for what has to be looked
 * at alone: what destroys, what is odd, what was not understood.
 */
export function shapeOf(approval: Approval): string | undefined {
  const { subject, risk, tasks = [] } = approval;
  const alone =
    risk.level === 'destructive' ||
    approval.has_hidden_characters ||
    approval.redacted ||
    approval.denied_by_walls !== undefined ||
    tasks.length > 0 ||
    warningsOf(approval).some((warning) => warning.weighs);
  if (alone) return undefined;
  switch (subject.kind) {
    case 'command':
      return commandShape(plainText(subject.line), subject.obstacle !== undefined);
    case 'edit':
    case 'write':
    case 'read':
      return `${approval.tool} ${folderOf(plainText(subject.path))}`;
    case 'fetch':
      return hostOf(plainText(subject.url));
    case 'arguments':
      return undefined;
  }
}

function commandShape(line: string, obstacle: boolean): string | undefined {
  // A line with a sign of the shell is more than its first words.
  if (obstacle || line.length > MAX_LINE || /[\n;&|<>$`(){}]/.test(line)) return undefined;
  const [program = '', verb = ''] = line.trim().split(/\s+/);
  if (program === '') return undefined;
  return VERB.test(verb) ? `${program} ${verb}` : program;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host || undefined : undefined;
}

/** Who asks, in which session, and what it can be answered together with. */
type Keys = { agent: string; session: string; lane: string; group: string };

/** Requests never change, and a thousand of them may wait. */
const KNOWN = new WeakMap<Waiting, Keys>();

function keysOf(one: Waiting): Keys {
  const known = KNOWN.get(one) ?? {
    agent: agentKey(one),
    session: sessionKey(one),
    lane: laneKey(one),
    group: groupKey(one),
  };
  KNOWN.set(one, known);
  return known;
}

/** What has to be the same in all calls of a group: where they run, and what is said about the whole call. */
function groupKey(one: Waiting): string {
  if ('question' in one) return one.id;
  const shape = shapeOf(one);
  if (shape === undefined) return one.id;
  const { risk, effect, project, cwd = [], subject, tool, server, rule } = one;
  const actions = subject.kind === 'command' ? subject.parts.map((part) => part.action) : [];
  const said = [tool, server, risk, effect, project, plainText(cwd), rule, actions];
  return JSON.stringify([shape, ...said]);
}

/**
 * What waits in the order of its lanes: by agent, by session, by sub-agent, what is of one step or looks alike together, and everything
 * where its first one stood.
 */
export function inLanes<Some extends Waiting>(all: readonly Some[]): Some[] {
  const first = new Map<string, number>();
  const place = (key: string, index: number): number => {
    const known = first.get(key) ?? index;
    first.set(key, known);
    return known;
  };
  const placed = all.map((one, index) => {
    const { agent, session, lane, group } = keysOf(one);
    const batch = 'batch' in one && one.batch !== undefined ? one.batch : one.id;
    const step = place(`step ${lane} ${batch}`, index);
    const block = place(`block ${lane} ${group}`, step);
    const own = place(`group ${lane} ${group}`, index);
    const who = [
      place(`agent ${agent}`, index),
      place(`session ${session}`, index),
      place(`lane ${lane}`, index),
    ];
    return { one, order: [...who, block, own, index] };
  });
  placed.sort((one, other) => compared(one.order, other.order));
  return placed.map(({ one }) => one);
}

function compared(one: readonly number[], other: readonly number[]): number {
  for (const [level, place] of one.entries()) {
    const difference = place - (other[level] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The lanes of what stands in their order already. */
export function lanesOf(ordered: readonly Waiting[]): Lane[] {
  const lanes: Lane[] = [];
  let before: string | undefined;
  for (const one of ordered) {
    const { lane: id, group } = keysOf(one);
    let lane = lanes.at(-1);
    if (lane?.id !== id) {
      lane = {
        id,
        agent: agentTitle(one),
        project: one.project,
        subAgent: subAgentOf(one)?.title,
        count: 0,
        entries: [],
      };
      lanes.push(lane);
      before = undefined;
    }
    lane.count += 1;
    const last = lane.entries.at(-1);
    if (last === undefined || group !== before || 'question' in one) lane.entries.push(one);
    else if (isGroup(last)) last.members.push(one);
    else if (!('question' in last))
      lane.entries.splice(-1, 1, { members: [last, one], shape: shapeOf(one) ?? '' });
    before = group;
  }
  return lanes;
}

/** The open calls that look like `approval` and come from the same session, with it; empty when it is the only one. */
export function groupOf(pending: readonly Approval[], approval: Approval): Approval[] {
  const { lane, group } = keysOf(approval);
  if (group === approval.id) return [];
  const all = pending.filter((other) => keysOf(other).lane === lane && keysOf(other).group === group);
  return all.length > 1 ? all : [];
}

/** Whether a request or a question has all these words in what a list shows of it. */
export function isFound(one: Waiting, text: string): boolean {
  const own = [one.title, agentTitle(one), one.project ?? ''];
  if (!('question' in one)) own.push(one.tool, one.server ?? '', plainText(one.cwd ?? []), ...textOf(one));
  return isFoundIn(own.join('\n'), text);
}

function textOf({ subject }: Approval): string[] {
  switch (subject.kind) {
    case 'command':
      return [plainText(subject.line)];
    case 'edit':
    case 'write':
    case 'read':
      return [plainText(subject.path)];
    case 'fetch':
      return [plainText(subject.url)];
    case 'arguments':
      return [];
  }
}

// How the table of a policy is read. Its keys are those of the policy file (docs/policy.md). What is answered without the
// app is a part of them; every other key is refused by its name, because a condition that is left out makes a rule wider.

import type { Action, Preset, RiskLevel } from '../generated/protocol.js';
import { isObject } from '../json.js';
import { unknownKey } from '../keys.js';

/** The action for a risk level when no rule matches. */
export type RiskActions = Readonly<Partial<Record<RiskLevel, Action>>>;

/** One rule. */
export interface RuleTable {
  /**
   * A glob on the tool's name, or `name:arguments`: one on the name and one on the RFC 8785 text of the arguments, divided
   * at the first colon. `*` is any text, `?` one character.
   */
  readonly pattern: string;
  readonly action: Action;
  /** Shown to the person and, for `deny`, to the model. */
  readonly reason?: string;
  /** No later rule makes the answer laxer than this one. Not with `allow`. */
  readonly final?: boolean;
}

/** What differs for one agent. Its rules come after the general ones. */
export interface AgentTable {
  readonly risk?: RiskActions;
  readonly rule?: readonly RuleTable[];
}

/** A starting point that is answered without the app. The rules of `workspace` are about paths and commands. */
export type OfflinePreset = Exclude<Preset, 'workspace'>;

/** A policy, with the keys of a policy file. */
export interface PolicyTable extends AgentTable {
  readonly version?: 1;
  /** Default: `practical`. */
  readonly preset?: OfflinePreset;
  /** For tools without a declared risk; the stricter of this and the action for `write` counts. Default: as in the preset. */
  readonly unknown_tools?: Action;
  /** What differs for single agents, by name. */
  readonly agent?: Readonly<Record<string, AgentTable>>;
}

/** The policy cannot be used. */
export class PolicyError extends Error {
  override readonly name: string = 'PolicyError';
}

/** A key of a policy that only the running app answers, or that there is not. */
export class UnsupportedKeyError extends PolicyError {
  override readonly name = 'UnsupportedKeyError';
  /** The key, as `command`. */
  readonly key: string;
  /** Where it stands, as `a rule`. */
  readonly place: string;

  constructor(key: string, place: string, known: readonly string[]) {
    super(
      `\`${key}\` in ${place} is not answered without the app, which knows ${known.join(', ')} here; ` +
        'ask the running app: Gate.evaluate, or HandraiseApprovalHandler',
    );
    this.key = key;
    this.place = place;
  }
}

const FILE_KEYS = ['version', 'preset', 'unknown_tools', 'risk', 'rule', 'agent'];
const AGENT_KEYS = ['risk', 'rule'];
const RISK_KEYS = ['read_only', 'write', 'destructive'];
const RULE_KEYS = ['pattern', 'action', 'reason', 'final'];
const ACTIONS = ['allow', 'ask', 'deny'] as const;
const PRESETS = ['practical', 'strict', 'autonomous'] as const;
/** Longest reason, in bytes. */
const MAX_REASON = 1000;

/**
 * A copy of a policy's table that has been looked through: what becomes of the original later changes nothing.
 *
 * @throws {@link UnsupportedKeyError} for a key that is not answered here.
 * @throws {@link PolicyError} for anything else that the app would refuse.
 */
export function readTable(given: PolicyTable): PolicyTable {
  const table = structuredClone(object(given, 'a policy'));
  checkKeys(table, 'a policy', FILE_KEYS);
  if (table['version'] !== undefined && table['version'] !== 1) {
    throw new PolicyError(`version ${JSON.stringify(table['version'])} is not known; there is: 1`);
  }
  // Its rules are about paths and commands, which only the app looks into.
  if (table['preset'] === 'workspace') throw new UnsupportedKeyError('preset', 'a policy', PRESETS);
  if (table['preset'] !== undefined) word(table['preset'], PRESETS, 'preset');
  if (table['unknown_tools'] !== undefined) word(table['unknown_tools'], ACTIONS, 'unknown_tools');
  checkRules(table);
  for (const [name, own] of Object.entries(object(table['agent'] ?? {}, '`agent`'))) {
    if (name.trim() === '') throw new PolicyError('an agent has no name');
    checkKeys(object(own, `\`agent.${name}\``), 'the table of an agent', AGENT_KEYS);
    checkRules(own as Record<string, unknown>);
  }
  return table as PolicyTable;
}

/** Looks through the risk actions and rules of a table. */
function checkRules(table: Record<string, unknown>): void {
  const risk = object(table['risk'] ?? {}, '`risk`');
  checkKeys(risk, '`risk`', RISK_KEYS);
  for (const [level, action] of Object.entries(risk)) word(action, ACTIONS, level);
  const rules = table['rule'] ?? [];
  if (!Array.isArray(rules)) throw new PolicyError('`rule` is a list of rules');
  for (const given of rules) {
    const rule = object(given, 'a rule');
    checkKeys(rule, 'a rule', RULE_KEYS);
    const { pattern, action, reason, final } = rule;
    if (typeof pattern !== 'string') throw new PolicyError('a rule needs `pattern`, which is text');
    word(action, ACTIONS, 'action');
    if (reason !== undefined && typeof reason !== 'string')
      throw new PolicyError('the `reason` of a rule is text');
    if (Buffer.byteLength(reason ?? '') > MAX_REASON) {
      throw new PolicyError(`the reason is longer than ${MAX_REASON} bytes`);
    }
    if (final !== undefined && typeof final !== 'boolean') throw new PolicyError('`final` is true or false');
    if (final === true && action === 'allow') {
      throw new PolicyError('a final rule denies or asks; an allow rule cannot be final');
    }
  }
}

function checkKeys(table: Record<string, unknown>, place: string, known: readonly string[]): void {
  const key = unknownKey(table, known);
  if (key !== undefined) throw new UnsupportedKeyError(key, place, known);
}

function object(value: unknown, what: string): Record<string, unknown> {
  if (!isObject(value)) throw new PolicyError(`${what} is a table`);
  return value;
}

function word(value: unknown, words: readonly string[], key: string): void {
  if (typeof value !== 'string' || !words.includes(value)) {
    throw new PolicyError(`\`${key}\` is ${JSON.stringify(value)}; there are: ${words.join(', ')}`);
  }
}

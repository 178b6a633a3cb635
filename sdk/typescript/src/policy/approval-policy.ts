// Declarative rules, without a running app: the last rule that matches wins, then the action for the risk level. The
// answers are those of the Rust engine (`crates/policy/src/rules`), held by `sdk/vectors/policy.jsonl`, for everything that
// can be told from a tool's name, its arguments as text, the declared risk and the agent. What needs a look at command
// lines, SQL or the file system is the app's work: where a rule or default here would let a command line pass without
// naming the tool, the answer is `ask`.

import type { Action, RiskLevel } from '../generated/protocol.js';
import { isObject } from '../json.js';
import { argumentText } from './argument-text.js';
import { Glob, isOdd } from './glob.js';
import { isKnownToWrite, isShell } from './known-tools.js';
import {
  type OfflinePreset,
  type PolicyTable,
  type RiskActions,
  type RuleTable,
  readTable,
} from './table.js';

/** What a policy says about one call. */
export interface PolicyDecision {
  /** Never `confine`: without the app it is `ask`. */
  readonly action: Action;
  /** The rule that matched, if any. */
  readonly rule?: RuleTable;
  readonly risk: RiskLevel;
  /** Words for a person and for the model; never empty. */
  readonly reason: string;
}

interface Rule {
  readonly table: RuleTable;
  readonly name: Glob;
  readonly parts?: { readonly name: Glob; readonly text: Glob };
}

interface Agent {
  readonly risk: RiskActions;
  readonly rules: readonly Rule[];
}

const LEVELS: readonly RiskLevel[] = ['read_only', 'write', 'destructive'];
const ORDER: readonly Action[] = ['allow', 'confine', 'ask', 'deny'];
const PRESETS: Record<OfflinePreset, { risk: Record<RiskLevel, Action>; unknown: Action }> = {
  practical: { risk: { read_only: 'allow', write: 'ask', destructive: 'deny' }, unknown: 'ask' },
  strict: { risk: { read_only: 'ask', write: 'ask', destructive: 'ask' }, unknown: 'ask' },
  autonomous: { risk: { read_only: 'allow', write: 'allow', destructive: 'allow' }, unknown: 'allow' },
};
/** Longest name of a tool that the app takes, in bytes. */
const MAX_NAME = 512;

/** An ordered list of rules with an action for each risk level. Without any rule it is a policy, too. */
export class ApprovalPolicy {
  readonly #risk: Record<RiskLevel, Action>;
  readonly #unknown: Action;
  readonly #rules: readonly Rule[];
  readonly #agents: ReadonlyMap<string, Agent>;

  /**
   * @param table - The policy, with the keys of a policy file. A file that was read (with a TOML library) will do.
   * @throws {@link UnsupportedKeyError} for a key that only the running app answers. Nothing is left out.
   * @throws {@link PolicyError} for anything else that the app would refuse.
   */
  constructor(table: PolicyTable = {}) {
    const { preset = 'practical', unknown_tools, risk, rule, agent } = readTable(table);
    this.#risk = { ...PRESETS[preset].risk, ...risk };
    this.#unknown = unknown_tools ?? PRESETS[preset].unknown;
    this.#rules = (rule ?? []).map(ruleOf);
    this.#agents = new Map(
      Object.entries(agent ?? {}).map(([name, own]) => [
        name,
        { risk: own.risk ?? {}, rules: (own.rule ?? []).map(ruleOf) },
      ]),
    );
  }

  /** The action for a call; see {@link ApprovalPolicy.evaluate}. */
  decide(tool: string, args: Record<string, unknown> = {}, risk?: RiskLevel, agent?: string): Action {
    return this.evaluate(tool, args, risk, agent).action;
  }

  /**
   * What the policy says about a call. The same words have the same answer.
   *
   * @param risk - Declared by the tool. Absent: not declared, which counts as `write`. A word that is no level asks.
   * @param agent - The name of the agent that calls.
   * @throws TypeError when the arguments are no object.
   */
  evaluate(
    tool: string,
    args: Record<string, unknown> = {},
    risk?: RiskLevel,
    agent?: string,
  ): PolicyDecision {
    if (!isObject(args)) throw new TypeError('the arguments of a call are an object');
    if (risk !== undefined && !LEVELS.includes(risk)) {
      return { action: 'ask', risk: 'write', reason: `The risk level \`${String(risk)}\` is not known.` };
    }
    const shell = isShell(tool, args);
    const writes = shell || isKnownToWrite(tool, args);
    const level = risk === undefined || (writes && risk === 'read_only') ? 'write' : risk;
    const own = agent === undefined ? undefined : this.#agents.get(agent);
    const { rule, confines } = winner([...this.#rules, ...(own?.rules ?? [])], tool, args, shell);
    if (rule) {
      const action = confines ? stricter(rule.table.action, 'confine') : rule.table.action;
      return heldBack({ action, rule: rule.table, risk: level, reason: sentence(rule.table, tool) }, tool);
    }
    const defaults = { ...this.#risk, ...own?.risk };
    let action = defaults[level];
    if (risk === undefined && !writes) action = stricter(action, this.#unknown);
    if (confines) action = stricter(action, 'confine');
    let reason = action === 'deny' ? `Policy denies '${tool}'` : `No rule matches; the risk is ${level}.`;
    if (shell) {
      // Its parts may only read, and may write, whatever is declared about the whole.
      const least = stricter(stricter('ask', defaults.read_only), defaults.write);
      if (stricter(action, least) !== action) {
        action = least;
        reason = 'A command line is looked into by the app only.';
      }
    }
    return heldBack({ action, risk: level, reason }, tool);
  }
}

function ruleOf(table: RuleTable): Rule {
  const colon = table.pattern.indexOf(':');
  const [name, text] = [table.pattern.slice(0, colon), table.pattern.slice(colon + 1)];
  if (colon <= 0 || text === '') return { table, name: Glob.ofNames(table.pattern) };
  return { table, name: new Glob(table.pattern), parts: { name: Glob.ofNames(name), text: new Glob(text) } };
}

/** The last rule that applies, or a stricter final one; and whether one behind it that confines may be meant. */
function winner(
  rules: readonly Rule[],
  tool: string,
  args: Record<string, unknown>,
  shell: boolean,
): { rule: Rule | undefined; confines: boolean } {
  const text = rules.some(({ parts }) => parts) ? argumentText(args) : undefined;
  let last: Rule | undefined;
  let confines = false;
  for (const rule of rules.toReversed()) {
    if (last && !(rule.table.final && isStricter(rule.table.action, last.table.action))) continue;
    if (applies(rule, rule.table.action, tool, text, shell)) last = rule;
    else if (!last && rule.table.action === 'confine' && applies(rule, 'ask', tool, text, shell))
      confines = true;
  }
  return { rule: last, confines };
}

/** Whether a rule is about this call; `text` is that of the arguments, `undefined` where there is none to be used. */
function applies(
  { name, parts }: Rule,
  action: Action,
  tool: string,
  text: string | undefined,
  shell: boolean,
): boolean {
  // The tool's name comes first: it may have a colon in it, and the agent does not write it.
  if (name.matches(tool)) return true;
  if (!parts?.name.matches(tool)) return false;
  const loosens = isStricter('ask', action);
  if (text === undefined) return !loosens;
  if (!parts.text.matches(text)) return false;
  // A glob over a command line is a hole: `git *` would cover `git status; rm -rf ~`.
  return !(shell && loosens && !parts.text.isExact);
}

/** Nothing is allowed under a name that the app does not take, and nothing is confined without the app. */
function heldBack(decision: PolicyDecision, tool: string): PolicyDecision {
  if (decision.action === 'confine') {
    const reason = 'It would run confined, but only the app confines calls.';
    return { action: 'ask', risk: decision.risk, reason };
  }
  const isName = tool.trim() !== '' && Buffer.byteLength(tool) <= MAX_NAME && !isOdd(tool);
  if (decision.action !== 'allow' || isName) return decision;
  return { action: 'ask', risk: decision.risk, reason: "The tool's name is no plain text." };
}

function sentence({ pattern, action, reason }: RuleTable, tool: string): string {
  if (action === 'deny') return reason || `Policy denies '${tool}'`;
  const verb = action === 'allow' ? 'allows' : 'asks about';
  return `The rule \`${pattern}\` ${verb} it${reason ? `: ${reason}` : ''}.`;
}

function stricter(one: Action, other: Action): Action {
  return isStricter(other, one) ? other : one;
}

function isStricter(one: Action, other: Action): boolean {
  return ORDER.indexOf(one) > ORDER.indexOf(other);
}

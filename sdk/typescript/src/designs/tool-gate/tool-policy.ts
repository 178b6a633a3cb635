import { deepFreeze } from '../../errors.js';
import { unknownKey } from '../../keys.js';
import type { MatchedRule, ToolGateContext, ToolGateDecision } from './tool-gate.js';

/** What one scope says about tools. */
export interface ToolPolicy {
  /** With this list, the scope denies every tool that is not on it. */
  allow?: readonly string[];
  deny?: readonly string[];
  requireApproval?: readonly string[];
  /** The scope counts only for calls that meet all of these. */
  conditions?: ToolPolicyConditions;
}

/** Who a scope is for. */
export interface ToolPolicyConditions {
  role?: readonly string[];
  userId?: readonly string[];
  /** Values that the metadata of the call must have. */
  metadata?: Readonly<Record<string, string | number | boolean>>;
}

/** Scopes from the widest to the narrowest. A denial of any of them wins. */
export interface ToolPolicies {
  default?: ToolPolicy;
  /** By intent. */
  intents?: Readonly<Record<string, ToolPolicy>>;
  /** By agent. */
  agents?: Readonly<Record<string, ToolPolicy>>;
  /** The last one that matches stands in the place of all scopes. */
  overrides?: readonly (ToolPolicy & { id: string; intentId?: string; agentId?: string })[];
}

/** The policies contradict themselves, or have a key that there is not. */
export class ToolPolicyError extends Error {
  override readonly name = 'ToolPolicyError';
}

interface Scope {
  scope: MatchedRule['scope'];
  source: string;
  policy: ToolPolicy;
}

/**
 * A function that decides by these policies, as they are now: what becomes of the object later changes nothing. It asks
 * nobody and changes nothing.
 *
 * @throws {@link ToolPolicyError} when a tool is denied and also allowed, or asked about, in one scope, and for a key that
 * there is not: a condition that is passed over makes a scope wider.
 */
export function toolPolicy(
  given: ToolPolicies,
): (toolId: string, context: ToolGateContext) => ToolGateDecision {
  // Nobody who holds the original can take a denial out of it, and nobody who gets a decision.
  const policies = deepFreeze(structuredClone(given));
  checkKeys(policies, 'the policies', POLICIES_KEYS);
  allScopes(policies).forEach(check);
  return (toolId, context) => {
    const matchedRules = scopesFor(policies, context).flatMap((scope) => rulesOf(scope, toolId));
    const deniedBy = matchedRules.find(({ effect }) => effect === 'deny');
    return {
      toolId,
      allowed: deniedBy === undefined,
      requireApproval:
        deniedBy === undefined && matchedRules.some(({ effect }) => effect === 'requireApproval'),
      matchedRules,
      ...(deniedBy ? { deniedBy } : {}),
    };
  };
}

function allScopes({ default: general, intents = {}, agents = {}, overrides = [] }: ToolPolicies): Scope[] {
  const named = (scope: 'intent' | 'agent', policies: Readonly<Record<string, ToolPolicy>>) =>
    Object.entries(policies).map(([source, policy]) => ({ scope, source, policy }));
  return [
    ...(general ? [{ scope: 'default' as const, source: 'default', policy: general }] : []),
    ...named('intent', intents),
    ...named('agent', agents),
    ...overrides.map((policy) => ({ scope: 'override' as const, source: policy.id, policy })),
  ];
}

function scopesFor(policies: ToolPolicies, context: ToolGateContext): Scope[] {
  const { intentId, agentId } = context;
  const override = policies.overrides?.findLast(
    (candidate) =>
      (candidate.intentId === undefined || candidate.intentId === intentId) &&
      (candidate.agentId === undefined || candidate.agentId === agentId) &&
      holds(candidate, context),
  );
  return allScopes(policies).filter(({ scope, source, policy }) => {
    if (override) return policy === override;
    const isMeant =
      scope === 'default' ||
      (scope === 'intent' && source === intentId) ||
      (scope === 'agent' && source === agentId);
    return isMeant && holds(policy, context);
  });
}

function holds({ conditions }: ToolPolicy, { role, userId, metadata }: ToolGateContext): boolean {
  const isAmong = (list: readonly string[] | undefined, value: string | undefined) =>
    list === undefined || (value !== undefined && list.includes(value));
  const wanted = Object.entries(conditions?.metadata ?? {});
  return (
    isAmong(conditions?.role, role) &&
    isAmong(conditions?.userId, userId) &&
    wanted.every(([name, value]) => metadata?.[name] === value)
  );
}

function rulesOf({ scope, source, policy }: Scope, toolId: string): MatchedRule[] {
  const rules: MatchedRule[] = [];
  if (policy.deny?.includes(toolId)) rules.push({ scope, source, effect: 'deny' });
  if (policy.allow) {
    if (policy.allow.includes(toolId)) rules.push({ scope, source, effect: 'allow' });
    else if (!policy.requireApproval?.includes(toolId)) {
      rules.push({ scope, source, effect: 'deny', reason: 'The tool is not on the list of allowed tools' });
    }
  }
  if (policy.requireApproval?.includes(toolId)) {
    rules.push({ scope, source, effect: 'requireApproval', reason: 'Tool requires explicit approval' });
  }
  return rules;
}

const POLICIES_KEYS = ['default', 'intents', 'agents', 'overrides'];
const POLICY_KEYS = ['allow', 'deny', 'requireApproval', 'conditions'];
const OVERRIDE_KEYS = [...POLICY_KEYS, 'id', 'intentId', 'agentId'];
const CONDITIONS_KEYS = ['role', 'userId', 'metadata'];

function checkKeys(table: object, place: string, known: readonly string[]): void {
  const key = unknownKey(table, known);
  if (key !== undefined) {
    throw new ToolPolicyError(`${place}: '${key}' is not known; there are: ${known.join(', ')}`);
  }
}

function check({ scope, source, policy }: Scope): void {
  const place = `${scope} ${source}`;
  checkKeys(policy, place, scope === 'override' ? OVERRIDE_KEYS : POLICY_KEYS);
  checkKeys(policy.conditions ?? {}, `conditions of ${place}`, CONDITIONS_KEYS);
  for (const list of ['allow', 'requireApproval'] as const) {
    const both = policy.deny?.find((tool) => policy[list]?.includes(tool));
    if (both !== undefined) {
      throw new ToolPolicyError(
        `${scope} ${source}: '${both}' is on both deny and ${list}; take it off one of them`,
      );
    }
  }
}

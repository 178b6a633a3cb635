import type { Action, Approval, RiskLevel } from '../generated/protocol';
import { m } from '../paraglide/messages.js';
import { number } from './format';

/** The risk level in one word. */
export function riskWord(level: RiskLevel): string {
  return { read_only: m.risk_read_only(), write: m.risk_write(), destructive: m.risk_destructive() }[level];
}

/** What the policy says, in one word. */
export function actionWord(action: Action): string {
  return { allow: m.action_allow(), confine: m.action_confine(), ask: m.action_ask(), deny: m.action_deny() }[
    action
  ];
}

/** What a rule does, in one word. */
export function ruleWord(action: Action): string {
  return { allow: m.rule_allows(), confine: m.rule_confines(), ask: m.rule_asks(), deny: m.rule_denies() }[
    action
  ];
}

/** How the risk level is known. */
export function riskBasis(approval: Approval): string {
  return {
    declared: m.risk_basis_declared(),
    annotations: m.risk_basis_annotations(),
    tool_table: m.risk_basis_tool_table(),
    command: m.risk_basis_command(),
    statement: m.risk_basis_statement(),
    unknown: m.risk_basis_unknown(),
  }[approval.risk.basis];
}

/** What to call who asks. The server puts a name that is only claimed into quotation marks. */
export function agentTitle({ agent_title }: { agent_title?: string }): string {
  return agent_title ?? m.agent_unnamed();
}

/** Who wants what, in one sentence made only from what is decided. */
export function asks(approval: Approval): string {
  const agent = agentTitle(approval);
  switch (approval.subject.kind) {
    case 'command':
      return m.asks_command({ agent });
    case 'edit':
      return m.asks_edit({ agent });
    case 'write':
      return m.asks_write({ agent });
    case 'read':
      return m.asks_read({ agent });
    case 'fetch':
      return m.asks_fetch({ agent });
    case 'arguments':
      return m.asks_tool({ agent, tool: approval.tool });
  }
}

/** A count with its noun. */
export function counted(count: number, one: string, many: (inputs: { count: string }) => string): string {
  return count === 1 ? one : many({ count: number(count) });
}

/** Several things in one line. */
export function listed(things: readonly (string | undefined)[]): string {
  const there = things.flatMap((thing) => thing || []);
  return there.length === 0 ? '' : there.reduce((first, second) => m.enumeration({ first, second }));
}

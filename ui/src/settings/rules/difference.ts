import type { PolicyDifference, RuleText, SettingChange } from '../../generated/protocol';

/** What happens to a rule. */
export type RuleChange = 'added' | 'removed' | 'moved';

/** One line of a difference; `allowsMore`: something may pass because of it. */
export type DifferenceRow =
  | { kind: RuleChange; rule: RuleText; allowsMore: boolean }
  | { kind: 'setting'; setting: SettingChange; allowsMore: boolean };

const STRICTNESS = ['allow', 'confine', 'ask', 'deny'];
const PRESETS = ['autonomous', 'workspace', 'practical', 'strict'];

/** A difference line by line. Nothing is marked when the whole of it lets no more pass. */
export function rowsOfDifference(difference: PolicyDifference): DifferenceRow[] {
  const { added, removed, moved, settings, loosens } = difference;
  const rules = (kind: RuleChange, all: RuleText[]): DifferenceRow[] =>
    all.map((rule) => ({ kind, rule, allowsMore: loosens && mayAllow(kind, rule) }));
  return [
    ...rules('added', added),
    ...rules('removed', removed),
    ...rules('moved', moved),
    ...settings.map((setting): DifferenceRow => ({
      kind: 'setting',
      setting,
      allowsMore: loosens && isLooser(setting),
    })),
  ];
}

/** A rule at another place may do anything that its neighbours did before. */
function mayAllow(kind: RuleChange, rule: RuleText): boolean {
  if (kind === 'moved') return true;
  const passes = rule.action === 'allow' || rule.action === 'confine';
  return kind === 'added' ? passes : rule.action !== 'allow';
}

function isLooser({ old, new: now }: SettingChange): boolean {
  return [STRICTNESS, PRESETS].some(
    (scale) => scale.includes(old) && scale.includes(now) && scale.indexOf(now) < scale.indexOf(old),
  );
}

import type { PresetComparison, Preset, ReplayCounts } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { counted } from '../../shared/words';
import { number } from '../../shared/format';

/** The starting points of a policy, as a person chooses one. */
export function presets(): readonly { value: Preset; label: string; detail: string }[] {
  return [
    { value: 'practical', label: m.preset_practical(), detail: m.preset_practical_detail() },
    { value: 'workspace', label: m.preset_workspace(), detail: m.preset_workspace_detail() },
    { value: 'strict', label: m.preset_strict(), detail: m.preset_strict_detail() },
    { value: 'autonomous', label: m.preset_autonomous(), detail: m.preset_autonomous_detail() },
  ];
}

/** The one to begin with. */
export const RECOMMENDED: Preset = 'workspace';

/** What a preset would have done with the calls of the past: how often it asks, and sentences about the rest. */
export type PresetFigures = { asked: string; calls: string; more: string[] };

/** How many calls of the past were replayed. */
export function replayedCalls(comparison: PresetComparison): number {
  return Math.max(0, ...comparison.presets.flatMap(({ rows }) => rows.map(({ all }) => all.calls)));
}

/** The figures of a preset; none without calls. */
export function presetFigures(comparison: PresetComparison, preset: Preset): PresetFigures | null {
  const rows = comparison.presets.find((one) => one.preset === preset)?.rows ?? [];
  const all = rows.filter(({ calls, suggested }) => calls === 'all' && !suggested);
  const each = all.find(({ remembers }) => !remembers);
  if (!each || each.all.calls === 0) return null;
  const remembered = all.find(({ remembers }) => remembers);
  const { calls, asked, denied, confined } = each.all;
  const more = [
    remembered && remembered.all.asked < asked
      ? m.guide_asked_session({ count: perHundred(remembered.all.asked, calls) })
      : '',
    confined > 0 ? m.guide_confined({ count: perHundred(confined, calls) }) : '',
    denied > 0 ? m.guide_denied({ count: perHundred(denied, calls) }) : '',
    refusedWords(each.refused),
  ];
  return {
    asked: perHundred(asked, calls),
    calls: m.guide_asked_of({ asked: number(asked), calls: number(calls) }),
    more: more.filter(Boolean),
  };
}

/** What would have become of the calls that the person refused. */
function refusedWords({ calls, asked, denied }: ReplayCounts): string {
  if (calls === 0) return '';
  const passed = calls - asked - denied;
  if (passed === 0) return counted(calls, m.guide_refused_none_one(), m.guide_refused_none);
  return m.guide_refused({ passed: number(passed), calls: number(calls) });
}

/** So many of 100; a part that is there is never called none. */
function perHundred(part: number, whole: number): string {
  const share = (part / whole) * 100;
  if (part > 0 && share < 1) return '<1';
  if (part < whole && share > 99) return '>99';
  return Math.round(share).toString();
}

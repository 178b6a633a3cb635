import { describe, expect, it, vi } from 'vitest';
import type { Settings, SettingsView } from '../../generated/protocol';
import type { SettingsPlatform } from '../../platform';
import { settingsView } from '../../platform/fixture/settings';
import { SettingsModel } from './settings-model.svelte';

vi.mock('../../shared/appearance');
vi.mock('../../shared/language.svelte');

/** A desktop with these settings, which keeps what is saved. */
function desktop(settings: Partial<Settings>): SettingsPlatform {
  let view = settingsView();
  view = { ...view, settings: { ...view.settings, ...settings } };
  return {
    onSettingsView: () => Promise.resolve(() => undefined),
    settingsView: () => Promise.resolve(view),
    saveSettings: vi.fn((saved: Settings) => {
      view = { ...view, settings: saved };
      return Promise.resolve();
    }),
  } as unknown as SettingsPlatform;
}

describe('the start at login', () => {
  it.each([true, false])('is what a person says (%s), and is not asked about again', async (starts) => {
    const platform = desktop({ start_at_login: false, start_at_login_asked: false });
    const model = new SettingsModel(platform);
    await model.start();
    expect(model.view?.settings.start_at_login_asked).toBe(false);
    await model.startAtLogin(starts);
    expect(model.view?.settings).toMatchObject({ start_at_login: starts, start_at_login_asked: true });
    expect(platform.saveSettings).toHaveBeenCalledOnce();
  });
});

describe('a call of the past that is asked for in the tray', () => {
  it('is shown at once, and once each time', async () => {
    const platform = desktop({ guide_left: true });
    const activity = vi.fn(() => Promise.resolve({ approvals: [] }));
    const choices = () => Promise.resolve({ agents: [], folders: [] });
    Object.assign(platform, { activity, activityChoices: choices });
    let tell: (view: SettingsView) => void = () => undefined;
    platform.onSettingsView = (listener) => {
      tell = listener;
      return Promise.resolve(() => undefined);
    };
    const model = new SettingsModel(platform);
    await model.start();
    model.go('general');
    const view = { ...(await platform.settingsView()), wanted: { id: 'a', number: 1 } };
    tell(view);
    expect([model.section, model.activity.filter.id]).toEqual(['activity', 'a']);
    model.go('general');
    tell(view);
    expect(model.section).toBe('general');
    tell({ ...view, wanted: { id: 'a', number: 2 } });
    expect(model.section).toBe('activity');
    expect(activity).toHaveBeenCalledTimes(2);
  });
});

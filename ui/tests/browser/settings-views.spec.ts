import { describe } from 'vitest';
import type { Locale } from '../../src/generated/protocol';
import { hold, type View } from './every-view';
import { hasBrowser, openedSettings, withBrowser } from './page';
import { SETTINGS_VIEWS } from './views';

const VIEWS: View[] = Object.entries(SETTINGS_VIEWS).map(([name, { query, go }]) => ({
  name,
  open: async (locale: Locale) => {
    const page = await openedSettings(query, { locale });
    await go(page);
    return page;
  },
}));

describe.runIf(hasBrowser)('the settings window', () => {
  withBrowser({ atMoment: true });
  hold(VIEWS);
});

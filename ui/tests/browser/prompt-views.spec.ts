import { describe } from 'vitest';
import type { Locale } from '../../src/generated/protocol';
import { hold, type View } from './every-view';
import { hasBrowser, openedPrompt, withBrowser, type Look } from './page';
import { PROMPT_VIEWS } from './views';

/** What has a list, which is drawn only where it is wide. */
const LISTED = ['ten', 'step', 'alike', 'missed', 'questions', 'prompt-together', 'prompt-search'];
const WIDE: Record<string, Look> = { 'a wide window': { width: 1100, height: 700 } };

const VIEWS: View[] = Object.entries(PROMPT_VIEWS).map(([name, view]) => ({
  name,
  open: (locale: Locale) => openedPrompt(view, { locale }),
  ...(LISTED.includes(name) && { looks: WIDE }),
}));

describe.runIf(hasBrowser)('the prompt window', () => {
  withBrowser({ atMoment: true });
  hold(VIEWS);
});

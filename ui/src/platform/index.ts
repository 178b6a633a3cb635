import type { Platform } from './platform';

export { asProblem } from './platform';
export { watchPresses } from './presses';
export type {
  AgentWish,
  Platform,
  PromptLayout,
  PromptPlatform,
  SettingsPlatform,
  Trial,
  Unsubscribe,
} from './platform';

/** The platform that this build runs on. Made-up data is no part of a production build. */
export async function loadPlatform(): Promise<Platform> {
  const inTauri = '__TAURI_INTERNALS__' in window;
  if (import.meta.env.MODE === 'fixture' || (import.meta.env.DEV && !inTauri)) {
    return (await import('./fixture/fixture')).fixture(new URLSearchParams(window.location.search));
  }
  return (await import('./tauri')).tauri;
}

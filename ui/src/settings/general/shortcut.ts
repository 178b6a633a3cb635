import type { ShortcutState } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';

/** What is offered: no desktop that Handraise is tried on has these keys. */
export const USUAL = 'Super+Shift+H';

/** What keeps a key from being one that somebody types, as `src-tauri/src/shortcut.rs` reads it. */
const HOLDS = ['ctrl', 'control', 'strg', 'alt', 'logo', 'super', 'meta', 'win'];

/** Whether `text` looks like keys that can be had. The application decides. */
export function looksUsable(text: string): boolean {
  const keys = text.split('+').map((key) => key.trim().toLowerCase());
  const last = keys.pop();
  return Boolean(last) && keys.some((key) => HOLDS.includes(key));
}

/** How the keys stand, in words. */
export function shortcutWords(state: ShortcutState): string | undefined {
  switch (state) {
    case 'off':
      return undefined;
    case 'works':
      return m.general_shortcut_works();
    case 'taken':
      return m.general_shortcut_taken();
    case 'refused':
      return m.general_shortcut_refused();
    case 'no_key':
      return m.general_shortcut_no_key();
    case 'impossible':
      return m.general_shortcut_impossible();
  }
}

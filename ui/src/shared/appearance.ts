import type { Appearance } from '../generated/protocol';

/** Makes the page light, dark, or as the system is. */
export function applyAppearance(appearance: Appearance): void {
  if (appearance === 'system') document.documentElement.removeAttribute('data-appearance');
  else document.documentElement.setAttribute('data-appearance', appearance);
}

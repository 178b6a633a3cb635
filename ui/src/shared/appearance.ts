import type { Appearance } from '../generated/protocol';

/** Makes the page light, dark, or as the system is, with the accent colour of the desktop if it has one (`#3584e4`). */
export function applyAppearance(appearance: Appearance, accent: string | undefined): void {
  if (appearance === 'system') document.documentElement.removeAttribute('data-appearance');
  else document.documentElement.setAttribute('data-appearance', appearance);
  document.documentElement.toggleAttribute('data-accent', accent !== undefined);
  document.documentElement.style.setProperty('--desktop-accent', accent ?? '');
}

import type { Locale } from '../generated/protocol';
import { baseLocale, getTextDirection, overwriteGetLocale } from '../paraglide/runtime.js';

/** Every message reads it, so that all that is drawn follows it at once. */
let spoken = $state<Locale>(baseLocale);
overwriteGetLocale(() => spoken);

/** Makes the page speak a language, and read in its direction. */
export function applyLocale(locale: Locale): void {
  spoken = locale;
  document.documentElement.setAttribute('lang', locale);
  document.documentElement.setAttribute('dir', getTextDirection(locale));
}

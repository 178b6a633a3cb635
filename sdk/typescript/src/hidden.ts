// Characters that are not drawn as they are: `crates/display/src/character.rs` without its exceptions for emoji and for
// scripts that need joiners. Here the stricter side is taken.

/** Characters that are invisible, change the direction of text or speak to the terminal, and blanks that are none. */
export const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u{34F}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{180B}-\u{180F}\u{2800}\u{3164}\u{FE00}-\u{FE0F}\u{FFA0}\u{FFFC}\u{1D159}\u{E0000}-\u{E0FFF}]|(?! )\p{Zs}/u;
/** Marks that one character carries. */
const MAX_MARKS = 4;
/** What reads like a label for a hidden character. */
const LABEL = /⟨[Ux0-9]/u;

/** Whether `text` holds a character that has to be labelled, or marks without an end. Line breaks and tabs are none. */
export function hasHidden(text: string): boolean {
  if (LABEL.test(text)) return true;
  let marks = 0;
  let carries = false;
  for (const character of text) {
    if (character !== '\n' && character !== '\t' && HIDDEN.test(character)) return true;
    const isMark = /[\p{Mn}\p{Me}]/u.test(character);
    marks = isMark ? marks + 1 : 0;
    if (isMark && (!carries || marks > MAX_MARKS)) return true;
    if (!isMark) carries = /[^\0-\x7f]|[a-z]/i.test(character);
  }
  return false;
}

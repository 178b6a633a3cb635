/** What a key asks for. */
export type Command =
  | 'next'
  | 'previous'
  | 'approve'
  | 'approve_session'
  | 'deny'
  | 'deny_with_reason'
  | 'edit'
  | 'together'
  | 'help'
  | 'hide';

/** A key press, as far as it matters. */
export type KeyPress = { key: string; repeat: boolean; modified: boolean; typing: boolean };

/** What is known about whether the keys are meant for this window. */
export type Keyboard = { ignoreUntil: number };

/** How long decision keys are ignored after the window appears or gets the keyboard. */
export const IGNORED_AFTER_FOCUS = 1000;
/** How long they are ignored after a key that means nothing here: the person is typing for another window. */
export const IGNORED_AFTER_TYPING = 1000;

const COMMANDS: Record<string, Command> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  a: 'approve',
  s: 'approve_session',
  d: 'deny',
  r: 'deny_with_reason',
  e: 'edit',
  g: 'together',
  '?': 'help',
  Escape: 'hide',
};

/** The number of the choice that a key stands for, from 1; nothing for other keys. */
export function choiceOf(key: KeyPress): number | undefined {
  return !key.typing && !key.modified && /^[1-9]$/.test(key.key) ? Number(key.key) : undefined;
}

const HARMLESS: ReadonlySet<Command> = new Set<Command>(['next', 'previous', 'help', 'hide']);

/** The window has just appeared, or has just been given the keyboard. */
export function appeared(now: number): Keyboard {
  return { ignoreUntil: now + IGNORED_AFTER_FOCUS };
}

/**
 * Takes in a key press: what it asks for, if anything, and what it says about the ones to come. `early`: it would
 * decide, but came too soon. `isMeant`: the person has shown that keys are meant for this window; no other decides.
 */
export function press(
  keyboard: Keyboard,
  key: KeyPress,
  now: number,
  isMeant: boolean,
): { keyboard: Keyboard; command?: Command; early?: true } {
  if (key.typing && key.key !== 'Escape') return { keyboard };
  if (key.modified) return { keyboard };
  const command = COMMANDS[key.key];
  if (command === undefined) {
    const prose = [...key.key].length === 1 && key.key !== ' ';
    const ignoreUntil = prose
      ? Math.max(keyboard.ignoreUntil, now + IGNORED_AFTER_TYPING)
      : keyboard.ignoreUntil;
    return { keyboard: { ignoreUntil } };
  }
  if (HARMLESS.has(command)) return { keyboard, command };
  if (key.repeat) return { keyboard };
  if (!isMeant || now < keyboard.ignoreUntil) return { keyboard, early: true };
  return { keyboard, command };
}

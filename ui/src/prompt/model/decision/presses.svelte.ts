import type { RiskLevel } from '../../../generated/protocol';
import { m } from '../../../paraglide/messages.js';
import * as keyboard from '../keyboard';
import * as arming from './arming';

/** How long nothing is denied after a request took the place of something else by itself, in milliseconds. */
const REPLACED_FOR = 1000;

/**
 * Which presses of keys and of the mouse count, in real time: whether the request has stood still long enough, and whether
 * the person means this window.
 */
export class Presses {
  clock = $state.raw(arming.unpainted('write', false));
  /** When a press last came too early, by the wall clock, in milliseconds. */
  earlyAt = $state(-Infinity);
  private instant = $state(0);
  private keyboardUnasked = $state(false);
  /** The person has pressed something in the window since it came up. */
  private touched = $state(false);
  private replacedAt = -Infinity;
  private keys = keyboard.appeared(-Infinity);
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly armed = $derived(arming.isArmed(this.clock, this.instant));

  /** Another request is about to be painted. */
  begin(risk: RiskLevel, afterDecision: boolean): void {
    this.earlyAt = -Infinity;
    this.setClock(arming.unpainted(risk, afterDecision));
  }

  /** The request is of another risk, and something else is on the screen. */
  judgedAnew(risk: RiskLevel): void {
    this.setClock(arming.disturbed(arming.at(this.clock, risk), performance.now()));
  }

  /** The request is of the risk that it came with. */
  judgedAsBefore(risk: RiskLevel): void {
    this.clock = arming.at(this.clock, risk);
  }

  /** The request is on the screen. */
  painted(): void {
    this.setClock(arming.painted(this.clock, performance.now()));
  }

  /** Focus, visibility, size, order or content changed. */
  disturbed(): void {
    this.setClock(arming.disturbed(this.clock, performance.now()));
  }

  /** The person has read to the end. */
  readToTheEnd(): void {
    this.setClock(arming.readToTheEnd(this.clock, performance.now()));
  }

  /** A press would have decided, but came too early: the wait starts again. */
  tooEarly(): void {
    this.earlyAt = Date.now();
    this.disturbed();
  }

  /** Why it did not count. */
  tooSoonWords(): string {
    return this.keysAreMeant ? m.too_early() : m.keys_not_meant();
  }

  /** Something took the place of what was on the screen by itself. */
  replaced(): void {
    this.replacedAt = performance.now();
  }

  /** Something took this place by itself a moment ago: a press may have been meant for what was here before. */
  wasReplaced(): boolean {
    return performance.now() < this.replacedAt + REPLACED_FOR;
  }

  /** The window has come up. */
  cameUp(): void {
    this.touched = false;
    this.appeared();
  }

  /** The window has appeared or been given the keyboard. */
  appeared(): void {
    this.keys = keyboard.appeared(performance.now());
    this.disturbed();
  }

  /** Whether the window was given the keyboard while the person did something else. */
  gotKeyboard(unasked: boolean): void {
    if (unasked && !this.keyboardUnasked) this.touched = false;
    this.keyboardUnasked = unasked;
  }

  /** The person has pressed the mouse or a finger in the window. */
  pointerPressed(): void {
    this.touched = true;
  }

  /** Whether keys are meant for this window: it may have been given the keyboard while the person typed elsewhere. */
  get keysAreMeant(): boolean {
    return !this.keyboardUnasked || this.touched;
  }

  /** Whether keys that decide count again after the window appeared. */
  keysCount(): boolean {
    return performance.now() >= this.keys.ignoreUntil;
  }

  /** A key was pressed: what it asks for, if anything, and whether it would decide but came too early. */
  keyPressed(key: keyboard.KeyPress): { command?: keyboard.Command; early?: true } {
    const now = performance.now();
    this.setClock(arming.keyPressed(this.clock, now));
    const heard = keyboard.press(this.keys, key, now, this.keysAreMeant);
    this.keys = heard.keyboard;
    return heard;
  }

  /** Whether a click approves at this very moment. */
  isArmedNow(): boolean {
    return arming.isArmed(this.clock, performance.now());
  }

  /** The same for text that is typed, which is made of key presses. */
  isSettledNow(): boolean {
    return arming.isSettled(this.clock, performance.now());
  }

  /** Nothing is waited for any more. */
  stop(): void {
    clearTimeout(this.timer);
  }

  private setClock(clock: arming.ArmingClock): void {
    this.clock = clock;
    this.schedule();
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.instant = performance.now();
    const wait = arming.armsIn(this.clock, this.instant);
    if (wait > 0 && Number.isFinite(wait)) this.timer = setTimeout(() => this.schedule(), Math.ceil(wait));
  }
}

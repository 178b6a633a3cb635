import { readReasons, withReason } from './reasons';

const KEY = 'handraise.reasons';

/** Recent reasons for denying, kept on this machine. Without storage there are none. */
export class StoredReasons {
  get all(): string[] {
    try {
      return readReasons(localStorage.getItem(KEY));
    } catch {
      return [];
    }
  }

  add(reason: string): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(withReason(this.all, reason)));
    } catch {
      // Storage is a convenience; a full or forbidden one changes nothing else.
    }
  }
}

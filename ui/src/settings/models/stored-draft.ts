/** A policy text that is being written, and which text it was made from. */
export type Draft = { text: string; etag: string };

const KEY = 'handraise.policy-draft';

/** Reads what was stored; anything unexpected counts as nothing. */
export function readDraft(stored: string | null): Draft | null {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    if (typeof value !== 'object' || value === null || !('text' in value) || !('etag' in value)) return null;
    const { text, etag } = value;
    return typeof text === 'string' && typeof etag === 'string' ? { text, etag } : null;
  } catch {
    return null;
  }
}

/** The unsaved policy text, kept on this machine while its window is closed. Without storage there is none. */
export class StoredDraft {
  get(): Draft | null {
    try {
      return readDraft(localStorage.getItem(KEY));
    } catch {
      return null;
    }
  }

  set(draft: Draft | null): void {
    try {
      if (draft === null) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, JSON.stringify(draft));
    } catch {
      // Storage is a convenience; the text is still in the open window.
    }
  }
}

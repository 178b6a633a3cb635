import { setTimeout as delay } from 'node:timers/promises';

import type { Event } from '../generated/protocol.js';
import { isObject } from '../json.js';
import type { Caller } from '../transport/caller.js';
import { ConnectionLost } from '../transport/http.js';
import { FrameDecoder } from './event-stream.js';

/** One event with its place in the stream. */
export interface StreamedEvent {
  /** Hand this back as `lastEventId` to go on after it. */
  id: string;
  event: Event;
}

/** From where to listen, and until when. */
export interface EventsOptions {
  /** The event that was seen last; what came after it comes first, as far as the gate still has it. */
  lastEventId?: string;
  /** Ends the stream. */
  signal?: AbortSignal;
  /** Called whenever the stream is open, first and again: what is listed now, no event will tell. */
  onOpen?: () => void;
}

const PAUSE = 50;

/**
 * Events as they happen. A connection that breaks off is opened again where it ended. Ends when
 * `signal` is aborted; throws when the gate stays away.
 */
export async function* listen(caller: Caller, options: EventsOptions): AsyncGenerator<StreamedEvent, void> {
  const { signal } = options;
  let lastEventId = options.lastEventId;
  try {
    for (;;) {
      const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
      const response = await caller.stream('/v1/events', headers as Record<string, string>, signal);
      options.onOpen?.();
      try {
        const decoder = new FrameDecoder();
        const text = new TextDecoder();
        for await (const bytes of response.chunks()) {
          for (const frame of decoder.push(text.decode(bytes, { stream: true }))) {
            if (frame.id !== '') lastEventId = frame.id;
            const event = known(frame.data);
            if (event) yield { id: frame.id, event };
          }
        }
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
      }
      // The gate ended the stream (it restarts, or this listener fell behind).
      await delay(PAUSE, undefined, signal ? { signal } : {});
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** Kinds of events that are not known here are passed over. */
function known(data: string): Event | undefined {
  try {
    const event: unknown = JSON.parse(data);
    return isObject(event) && typeof event['type'] === 'string' ? (event as unknown as Event) : undefined;
  } catch {
    return undefined;
  }
}

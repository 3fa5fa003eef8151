/** Reasons for which a visitor's stream is closed although its conversation has not ended. */
export const closingReasons = ['too_many_streams', 'bot_off'] as const;
export type ClosingReason = (typeof closingReasons)[number];

export interface SessionStream {
  readonly sessionId: string;
  /** Signal that aborts when the session has opened too many newer streams. */
  readonly displaced: AbortSignal;
  close(): void;
}

/**
 * Tracks the open streams of each visitor session at this process. Beyond the limit, opening a stream closes
 * the oldest stream, which is most likely abandoned.
 */
export class SessionStreams {
  readonly #limit: number;
  readonly #openStreams = new Map<string, Set<AbortController>>();

  constructor(max: number) {
    this.#limit = max;
  }

  get sessionIds(): string[] {
    return [...this.#openStreams.keys()];
  }

  open(sessionId: string): SessionStream {
    const displacing = new AbortController();
    const streams = this.#openStreams.get(sessionId) ?? new Set();
    this.#openStreams.set(sessionId, streams.add(displacing));
    const [oldest] = streams;
    if (streams.size > this.#limit && oldest) {
      streams.delete(oldest);
      oldest.abort();
    }
    const removeStream = () => {
      streams.delete(displacing);
      if (streams.size === 0 && this.#openStreams.get(sessionId) === streams)
        this.#openStreams.delete(sessionId);
    };
    return { sessionId, displaced: displacing.signal, close: removeStream };
  }
}

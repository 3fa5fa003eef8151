/** Why a stream ends although its conversation goes on. */
export const closingReasons = ['too_many_streams', 'bot_off'] as const;
export type ClosingReason = (typeof closingReasons)[number];

/** One of the streams that are open to a session. */
export interface SessionStream {
  readonly sessionId: string;
  /** Aborted when newer streams have taken its place. */
  readonly displaced: AbortSignal;
  close(): void;
}

/**
 * The streams that are open to each session at this process. Beyond the most that one may have, the oldest gives way: it is
 * the likeliest to be read by nobody.
 */
export class SessionStreams {
  readonly #most: number;
  readonly #open = new Map<string, Set<AbortController>>();

  constructor(most: number) {
    this.#most = most;
  }

  get sessionIds(): string[] {
    return [...this.#open.keys()];
  }

  open(sessionId: string): SessionStream {
    const displacing = new AbortController();
    const streams = this.#open.get(sessionId) ?? new Set();
    this.#open.set(sessionId, streams.add(displacing));
    const [oldest] = streams;
    if (streams.size > this.#most && oldest) {
      streams.delete(oldest);
      oldest.abort();
    }
    const close = () => {
      streams.delete(displacing);
      if (streams.size === 0 && this.#open.get(sessionId) === streams) this.#open.delete(sessionId);
    };
    return { sessionId, displaced: displacing.signal, close };
  }
}

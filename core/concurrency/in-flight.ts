/** Maximum time in milliseconds that a caller waits for another caller who acts for the same key. */
const MAX_WAIT_MS = 500;

/** The caller that acts for a key while other callers for the same key wait. */
interface Leader {
  ownerId: string;
  /** Resolves when the caller that acts for the key has finished, or after `MAX_WAIT_MS`. */
  done: Promise<void>;
}

/**
 * Makes one of several concurrent callers in this process the leader for a key. All other callers can wait
 * until the leader has finished.
 */
export class InFlight {
  readonly #leaders = new Map<string, Leader>();

  /** Returns the caller that currently acts as the leader for a key; undefined if the key has no leader. */
  find(key: string): Leader | undefined {
    return this.#leaders.get(key);
  }

  /** Makes the caller the leader for a key. Returns a function to call when the leader has finished. */
  begin(key: string, ownerId: string): () => void {
    let resolve = () => {};
    const completion = new Promise<void>((resolved) => (resolve = resolved));
    const leader = { ownerId, done: completion };
    const releaseFollowers = () => {
      clearTimeout(timer);
      if (this.#leaders.get(key) === leader) this.#leaders.delete(key);
      resolve();
    };
    const timer = setTimeout(releaseFollowers, MAX_WAIT_MS).unref();
    this.#leaders.set(key, leader);
    return releaseFollowers;
  }
}

/** Followers stop waiting for a leader that takes longer. */
const MAX_WAIT_MS = 500;

interface Leader {
  who: string;
  /** Resolves when the leader is done, or after `MAX_WAIT_MS`. */
  done: Promise<void>;
}

/** Elects one of several concurrent callers in this process as the leader; the others may wait until it is done. */
export class InFlight {
  readonly #leaders = new Map<string, Leader>();

  /** Returns the present leader. */
  find(key: string): Leader | undefined {
    return this.#leaders.get(key);
  }

  /** Makes the caller the leader. Returns a function that ends its lead. */
  begin(key: string, who: string): () => void {
    let resolve = () => {};
    const done = new Promise<void>((resolved) => (resolve = resolved));
    const leader = { who, done };
    const end = () => {
      clearTimeout(timer);
      if (this.#leaders.get(key) === leader) this.#leaders.delete(key);
      resolve();
    };
    const timer = setTimeout(end, MAX_WAIT_MS).unref();
    this.#leaders.set(key, leader);
    return end;
  }
}

interface Runs<T> {
  current: Promise<T>;
  next?: Promise<T>;
}

/**
 * Runs work with the same key once for many concurrent callers (single flight). Callers that arrive during a
 * run wait for the next run, because the current run may have read older data.
 */
export class CoalescedRuns<T> {
  readonly #runs = new Map<string, Runs<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const runs = this.#runs.get(key);
    if (!runs) return this.#startRun(key, work);
    return (runs.next ??= runs.current.catch(() => undefined).then(() => this.#startRun(key, work)));
  }

  #startRun(key: string, work: () => Promise<T>): Promise<T> {
    const current = work();
    const runs: Runs<T> = { current };
    this.#runs.set(key, runs);
    const forget = () => {
      if (this.#runs.get(key) === runs && !runs.next) this.#runs.delete(key);
    };
    current.then(forget, forget);
    return current;
  }
}

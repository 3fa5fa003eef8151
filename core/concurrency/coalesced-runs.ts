interface Runs<T> {
  present: Promise<T>;
  next?: Promise<T>;
}

/**
 * Runs at most one work at a time for each key (single flight). Callers that arrive during a run share the next run: the
 * present one may have read older data.
 */
export class CoalescedRuns<T> {
  readonly #runs = new Map<string, Runs<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const runs = this.#runs.get(key);
    if (!runs) return this.#begin(key, work);
    return (runs.next ??= runs.present.catch(() => undefined).then(() => this.#begin(key, work)));
  }

  #begin(key: string, work: () => Promise<T>): Promise<T> {
    const present = work();
    const runs: Runs<T> = { present };
    this.#runs.set(key, runs);
    const forget = () => {
      if (this.#runs.get(key) === runs && !runs.next) this.#runs.delete(key);
    };
    present.then(forget, forget);
    return present;
  }
}

interface Runs<T> {
  present: Promise<T>;
  next?: Promise<T>;
}

/**
 * Work of which one run at a time is enough for each key. Whoever asks while it runs shares the run after it with all who
 * do so meanwhile: what they ask about may have changed since the present one began.
 */
export class SharedRuns<T> {
  readonly #underWay = new Map<string, Runs<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const runs = this.#underWay.get(key);
    if (!runs) return this.#begin(key, work);
    return (runs.next ??= runs.present.catch(() => undefined).then(() => this.#begin(key, work)));
  }

  #begin(key: string, work: () => Promise<T>): Promise<T> {
    const present = work();
    const runs: Runs<T> = { present };
    this.#underWay.set(key, runs);
    const forget = () => {
      if (this.#underWay.get(key) === runs && !runs.next) this.#underWay.delete(key);
    };
    present.then(forget, forget);
    return present;
  }
}

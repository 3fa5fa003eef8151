/** Whoever takes longer is waited for no more. */
const PATIENCE_MS = 500;

interface Forerunner {
  who: string;
  /** Resolves when it is done, or has taken too long. */
  over: Promise<void>;
}

/** Of those who want the same thing of this process at once, one goes ahead, and the others may wait until it is done. */
export class Forerunners {
  readonly #underWay = new Map<string, Forerunner>();

  /** Whoever goes ahead. */
  find(key: string): Forerunner | undefined {
    return this.#underWay.get(key);
  }

  /** Goes ahead where nobody does. Returns what says that it is done. */
  goAhead(key: string, who: string): () => void {
    let resolve = () => {};
    const over = new Promise<void>((resolved) => (resolve = resolved));
    const forerunner = { who, over };
    const done = () => {
      clearTimeout(timer);
      if (this.#underWay.get(key) === forerunner) this.#underWay.delete(key);
      resolve();
    };
    const timer = setTimeout(done, PATIENCE_MS).unref();
    this.#underWay.set(key, forerunner);
    return done;
  }
}

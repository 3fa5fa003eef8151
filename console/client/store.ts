/** A value with listeners, which are called after each change of the value. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  update(changes: Partial<T>): void {
    this.set({ ...this.#value, ...changes });
  }

  /**
   * Calls the listener after each change of the value.
   * @returns function that unsubscribes
   */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

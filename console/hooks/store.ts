import { useEffect, useReducer } from 'preact/hooks';

/** Holds a value that may change, and renders components again when it does. */
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
   * Calls the listener after each change.
   * @returns function that unsubscribes
   */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export function useStore<T>(store: Store<T>): T {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const { value } = store;
  useEffect(() => {
    const end = store.subscribe(() => render(undefined));
    // Render again if the value has changed between the first render and this subscription.
    if (store.value !== value) render(undefined);
    return end;
  }, [store]);
  return value;
}

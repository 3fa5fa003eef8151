import { useEffect, useReducer } from 'preact/hooks';

/** A value that components can subscribe to. */
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

  /** @returns function that unsubscribes */
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
    // The value may have changed between the render and this effect.
    if (store.value !== value) render(undefined);
    return end;
  }, [store]);
  return value;
}

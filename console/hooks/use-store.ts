import { useEffect, useReducer } from 'preact/hooks';
import type { Store } from '../client/store.ts';

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

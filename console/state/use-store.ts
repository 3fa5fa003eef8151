import { useCallback, useSyncExternalStore } from 'react';
import type { Store } from '../client/store.ts';

export function useStore<T>(store: Store<T>): T {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store]);
  return useSyncExternalStore(subscribe, () => store.value);
}

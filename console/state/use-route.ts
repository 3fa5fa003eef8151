import { useMemo } from 'react';
import { location, parseRoute, type Route } from '../router.ts';
import { useStore } from './use-store.ts';

export function useRoute(): Route {
  const address = useStore(location);
  return useMemo(() => parseRoute(address), [address]);
}

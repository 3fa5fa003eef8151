import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/** Returns a function that reloads the cached data of all URLs that begin with the given URL. */
export function useReload(): (url: string) => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    (url) =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [loaded] }) => typeof loaded === 'string' && loaded.startsWith(url),
      }),
    [queries],
  );
}

import type { QueryClient } from '@tanstack/react-query';
import type { Client } from '../client/client.ts';
import type { ConsolePreferences, ConsolePreferencesChange } from '../client/types.ts';

export const PREFERENCES_URL = '/api/ext/console-preferences';

/**
 * Loads the user's preferences for the console, which apply on all devices. The cache shares the response
 * between its readers.
 */
export function loadPreferences(client: Client, queries: QueryClient): Promise<ConsolePreferences> {
  return queries.ensureQueryData({
    queryKey: [PREFERENCES_URL],
    queryFn: ({ signal }) => client.get<ConsolePreferences>(PREFERENCES_URL, signal),
  });
}

let lastSave: Promise<unknown> = Promise.resolve();

/**
 * Saves changes of the user's preferences one after another, so that the response to the last request remains
 * in the cache.
 */
export function savePreferences(
  client: Client,
  queries: QueryClient,
  changes: ConsolePreferencesChange,
): Promise<void> {
  const saving = lastSave.then(async () => {
    const saved = await client.patch<ConsolePreferences>(PREFERENCES_URL, changes, { outlivesPage: true });
    queries.setQueryData([PREFERENCES_URL], saved);
  });
  lastSave = saving.catch(() => undefined);
  return saving;
}

/**
 * Calls `apply` whenever the user's preferences have been loaded or saved.
 * @returns function that stops the subscription
 */
export function followPreferences(
  queries: QueryClient,
  apply: (preferences: ConsolePreferences) => void,
): () => void {
  return queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== PREFERENCES_URL) return;
    const { data } = query.state as { data: ConsolePreferences | undefined };
    if (data !== undefined) apply(data);
  });
}

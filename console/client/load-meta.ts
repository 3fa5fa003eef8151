import { publicClient } from './client.ts';
import type { Meta } from './types.ts';

let loading: Promise<Meta> | null = null;

/** Loads the API's facts about this installation once, for all parts of the page. */
export function loadMeta(): Promise<Meta> {
  loading ??= publicClient.get<Meta>('/api/meta').catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

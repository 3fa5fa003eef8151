import { useSession } from '../session/session.tsx';
import { useLoaded, type Cached, type LoadOptions } from './use-loaded.ts';

/**
 * Loads the response to a URL of the API. The cache shares the response between components.
 * @param url null to load nothing
 */
export function useApi<T>(url: string | null, options: Omit<LoadOptions<T>, 'isEnabled'> = {}): Cached<T> {
  const { client } = useSession();
  return useLoaded<T>([url], (signal) => client.get<T>(url!, signal), {
    ...options,
    isEnabled: url !== null,
  });
}

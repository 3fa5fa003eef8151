import { ApiError } from '../client/api-error.ts';
import { Client } from '../client/client.ts';
import { keptAuthority } from './authority.ts';
import { forget, kept } from './kept-credentials.ts';

/**
 * Deletes the credentials and ends the session.
 * @returns message for the user; null if all went well
 */
export async function signOut(): Promise<string | null> {
  try {
    if (kept.value?.refreshToken) await new Client(keptAuthority).ask('/api/auth/logout', undefined);
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    return 'You are signed out here, but Parley could not be reached to end the session there, too.';
  } finally {
    forget();
  }
}

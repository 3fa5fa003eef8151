import { ApiError } from '../client/api-error.ts';
import { Client } from '../client/client.ts';
import { sessionAuthority } from './authority.ts';
import { deleteCredentials, storedCredentials } from './stored-credentials.ts';

/**
 * Ends the user's session and deletes its stored tokens.
 * @returns message that says why the session could not be ended; null on success
 */
export async function signOut(): Promise<string | null> {
  try {
    if (storedCredentials.value?.refreshToken)
      await new Client(sessionAuthority).ask('/api/auth/logout', undefined);
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    return "You're signed out here, but the session couldn't be ended on the server.";
  } finally {
    deleteCredentials();
  }
}

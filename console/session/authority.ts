import { ApiError } from '../client/api-error.ts';
import { publicClient, type Authority } from '../client/client.ts';
import type { Tokens } from '../client/types.ts';
import { askForProof } from './fresh-proof.ts';
import { kept, latest, renew, type Credentials } from './kept-credentials.ts';

let renewing: Promise<boolean> | null = null;

/** Authority of the signed-in user. Uses the newest tokens that this tab, a copy of it or another tab received. */
export const keptAuthority: Authority = {
  get token() {
    return kept.value?.token ?? null;
  },
  async renew(rejected) {
    const credentials = latest();
    if (credentials === null || credentials.refreshToken === null) return false;
    if (credentials.token !== rejected) return true;
    renewing ??= refresh(credentials.refreshToken).finally(() => (renewing = null));
    return renewing;
  },
  prove: askForProof,
};

export function credentialsOf(tokens: Tokens): Credentials {
  return { token: tokens.access_token, refreshToken: tokens.refresh_token, orgId: tokens.org_id };
}

/**
 * Returns false if the session has ended. The API accepts a spent token again for some seconds, in case its response
 * was lost.
 */
async function refresh(spent: string): Promise<boolean> {
  try {
    const tokens = await publicClient.post<Tokens>('/api/auth/refresh', { refresh_token: spent });
    renew({ spent, next: credentialsOf(tokens) });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}

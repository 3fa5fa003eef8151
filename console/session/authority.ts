import { ApiError } from '../client/api-error.ts';
import { publicClient, type Authority } from '../client/client.ts';
import type { Tokens } from '../client/types.ts';
import { askForProof } from './fresh-proof.ts';
import {
  storedCredentials,
  reloadCredentials,
  storeRenewal,
  type Credentials,
} from './stored-credentials.ts';

let renewing: Promise<boolean> | null = null;

/** Authority of the signed-in user. Uses the newest tokens that this tab, a copy of it or another tab received. */
export const sessionAuthority: Authority = {
  get token() {
    return storedCredentials.value?.token ?? null;
  },
  async renew(rejected) {
    const credentials = reloadCredentials();
    if (credentials === null || credentials.refreshToken === null) return false;
    if (credentials.token !== rejected) return true;
    renewing ??= refreshTokens(credentials.refreshToken).finally(() => (renewing = null));
    return renewing;
  },
  prove: askForProof,
};

export function toCredentials(tokens: Tokens): Credentials {
  return { token: tokens.access_token, refreshToken: tokens.refresh_token, orgId: tokens.org_id };
}

/**
 * Returns false if the session has ended. The API accepts a spent token again for some seconds, in case its response
 * was lost.
 */
async function refreshTokens(spent: string): Promise<boolean> {
  try {
    const tokens = await publicClient.post<Tokens>('/api/auth/refresh', { refresh_token: spent });
    storeRenewal({ spent, next: toCredentials(tokens) });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}

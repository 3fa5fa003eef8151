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

/**
 * Credentials with which the console calls the API for the signed-in user. Includes tokens that another tab
 * has renewed.
 */
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
 * Renews the tokens of the session; returns false if the session has ended. The API accepts a used refresh
 * token again for some seconds, in case its response was lost.
 */
async function refreshTokens(usedToken: string): Promise<boolean> {
  try {
    const tokens = await publicClient.post<Tokens>('/api/auth/refresh', { refresh_token: usedToken });
    storeRenewal({ spent: usedToken, next: toCredentials(tokens) });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}

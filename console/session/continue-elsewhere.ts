import { Client } from '../client/client.ts';
import type { Tokens } from '../client/types.ts';
import { toCredentials, sessionAuthority } from './authority.ts';
import { storedCredentials, replaceCredentials } from './stored-credentials.ts';

/**
 * Renews a session whose workspace was deleted. The new session is in the user's default workspace, or in none.
 * @param orgId workspace to switch to, if the user may
 */
export async function continueElsewhere(orgId: string | null = null): Promise<void> {
  await sessionAuthority.renew(storedCredentials.value?.token ?? null);
  if (orgId === null || storedCredentials.value === null || storedCredentials.value.orgId === orgId) return;
  const refresh_token = storedCredentials.value.refreshToken;
  const tokens = await new Client(sessionAuthority).ask<Tokens>('/api/auth/switch-org', {
    org_id: orgId,
    refresh_token,
  });
  replaceCredentials(toCredentials(tokens));
}

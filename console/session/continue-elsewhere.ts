import { Client } from '../client/client.ts';
import type { Tokens } from '../client/types.ts';
import { toCredentials, sessionAuthority } from './authority.ts';
import { storedCredentials, replaceCredentials } from './stored-credentials.ts';

/**
 * Renews the user's session after its workspace was deleted. The API selects the user's default workspace, if
 * the user has one.
 * @param orgId id of the workspace to switch to instead, if the user is a member
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

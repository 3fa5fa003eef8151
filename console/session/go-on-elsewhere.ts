import { Client } from '../client/client.ts';
import type { Tokens } from '../client/types.ts';
import { credentialsOf, keptAuthority } from './authority.ts';
import { kept, replace } from './kept-credentials.ts';

/**
 * Renews a session whose workspace was deleted. The new session is in the user's default workspace, or in none.
 * @param orgId workspace to switch to, if the user may
 */
export async function goOnElsewhere(orgId: string | null = null): Promise<void> {
  await keptAuthority.renew(kept.value?.token ?? null);
  if (orgId === null || kept.value === null || kept.value.orgId === orgId) return;
  const refresh_token = kept.value.refreshToken;
  const tokens = await new Client(keptAuthority).ask<Tokens>('/api/auth/switch-org', {
    org_id: orgId,
    refresh_token,
  });
  replace(credentialsOf(tokens));
}

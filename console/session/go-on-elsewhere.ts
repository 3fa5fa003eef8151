import { Client } from '../client/client.ts';
import type { Tokens } from '../client/types.ts';
import { credentialsOf, keptAuthority } from './authority.ts';
import { kept, replace } from './kept-credentials.ts';

/**
 * Goes on with a session whose workspace is gone: renewed, it is in the one where they
 * begin, or in none.
 * @param orgId where they want to be, if they still may
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

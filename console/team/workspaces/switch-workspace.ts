import type { Client } from '../../client/client.ts';
import type { Tokens } from '../../client/types.ts';
import { toCredentials } from '../../session/authority.ts';
import { replaceCredentials, storedCredentials } from '../../session/stored-credentials.ts';

/**
 * Switches the user's session to another workspace.
 * @param go opens a page, before the console loads the workspace
 */
export async function switchWorkspace(client: Client, orgId: string, go: () => void): Promise<void> {
  const refresh_token = storedCredentials.value?.refreshToken ?? null;
  const tokens = await client.ask<Tokens>('/api/auth/switch-org', { org_id: orgId, refresh_token });
  go();
  replaceCredentials(toCredentials(tokens));
}

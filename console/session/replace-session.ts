import { ApiError } from '../client/api-error.ts';
import { Client } from '../client/client.ts';
import type { Me, Tokens } from '../client/types.ts';
import { toCredentials, sessionAuthority } from './authority.ts';
import { storedCredentials, storeRenewal } from './stored-credentials.ts';

/** Replaces the user's session by a new session in the same workspace, and ends the old session. */
export async function replaceSession(tokens: Tokens): Promise<void> {
  const before = storedCredentials.value;
  if (before === null || before.refreshToken === null) return;
  const newClient = createTokenClient(tokens.access_token);
  const [current, renewed] = await Promise.all([
    new Client(sessionAuthority).get<Me>('/api/auth/me'),
    newClient.get<Me>('/api/auth/me'),
  ]);
  if (current.user.id !== renewed.user.id) {
    await newClient.ask('/api/auth/logout', undefined);
    throw new ApiError(
      `You signed in as ${renewed.user.email}. Sign in as ${current.user.email} to continue.`,
    );
  }
  const isElsewhere = before.orgId !== null && before.orgId !== tokens.org_id;
  const next = isElsewhere
    ? await newClient.ask<Tokens>('/api/auth/switch-org', { org_id: before.orgId })
    : tokens;
  storeRenewal({ spent: before.refreshToken, next: toCredentials(next) });
  // Ignore errors of ending the old session: it will expire.
  await createTokenClient(before.token)
    .ask('/api/auth/logout', undefined)
    .catch(() => undefined);
}

function createTokenClient(token: string): Client {
  return new Client({ token, renew: async () => false });
}

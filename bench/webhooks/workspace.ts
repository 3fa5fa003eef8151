import { scopes } from '../../api/http/scopes.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../entities/database.ts';
import { Membership } from '../../entities/membership.entity.ts';
import { Org } from '../../entities/org.entity.ts';
import { User } from '../../entities/user.entity.ts';
import { createApiKey } from '../../services/bootstrap.service.ts';
import { call } from '../support/installation.ts';
import type { Scene } from './scene.ts';

export interface Endpoint {
  id: string;
  secret: string;
  /** Its path at the receiver. */
  hook: string;
}

/** A workspace of its own with a bot that visitors can open sessions with. */
export interface Workspace {
  orgId: string;
  botId: string;
  sessionsUrl: string;
  endpoints: Endpoint[];
}

/** @param endpointCount endpoints that get `conversation.started` only */
export async function createWorkspace(
  { installation, db, receiver }: Scene,
  endpointCount: number,
): Promise<Workspace> {
  const orgId = newId();
  const as = { ...installation, apiKey: await createOwner(db, orgId) };
  const bot = await call<{ id: string; public_key: string }>(as, 'POST', '/api/bots', { name: 'Bench' });
  await call(as, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
  const endpoints: Endpoint[] = [];
  for (let count = 0; count < endpointCount; count += 1) {
    const hook = newId();
    const endpoint = { url: receiver.urlOf(hook), events: ['conversation.started'] };
    endpoints.push({ hook, ...(await call<Omit<Endpoint, 'hook'>>(as, 'POST', '/api/webhooks', endpoint)) });
  }
  const sessionsUrl = `${installation.apiUrl}/api/public/bots/${bot.public_key}/sessions`;
  return { orgId, botId: bot.id, sessionsUrl, endpoints };
}

function createOwner(db: Database, orgId: string): Promise<string> {
  const userId = newId();
  return db.transaction(async (tx) => {
    await tx.repository(Org).insert({ id: orgId, name: 'Bench', slug: orgId, planTier: 'enterprise' });
    await tx.repository(User).insert({ id: userId, email: `${userId}@example.com`, fullName: 'Bench' });
    await tx.repository(Membership).insert({ id: newId(), orgId, userId, role: 'owner' });
    return createApiKey(tx, { orgId, createdById: userId, name: 'Bench', scopes });
  });
}

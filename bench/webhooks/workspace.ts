import { newId } from '../../core/ids.ts';
import { call } from '../support/installation.ts';
import { createOwner } from '../support/owner.ts';
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

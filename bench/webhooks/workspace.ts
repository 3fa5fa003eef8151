import { newId } from '../../core/ids.ts';
import { call } from '../support/installation.ts';
import { createOwnerKey } from '../support/owner.ts';
import type { Scene } from './scene.ts';
import type { Endpoint } from './endpoint.ts';

/** A separate workspace with a bot with which visitors can open sessions. */
export interface Workspace {
  orgId: string;
  /** API key of the workspace's owner. */
  apiKey: string;
  botId: string;
  sessionsUrl: string;
  endpoints: Endpoint[];
}

/** @param endpointCount number of webhook endpoints that subscribe only to `conversation.started` */
export async function createWorkspace(
  { installation, db, receiver }: Scene,
  endpointCount: number,
): Promise<Workspace> {
  const orgId = newId();
  const apiKey = await createOwnerKey(db, orgId);
  const as = { ...installation, apiKey };
  const bot = await call<{ id: string; public_key: string }>(as, 'POST', '/api/bots', { name: 'Bench' });
  await call(as, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
  const endpoints: Endpoint[] = [];
  for (let count = 0; count < endpointCount; count += 1)
    endpoints.push(await createEndpoint({ installation, receiver }, apiKey));
  const sessionsUrl = `${installation.apiUrl}/api/public/bots/${bot.public_key}/sessions`;
  return { orgId, apiKey, botId: bot.id, sessionsUrl, endpoints };
}

/** Creates a webhook endpoint that subscribes only to `conversation.started`. */
export async function createEndpoint(
  { installation, receiver }: Pick<Scene, 'installation' | 'receiver'>,
  apiKey: string,
): Promise<Endpoint> {
  const hook = newId();
  const endpoint = { url: receiver.hookUrl(hook), events: ['conversation.started'] };
  const createdEndpoint = await call<Omit<Endpoint, 'hook'>>(
    { ...installation, apiKey },
    'POST',
    '/api/webhooks',
    endpoint,
  );
  return { hook, ...createdEndpoint };
}

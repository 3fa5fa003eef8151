import assert from 'node:assert/strict';
import { buildBot } from './build-bot.ts';
import type { ApiClient, SharedParley } from './parley.ts';

/** Creates an active bot in a new workspace. */
export async function buildActiveBot(parley: SharedParley, overrides: object = {}) {
  const built = await buildBot(parley, overrides);
  await built.client.patch(`/api/bots/${built.bot.id}`, { status: 'active' });
  return built;
}

/** Creates an active bot and starts a visitor's session with it. */
export async function buildSession(parley: SharedParley, overrides: object = {}) {
  return startSession(parley, await buildActiveBot(parley, overrides));
}

/** Starts a session of a new visitor with the bot. */
export async function startSession<T extends Awaited<ReturnType<typeof buildActiveBot>>>(
  parley: SharedParley,
  org: T,
) {
  const { body, status } = await parley.client().post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
  assert.equal(status, 201);
  const visitor = parley.client(body.visitor_token);
  return { ...org, session: body, visitor, path: `/api/public/sessions/${body.session_id}` as const };
}

/**
 * Returns a function that starts sessions like a browser: it stores the secret of each visitor id and sends it with
 * the next session.
 */
export function createSessionStarter(parley: SharedParley) {
  const secrets = new Map<string, string>();
  return async (
    publicKey: string,
    body: { visitor_id: string; identity_token?: string },
    headers: Record<string, string> = {},
    process: Pick<SharedParley, 'client'> = parley,
  ) => {
    const visitor = `${publicKey} ${body.visitor_id}`;
    const secret = secrets.get(visitor);
    const started = await process
      .client()
      .post(
        `/api/public/bots/${publicKey}/sessions`,
        { ...body, ...(secret !== undefined && { visitor_secret: secret }) },
        headers,
      );
    if (started.status === 201) secrets.set(visitor, started.body.visitor_secret);
    return started;
  };
}

/** Sends a visitor's message and requests the answer as a stream. */
export function ask(
  visitor: ApiClient,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return visitor.fetch(`${path}/messages/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Returns the names of the workspace's events in the outbox, in order. */
export async function findOutboxEvents({ database }: SharedParley, orgId: string): Promise<string[]> {
  const rows = await database.sql<{ name: string }>(
    "SELECT name FROM outbox WHERE org_id = $1 AND kind = 'event' ORDER BY id",
    [orgId],
  );
  return rows.map(({ name }) => name);
}

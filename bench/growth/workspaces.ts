import { newId } from '../../core/ids.ts';
import { copiesOf } from './copies.ts';
import type { Dimension } from './dimension.ts';
import { eventToDelivery, getBot, inboxPage, startSession, sweeps } from './probes.ts';

/** Workspaces of which each has what a small one has: a bot, an endpoint, conversations and deliveries. */
export const workspaces: Dimension = {
  name: 'workspaces',
  sizes: [10, 1000, 10_000],
  probes: [getBot, startSession, eventToDelivery, inboxPage, ...sweeps],
  grow: async ({ db, workspace }, from, to) => {
    const table = `growth_${newId().replaceAll('-', '')}`;
    await db.sql(
      `CREATE TABLE ${table} AS SELECT n, uuidv7() AS org_id, uuidv7() AS bot_id, uuidv7() AS webhook_id
       FROM generate_series(${from + 1}, ${to}) n`,
    );
    await db.sql(
      copiesOf('orgs', `id = '${workspace.orgId}'`, `${table} g`, {
        id: 'g.org_id',
        slug: "'growth-' || g.n",
      }),
    );
    await db.sql(
      copiesOf('bots', `id = '${workspace.botId}'`, `${table} g`, {
        id: 'g.bot_id',
        org_id: 'g.org_id',
        public_key: "'pk_growth_' || g.n",
      }),
    );
    await db.sql(
      copiesOf('webhooks', `id = '${workspace.endpoints[0]!.id}'`, `${table} g`, {
        id: 'g.webhook_id',
        org_id: 'g.org_id',
      }),
    );
    await db.sql(
      `INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, status, ended_at, created_at)
       SELECT uuidv7(), org_id, bot_id, 'v-' || k, gen_random_uuid(), 'ended', now(), now() - k * interval '1 hour'
       FROM ${table}, generate_series(1, 20) k`,
    );
    await db.sql(
      `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, status, attempts, created_at)
       SELECT uuidv7(), org_id, webhook_id, 'growth-' || k, 'conversation.started', '{}', 'delivered', 1,
              now() - k * interval '1 hour'
       FROM ${table}, generate_series(1, 20) k`,
    );
    await db.sql(`DROP TABLE ${table}`);
  },
};

import { withoutIndexes } from './bulk-load.ts';
import { addWorkspaces, withTable } from './copies.ts';
import type { Dimension } from './dimension.ts';

/** Dimension “small workspaces”, each with a bot, a webhook endpoint, conversations and deliveries. */
export const workspaces: Dimension = {
  name: 'workspaces',
  sizes: [10, 1000, 10_000],
  probes: [],
  grow: (scene, from, to) => {
    const query = `SELECT uuidv7() AS org_id, uuidv7() AS bot_id, uuidv7() AS webhook_id FROM generate_series(${from + 1}, ${to})`;
    return withoutIndexes(scene.db, ['conversations', 'messages', 'webhook_deliveries'], () =>
      withTable(scene.db, { query }, (table) => addWorkspaces(scene, table)),
    );
  },
};

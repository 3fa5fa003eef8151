import assert from 'node:assert/strict';
import type { SharedParley } from './parley.ts';

/** Creates a bot in a new workspace. */
export async function buildBot(parley: SharedParley, overrides: object = {}) {
  const org = await parley.buildOrg();
  const { body, status } = await org.client.post('/api/bots', { name: 'Help desk', ...overrides });
  assert.equal(status, 201);
  return { ...org, bot: body };
}

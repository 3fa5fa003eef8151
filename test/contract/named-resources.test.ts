import assert from 'node:assert/strict';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import {
  buildResources,
  createCaller,
  buildOperationPath,
  type Resources,
} from '../support/operation-calls.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildChild } from '../team/support.ts';

/** Operations with a query parameter that limits the result to one bot. */
const byBot = operations.filter(({ query }) => 'bot_id' in ((query?.['properties'] ?? {}) as object));

describe('filters by bot_id', () => {
  let parley: SharedParley;
  let mine: Resources;
  before(async () => {
    parley = await startSharedParley();
    mine = await buildResources(parley);
  });

  const callFiltered = async (operation: Operation, botId: string, query = '') => {
    const path = `${buildOperationPath(operation, mine.ids)}?bot_id=${botId}${query}`;
    const response = await createCaller(operation, mine, parley).fetch(path);
    const isProblem = response.headers.get('content-type') === 'application/problem+json';
    return formatOutcome({ status: response.status, body: isProblem ? await response.json() : null });
  };

  it('exist on the operations listed here', () => {
    const known = [
      'exportContacts',
      'getAnalyticsOverview',
      'getAnswerRatingSummary',
      'listAlertPolicies',
      'listAnswerRatings',
      'listBookings',
      'listContacts',
      'listConversations',
      'listDailyUsage',
      'listFlows',
      'listInbox',
      'listTopQuestions',
      'listWebhooks',
    ];
    const message = 'Use ResourceId in the query, then add the operation here.';
    assert.deepEqual(byBot.map(({ id }) => id).toSorted(), known, message);
  });

  it('refuse a bot of a child workspace with 403, as the path of the bot does', async () => {
    const session = parley.client(mine.accessToken);
    const child = await buildChild(session, mine.orgId);
    const { client: below } = await parley.signIn({ userId: mine.userId, orgId: child.id });
    const { body: bot } = await below.post('/api/bots', { name: 'Guide' });
    assert.equal(formatOutcome(await mine.client.get(`/api/bots/${bot.id}`)), '403 forbidden');
    for (const operation of byBot)
      assert.deepEqual(
        [operation.id, await callFiltered(operation, bot.id)],
        [operation.id, '403 forbidden'],
      );
  });

  it('refuse a deleted bot with 404, as the path of the bot does, except in usage reports', async () => {
    const { body: bot } = await mine.client.post('/api/bots', { name: 'Guide' });
    await mine.client.delete(`/api/bots/${bot.id}`);
    assert.equal(formatOutcome(await mine.client.get(`/api/bots/${bot.id}`)), '404 not_found');
    for (const operation of byBot) {
      const expected = operation.id === 'listDailyUsage' ? '200' : '404 not_found';
      assert.deepEqual([operation.id, await callFiltered(operation, bot.id)], [operation.id, expected]);
    }
  });

  it('refuse a malformed id with 422 before the bot is read', async () => {
    for (const operation of byBot)
      assert.equal(await callFiltered(operation, 'none'), '422 validation_error', operation.id);
  });
});

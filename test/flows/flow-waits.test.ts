import assert from 'node:assert/strict';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildGraph, buildNode } from './graphs.ts';
import { buildFlowBot } from './flow-visits.ts';

describe('a question with a time-out', () => {
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  /** Graph of a flow that stores a value when its wait times out, without a message. */
  const graph = buildGraph(
    [
      buildNode('question', { text: 'Which size?', input: 'text', timeout_minutes: 1440 }, 'ask'),
      buildNode('end', { message: 'Thank you.' }, 'thanks'),
      buildNode('set', { assignments: [{ variable: 'shy', op: 'set', value: 'yes' }], to_contact: true }),
      buildNode('end', {}, 'quietly'),
    ],
    'ask thanks',
    'ask timeout set',
    'set quietly',
  );

  async function ask() {
    const built = await buildFlowBot(parley, [{ graph, trigger: 'first_message' }]);
    const visitor = await built.visit();
    await visitor.say('Hello');
    const { waitId } = (await visitor.findFlowSession())!;
    const { orgId, bot } = built;
    const wait = { orgId, botId: bot.id, conversationId: visitor.id, waitId: waitId!, waitMs: 0 };
    return {
      ...built,
      ...visitor,
      expire: () => parley.runtime.services.conversations.flowWaits.expire(parley.database, wait),
    };
  }

  it('updates the state without a message if the branch of the time-out sends no message', async () => {
    const { expire, findFlowSession, history, client, say, id } = await ask();
    assert.equal(await expire(), true);
    await waitUntil(async () => {
      await parley.runtime.services.conversations.answerRunner.recoverAbandoned();
      return (await findFlowSession())!.status === 'completed';
    }, 'the flow to go on');
    assert.equal((await history()).length, 2);
    const { body } = await client.get('/api/contacts');
    assert.deepEqual(
      body.items.map(({ custom_fields: { shy } }) => shy),
      ['yes'],
    );
    assert.equal((await client.get(`/api/conversations/${id}`)).body.message_count, 2);
    assert.notEqual((await say('XL')).content, 'Thank you.');
  });

  itInSoak('completes the flow even if its turn is recovered an hour later', async () => {
    const { expire, findFlowSession, id } = await ask();
    assert.equal(await expire(), true);
    await parley.database.sql(
      `UPDATE messages SET created_at = created_at - interval '1 hour', lease_expires_at = lease_expires_at - interval '1 hour'
       WHERE conversation_id = $1 AND state = 'generating'`,
      [id],
    );
    await waitUntil(async () => {
      await parley.runtime.services.conversations.answerRunner.recoverAbandoned();
      return (await findFlowSession())!.status === 'completed';
    }, 'the flow to go on');
  });

  it('keeps the conversation open while it waits', async () => {
    const { id, findFlowSession, client, expire } = await ask();
    const { database, runtime } = parley;
    const statusAfter = async (hours: number) => {
      const ageColumn = (column: string) => `${column} = now() - make_interval(hours => $2)`;
      await database.sql(
        `UPDATE conversations SET ${['created_at', 'last_message_at'].map(ageColumn).join(', ')} WHERE id = $1`,
        [id, hours],
      );
      await database.sql(`UPDATE flow_sessions SET ${ageColumn('updated_at')} WHERE conversation_id = $1`, [
        id,
        hours,
      ]);
      await runtime.services.conversations.idleConversations.endBatch(database);
      return (await client.get(`/api/conversations/${id}`)).body.status;
    };
    assert.equal(await statusAfter(23), 'active');
    assert.equal(await statusAfter(26), 'ended');
    assert.equal((await findFlowSession())!.status, 'closed');
    assert.equal(await expire(), false);
  });
});

import assert from 'node:assert/strict';
import { buildGraph, buildNode } from '../../flows/graphs.ts';
import { buildFlowBot } from '../../flows/flow-visits.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

/** Graph of a flow that asks two questions; the second question contains the first answer. */
const graph = buildGraph(
  [
    buildNode('question', { text: 'Whom do we deliver to?', input: 'text', variable: 'who' }, 'first'),
    buildNode(
      'question',
      {
        text: 'Shall we?',
        input: 'choice',
        options: [{ id: 'yes', label: 'Yes, to {{vars.who}}' }],
        variable: 'sure',
      },
      'second',
    ),
    buildNode('end', { message: 'So it goes to {{vars.who}}.' }, 'done'),
  ],
  'first second',
  'second done',
);

describe('encrypted flows', () => {
  let parley: SharedParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startSharedParley();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await keys.stop();
  });

  const findFlowSession = async (conversationId: string) => {
    const [row] = await parley.database.sql<Record<string, unknown>>(
      'SELECT * FROM flow_sessions WHERE conversation_id = $1',
      [conversationId],
    );
    return row!;
  };

  async function build({ isSealed = true } = {}) {
    const { visit, ...org } = await buildFlowBot(parley, [{ graph, trigger: 'first_message' }]);
    if (isSealed) await keys.seal(org);
    const visitor = await visit();
    await visitor.say('Hello');
    await visitor.say('Zoë Quist');
    return { ...org, ...visitor };
  }

  it('store their variables with the workspace’s key, and continue with them', async () => {
    const { id, say } = await build();
    const session = await findFlowSession(id);
    assert.ok(session['key_id']);
    assert.equal(JSON.stringify(session).includes('Quist'), false);
    const { content } = await say('', { content: 'Yes', option_id: 'yes' });
    assert.equal(content, 'So it goes to Zoë Quist.');
  });

  it('continue in conversations that are encrypted while the flows wait', async () => {
    const { id, say, ...org } = await build({ isSealed: false });
    const before = await findFlowSession(id);
    await keys.seal(org);
    await parley.runtime.services.encryption.resealing.runSteps(
      { orgId: org.orgId, db: parley.database },
      () => false,
    );
    const sealed = await findFlowSession(id);
    assert.deepEqual([before['key_id'], sealed['key_id'] === null], [null, false]);
    assert.notEqual(sealed['sealed_state'], before['sealed_state']);
    assert.equal((await say('Yes', { option_id: 'yes' })).content, 'So it goes to Zoë Quist.');
  });
});

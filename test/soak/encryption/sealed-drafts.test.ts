import assert from 'node:assert/strict';
import { DESCRIPTION, listDrafts, generateBot } from '../../bots/generation-support.ts';
import { startParley, type TestParley } from '../../support/parley.ts';

describe('the input of drafted bots', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ PARLEY_SEAL_CONTENT: 'true' });
  });
  after(() => parley.stop());

  it('is stored encrypted, and generateBot reads it unchanged', async () => {
    const { orgId, client } = await parley.buildOrg();
    const { bot } = await generateBot(client, { description: DESCRIPTION });
    assert.equal(bot!.name, 'Acme Bikes');
    const rows = await parley.database.sql('SELECT * FROM bot_generations WHERE org_id = $1', [orgId]);
    assert.equal(JSON.stringify(rows).includes('Acme'), false);
    const [draft] = await listDrafts(parley, orgId);
    assert.deepEqual(draft!.input, { description: DESCRIPTION, websiteUrl: null });
    assert.equal(draft!.blueprint?.name, 'Acme Bikes');
  });
});

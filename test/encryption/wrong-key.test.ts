import assert from 'node:assert/strict';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';
import { startOwnKeys, type OwnKeys } from './own-key.ts';

describe('a key service that returns a wrong key', () => {
  let parley: SharedParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startSharedParley();
    keys = await startOwnKeys(parley);
  });
  after(() => keys.stop());

  for (const mode of ['other_key', 'short_key'] as const)
    it(`makes createConversationNote respond with 423 (${mode}), and does no lasting harm, even in a new month`, async () => {
      const { client, orgId, userId, session } = await buildSession(parley);
      const org = { orgId, userId };
      await keys.seal(org);
      const notes = `/api/ext/conversations/${session.session_id}/notes` as const;
      const write = () => client.post(notes, { text: 'This customer had a refund.' });
      assert.equal(formatOutcome(await write()), '201');
      await parley.database.sql("UPDATE data_keys SET month = month - interval '1 month' WHERE org_id = $1", [
        orgId,
      ]);
      keys.withdraw(org, mode);
      assert.equal(formatOutcome(await write()), '423 key_unavailable');
      keys.restore(org);
      assert.equal(formatOutcome(await write()), '201');
      assert.equal((await client.get(notes)).body.items.length, 2);
    });
});

import assert from 'node:assert/strict';
import { newId } from '../../../core/ids.ts';
import { Contact } from '../../../entities/contacts/contact.entity.ts';
import { form } from '../../contacts/identity-support.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { recordStatements } from '../../support/statements.ts';
import { createSessionStarter, buildActiveBot } from '../../support/widget.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const CONTACTS = 30;

describe('rows with an unknown data key', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  let now = Date.now();
  const clock = { now: () => new Date(now) };
  before(async () => {
    parley = await startParley({}, { clock });
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  /** Creates a workspace with its own key and an encrypted contact. */
  async function build() {
    const org = await buildActiveBot(parley, form);
    await keys.seal(org);
    const browser = createSessionStarter(parley);
    const { body: session } = await browser(org.bot.public_key, { visitor_id: 'zoe' });
    const visitor = parley.client(session.visitor_token);
    await visitor.post(`/api/public/sessions/${session.session_id}/lead`, { fields: { name: 'Zoë Quist' } });
    const { id } = await parley.database.repository(Contact).findOneByOrFail({ botId: org.bot.id });
    return { ...org, id };
  }

  it('make listContacts read the keys twice, not again within five seconds, and never call the key service', async () => {
    const { id, client } = await build();
    await parley.database.sql('UPDATE contacts SET key_id = $2 WHERE id = $1', [id, newId()]);
    for (let n = 1; n < CONTACTS; n += 1)
      await parley.database.sql(
        `INSERT INTO contacts (id, org_id, bot_id, browser_id, visitor_id, name, key_id)
         SELECT $2, org_id, bot_id, $2, $3, name, $4 FROM contacts WHERE id = $1`,
        [id, newId(), `visitor-${n}`, newId()],
      );
    const asked = keys.front.requests.length;
    const countKeyReads = async () => {
      const statements = await recordStatements(parley, async () => {
        assert.equal(formatOutcome(await client.get('/api/contacts')), '500 internal_error');
      });
      return statements.filter((text) => text.includes('FROM "data_keys"')).length;
    };
    assert.deepEqual([await countKeyReads(), await countKeyReads()], [2, 0]);
    now += 5000;
    assert.deepEqual([await countKeyReads(), await countKeyReads()], [2, 0]);
    assert.equal(keys.front.requests.length, asked);
    assert.ok(parley.runtime.services.encryption.undecryptableValues.count > 0);
  });

  it('with the data key of another workspace return 500, and that workspace can still read its own rows', async () => {
    const [mine, other] = [await build(), await build()];
    await parley.database.sql(
      'UPDATE contacts c SET name = o.name, key_id = o.key_id FROM contacts o WHERE c.id = $1 AND o.id = $2',
      [mine.id, other.id],
    );
    const { contentKeys } = parley.runtime.services.encryption;
    contentKeys.forget(other.orgId);
    const moved = await mine.client.get(`/api/contacts/${mine.id}`);
    assert.equal(formatOutcome(moved), '500 internal_error');
    assert.equal((await other.client.get(`/api/contacts/${other.id}`)).body.name, 'Zoë Quist');
  });
});

import assert from 'node:assert/strict';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import { ask, buildSession } from '../support/widget.ts';
import { form } from '../contacts/identity-support.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { startOwnKeys, type OwnKeys } from './own-key.ts';

const NAME = 'Zoë Quist';

describe('an encrypted row before a repository decrypts it', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  const contacts = new ContactRepository();
  before(async () => {
    parley = await startParley();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  /** Builds a workspace with a contact that is encrypted with the workspace's own key. */
  async function build() {
    const org = await buildSession(parley, form);
    await keys.seal(org);
    await (await ask(org.visitor, org.path, { content: 'Where is my cargo bike?' })).text();
    const fields = { name: NAME, email: 'zoe@quist.example' };
    assert.equal((await org.visitor.post(`${org.path}/lead`, { fields })).status, 200);
    const scope = { orgId: org.orgId, db: parley.database };
    const { id } = await parley.database.repository(Contact).findOneByOrFail({ orgId: org.orgId });
    return { ...org, scope, id };
  }

  it('can be written as JSON, copied and compared in its stored form without a key service, even while the key is withdrawn', async () => {
    const { scope, id, ...org } = await build();
    keys.withdraw(org);
    const asked = keys.front.requests.length;
    const read = [
      await contacts.get(scope, id),
      await contacts.query(scope).getOneOrFail(),
      await parley.database.transaction((db) => contacts.lock({ ...scope, db }, id)),
    ];
    const [{ name } = { name: '' }] = await parley.database.sql<{ name: string }>(
      'SELECT name FROM contacts WHERE id = $1',
      [id],
    );
    for (const row of read) {
      assert.equal((JSON.parse(JSON.stringify(row)) as { name: unknown }).name, name);
      assert.deepEqual({ ...row }, { ...read[0]! });
      const properties = Object.values(Object.getOwnPropertyDescriptors(row));
      assert.equal(
        properties.every((property) => 'value' in property),
        true,
      );
    }
    assert.equal(JSON.stringify(read).includes(NAME), false);
    assert.equal(keys.front.requests.length, asked);
    keys.restore(org);
    assert.equal((await contacts.open(scope, read[0]!)).name, NAME);
  });

  it('has content of an opaque type that the compiler does not let code read', async () => {
    const { scope, id } = await build();
    const row = await contacts.get(scope, id);
    // @ts-expect-error stored content is not text
    const name: string | null = row.name;
    // @ts-expect-error stored content has no properties of its value
    const fields: unknown = row.customFields['name'];
    // @ts-expect-error stored content is not comparable with text
    const isSame = row.name === NAME;
    // @ts-expect-error stored content cannot be spread
    const spread = { ...row.customFields };
    // @ts-expect-error stored content cannot be encrypted twice
    const inserting = () => contacts.insert(scope, row);
    const opened = await contacts.open(scope, row);
    // @ts-expect-error a decrypted row cannot be decrypted twice
    const opening = () => contacts.open(scope, opened);
    const read: string | null = opened.name;
    assert.equal(read, NAME);
    assert.notEqual(name, NAME);
    assert.deepEqual([fields, isSame], [undefined, false]);
    assert.equal(typeof spread, 'object');
    assert.deepEqual([typeof inserting, typeof opening], ['function', 'function']);
  });
});

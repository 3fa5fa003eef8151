import assert from 'node:assert/strict';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { ADA, form } from '../contacts/identity-support.ts';
import { signIdentityToken } from '../support/identity-token.ts';
import { assertNeutral, formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { createSessionStarter, buildActiveBot } from '../support/widget.ts';
import { startOwnKeys, type OwnKeys } from './own-key.ts';

const LEFT = { name: 'Zoë Quist', email: 'zoe@quist.example', seats: 3, plan: 'fleet' };
/** Parts of the visitor's contact details, which must not be readable in the database. */
const WORDS = ['Quist', 'quist.example', 'fleet', 'zoe@'];

const directory = {
  enabled: true,
  entries: [{ name: 'Dr. Rivera', category: 'Uptown', link: 'https://book.example.com/rivera' }],
};

describe('encrypted contacts', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startParley({ PARLEY_SEAL_CONTENT: 'true' });
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  const readContactRow = async (id: string) => {
    const [row] = await parley.database.sql<Record<string, unknown>>('SELECT * FROM contacts WHERE id = $1', [
      id,
    ]);
    return row!;
  };

  /** Builds a visitor of a bot with the values that the visitor has sent in the form. */
  async function build({ hasOwnKey = false } = {}) {
    const org = await buildActiveBot(parley, { ...form, directory_config: directory });
    if (hasOwnKey) await keys.seal(org);
    const browser = createSessionStarter(parley);
    const begin = async (body: object = {}) => {
      const { body: session, status } = await browser(org.bot.public_key, {
        visitor_id: 'zoe-browser',
        ...body,
      });
      assert.equal(status, 201);
      const path = `/api/public/sessions/${session.session_id}` as const;
      const authorization = `Bearer ${session.visitor_token}`;
      const choose = () =>
        parley
          .client()
          .post(
            `/api/public/bots/${org.bot.public_key}/directory/resolve`,
            { category: 'Uptown', choice: 'Dr. Rivera' },
            { authorization },
          );
      return { visitor: parley.client(session.visitor_token), path, choose };
    };
    const { visitor, path, choose } = await begin();
    assert.equal((await visitor.post(`${path}/lead`, { fields: LEFT })).status, 200);
    const { id } = await parley.database.repository(Contact).findOneByOrFail({ botId: org.bot.id });
    return { ...org, begin, visitor, id, own: `/api/contacts/${id}` as const, sessionPath: path, choose };
  }

  it('are stored encrypted, and returned as entered by getContact, listContacts and exportContacts', async () => {
    const { client, id, own } = await build();
    const row = await readContactRow(id);
    assert.ok(row['key_id']);
    assert.deepEqual(
      WORDS.filter((word) => JSON.stringify(row).includes(word)),
      [],
    );
    const { body } = await client.get(own);
    const contactFields = {
      name: LEFT.name,
      email: LEFT.email,
      phone: null,
      custom_fields: { seats: 3, plan: 'fleet' },
    };
    assert.deepEqual({ ...body, ...contactFields }, body);
    const { items } = (await client.get('/api/contacts')).body;
    assert.deepEqual(items, [body]);
    const csv = await (await client.fetch('/api/contacts/export')).text();
    assert.ok(csv.includes('Zoë Quist,zoe@quist.example'), csv);
  });

  it('are changed field by field by updateContact, whatever key they were encrypted with before', async () => {
    const { client, own, id, ...org } = await build();
    const changed = await client.patch(own, { phone: '+31 20 123' });
    assert.deepEqual([changed.body.name, changed.body.phone], [LEFT.name, '+31 20 123']);
    const { key_id: former, ...row } = await readContactRow(id);
    assert.doesNotMatch(JSON.stringify(row), /\+31 20 123/);
    await keys.seal(org);
    const again = await client.patch(own, { name: 'Zoë Q.' });
    assert.deepEqual([again.body.name, again.body.email], ['Zoë Q.', LEFT.email]);
    assert.notEqual((await readContactRow(id))['key_id'], former);
  });

  it('are found by listContacts and listConversations by visitor id and identity, and by no encrypted value', async () => {
    const { client, id, begin, bot } = await build();
    const { body: embed } = await client.get(`/api/bots/${bot.id}/embed`);
    await begin({ identity_token: signIdentityToken(embed.identity_secret!, ADA) });
    const searchNames = async (q: string) => {
      const query = new URLSearchParams({ q }).toString();
      const contacts = (await client.get(`/api/contacts?${query}`)).body.items;
      const conversations = (await client.get(`/api/conversations?${query}`)).body.items;
      return [contacts.map((each) => each.id), conversations.length] as const;
    };
    assert.deepEqual(await searchNames('zoe-brow'), [[id], 2]);
    assert.deepEqual(await searchNames('user-17'), [[id], 2]);
    for (const word of WORDS) assert.deepEqual(await searchNames(word), [[], 0]);
  });

  it('are merged by startWidgetSession with an identity token, with the details of both contacts', async () => {
    const { client, begin, bot, id } = await build();
    const { body: embed } = await client.get(`/api/bots/${bot.id}/embed`);
    const token = { identity_token: signIdentityToken(embed.identity_secret!, { sub: 'crm-9' }) };
    const elsewhere = await begin({ visitor_id: 'zoe-phone', ...token });
    await elsewhere.visitor.post(`${elsewhere.path}/lead`, { fields: { name: 'Z. Quist', seats: 4 } });
    await begin(token);
    const { items } = (await client.get('/api/contacts')).body;
    assert.deepEqual(
      items.map(({ id: merged, name, email, custom_fields: fields }) => [merged === id, name, email, fields]),
      [[false, 'Z. Quist', LEFT.email, { seats: 4, plan: 'fleet' }]],
    );
  });

  it('return 423 with Retry-After while their key is unavailable, without any write, and work again later', async () => {
    const { client, visitor, own, id, begin, sessionPath, bot, choose, ...org } = await build({
      hasOwnKey: true,
    });
    const { body: embed } = await client.get(`/api/bots/${bot.id}/embed`);
    const before = await readContactRow(id);
    keys.withdraw(org);
    const token = signIdentityToken(embed.identity_secret!, ADA);
    const refused = [
      await client.get('/api/contacts'),
      await client.get(own),
      await client.patch(own, { name: 'Nobody' }),
      await client.patch(own, { tags: ['vip'] }),
      await visitor.post(`${sessionPath}/lead`, { fields: { ...LEFT, name: 'Nobody' } }),
      await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, { identity_token: token }),
      await choose(),
    ];
    assert.deepEqual(refused.map(formatOutcome), Array(7).fill('423 key_unavailable'));
    assert.deepEqual(
      refused.map(({ headers }) => headers.get('retry-after')),
      Array(7).fill('5'),
    );
    for (const { problem } of refused.slice(0, 4)) assert.match(problem.error.message, /key service refuses/);
    for (const { problem } of refused.slice(4)) assertNeutral(problem);
    assert.deepEqual(await readContactRow(id), before);
    keys.restore(org);
    assert.equal((await client.get(own)).body.name, LEFT.name);
  });

  it('are erased by eraseContact while their key is unavailable', async () => {
    const { client, own, id, ...org } = await build({ hasOwnKey: true });
    keys.withdraw(org);
    assert.equal((await client.post(`${own}/erase`)).status, 202);
    const { name, email, custom_fields: fields } = await readContactRow(id);
    assert.deepEqual([name, email, fields], [null, null, {}]);
    keys.restore(org);
    assert.equal(formatOutcome(await client.get(own)), '404 not_found');
  });
});

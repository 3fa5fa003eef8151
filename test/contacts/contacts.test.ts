import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { newId } from '../../core/ids.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { formatCsvLine } from '../../core/text/csv.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { listPayloads } from './support.ts';

describe('contacts:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function addContact(
    orgId: string,
    botId: string,
    fields: Partial<Opened<Contact>> = {},
  ): Promise<string> {
    const id = newId();
    await parley.database
      .repository(Contact)
      .insert({ id, orgId, botId, visitorId: id, browserId: id, ...fields } as object);
    return id;
  }

  const updates = (orgId: string) => listPayloads(parley, orgId, 'contact.updated');

  describe('listContacts and getContact', () => {
    itInSoak('count conversations and messages exactly during concurrent writes', async () => {
      const { bot, client } = await buildActiveBot(parley);
      const path = `/api/public/bots/${bot.public_key}/sessions` as const;
      const { body: first } = await parley.client().post(path, { visitor_id: 'v-1' });
      await parley.database.sql(
        `INSERT INTO contacts (id, org_id, bot_id, visitor_id, browser_id, name)
         SELECT id, org_id, bot_id, visitor_id, browser_id, 'Ada' FROM conversations WHERE id = $1`,
        [first.session_id],
      );
      const id = first.session_id as string;
      const exchangeMessages = async () => {
        const { visitor_secret } = first;
        const { body } = await parley.client().post(path, { visitor_id: 'v-1', visitor_secret });
        await parley
          .client(body.visitor_token)
          .post(`/api/public/sessions/${body.session_id}/messages`, { content: 'Hi' });
      };
      await Promise.all([exchangeMessages(), exchangeMessages(), exchangeMessages()]);
      const { body, status } = await client.get(`/api/contacts/${id}`);
      assert.equal(status, 200);
      assert.deepEqual([body.conversation_count, body.message_count, body.name], [4, 6, 'Ada']);
      assert.deepEqual((await client.get('/api/contacts')).body.items, [body]);
    });

    it('filter by bot, lead, tag, country and text', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley);
      const { body: other } = await client.post('/api/bots', { name: 'Other' });
      const ada = await addContact(orgId, bot.id, { name: 'Ada_L', isLead: true, tags: ['vip', 'eu'] });
      const bob = await addContact(orgId, bot.id, { email: 'bob@example.com', country: 'DE' });
      const cy = await addContact(orgId, other.id, { phone: '+49 30 901820', tags: ['eu'] });
      const cases: [string, string[]][] = [
        ['', [cy, bob, ada]],
        [`bot_id=${bot.id}`, [bob, ada]],
        ['is_lead=true', [ada]],
        ['is_lead=false', [cy, bob]],
        ['tag=eu', [cy, ada]],
        ['tag=e', []],
        ['country=DE', [bob]],
        ['q=ADA_l', [ada]],
        ['q=%25', []],
        ['q=BOB%40', [bob]],
        ['q=901820', [cy]],
        [`q=${ada}`, [ada]],
        [`tag=eu&bot_id=${bot.id}`, [ada]],
      ];
      for (const [query, expected] of cases) {
        const { body } = await client.get(`/api/contacts?${query}`);
        assert.deepEqual(
          body.items.map((contact: { id: string }) => contact.id).sort(),
          expected.sort(),
          query,
        );
        assert.equal(body.total, expected.length, query);
      }
    });
  });

  describe('updateContact', () => {
    it('changes the named fields, and emits contact.updated with the names and values that differ', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley);
      const id = await addContact(orgId, bot.id, { name: 'Ada', customFields: { seats: 3 } });
      const changes = {
        name: 'Ada',
        email: 'ada@example.com',
        phone: '+49 30 901820',
        custom_fields: { seats: 3, plan: 'large' },
        tags: ['vip'],
        is_lead: true,
      };
      const { status, body } = await client.patch(`/api/contacts/${id}`, changes);
      assert.equal(status, 200);
      assert.deepEqual({ ...body, ...changes }, body);
      const changed = ['email', 'phone', 'custom_fields', 'tags', 'is_lead'];
      const { name: _, ...values } = changes;
      assert.deepEqual(await updates(orgId), [{ contact_id: id, bot_id: bot.id, changed, values }]);

      const { body: cleared } = await client.patch(`/api/contacts/${id}`, { email: null, tags: [] });
      assert.deepEqual([cleared.email, cleared.tags, cleared.phone], [null, [], '+49 30 901820']);
      const { changed: last, values: now } = (await updates(orgId))[1]!;
      assert.deepEqual([last, now], [['email', 'tags'], { email: null, tags: [] }]);
    });

    it('emits nothing if no value differs', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley);
      const fields = { name: 'Ada', customFields: { a: 1, b: [2] }, tags: ['vip'] };
      const id = await addContact(orgId, bot.id, fields);
      for (const changes of [
        {},
        { name: 'Ada', email: null, custom_fields: { b: [2], a: 1 }, tags: ['vip'], is_lead: false },
      ]) {
        assert.equal((await client.patch(`/api/contacts/${id}`, changes)).status, 200);
      }
      assert.deepEqual(await updates(orgId), []);
    });

    itInSoak('emits one event for 20 concurrent calls with the same change', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley);
      const id = await addContact(orgId, bot.id);
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => client.patch(`/api/contacts/${id}`, { name: 'Ada' })),
      );
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
      assert.equal((await updates(orgId)).length, 1);
    });

    const wrong: [object, string][] = [
      [{ email: 'nobody' }, 'email'],
      [{ email: `${'a'.repeat(243)}@example.com` }, 'email'],
      [{ email: `ada@${'a'.repeat(64)}.com` }, 'email'],
      [{ email: `${'é'.repeat(33)}@example.com` }, 'email'],
      [{ phone: 'none' }, 'phone'],
      [{ name: ' ' }, 'name'],
      [{ name: 'a'.repeat(201) }, 'name'],
      [{ tags: ['a', 'a'] }, 'tags'],
      [{ tags: null }, 'tags'],
      [{ is_lead: null }, 'is_lead'],
      [{ custom_fields: null }, 'custom_fields'],
      [{ custom_fields: { note: 'é'.repeat(10_000) } }, 'custom_fields'],
      [{ country: 'DE' }, 'country'],
      [{ visitor_id: 'v-2' }, 'visitor_id'],
    ];
    for (const [changes, field] of wrong) {
      it(`refuses ${JSON.stringify(changes).slice(0, 40)}`, async () => {
        const { bot, client, orgId } = await buildActiveBot(parley);
        const id = await addContact(orgId, bot.id);
        const { status, problem } = await client.patch(`/api/contacts/${id}`, changes);
        assert.deepEqual([status, problem.details[0]!.field], [422, field]);
        assert.deepEqual(await updates(orgId), []);
      });
    }

    it('refuses without delay a long text that is not an email address', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley);
      const id = await addContact(orgId, bot.id);
      for (const email of [`a@${'.a'.repeat(200_000)}@`, `${'a.'.repeat(200_000)}`]) {
        const from = performance.now();
        assert.equal((await client.patch(`/api/contacts/${id}`, { email })).status, 422);
        assert.ok(performance.now() - from < 10_000);
      }
    });
  });

  describe('exportContacts', () => {
    it('returns a CSV file of all contacts that match the filters, newest first', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley);
      await parley.database.sql(
        `INSERT INTO contacts (id, org_id, bot_id, visitor_id, browser_id, name, is_lead, created_at)
         SELECT gen_random_uuid(), $1, $2, 'v-' || n, gen_random_uuid(), 'Visitor ' || n, n % 2 = 0, now() - n / 3 * interval '1 ms'
         FROM generate_series(1, 1203) n`,
        [orgId, bot.id],
      );
      const response = await client.fetch('/api/contacts/export');
      assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.equal(response.headers.get('content-disposition'), 'attachment; filename="contacts.csv"');
      const rows = parse<Record<string, string>>(await response.text(), { columns: true });
      assert.equal(rows.length, 1203);
      const visitors = rows.map(({ visitor_id }) => visitor_id);
      assert.equal(new Set(visitors).size, 1203);
      const numbers = visitors.map((visitor) => Math.floor(Number(visitor?.slice(2)) / 3));
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      );
      const leads = await client.fetch('/api/contacts/export?is_lead=true');
      assert.equal(parse(await leads.text(), { columns: true }).length, 601);
      const named = await client.fetch('/api/contacts/export?q=visitor');
      const found = parse<Record<string, string>>(await named.text(), { columns: true });
      assert.deepEqual(
        found.map(({ id }) => id),
        rows.map(({ id }) => id),
      );
    });

    it('keeps texts verbatim, except those that a spreadsheet would run as formulas', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley);
      await addContact(orgId, bot.id, {
        visitorId: 'v-1',
        name: '=HYPERLINK("http://evil.example","Prices, today")',
        email: '@ada@example.com',
        phone: '+49 30 901820',
        customFields: { note: 'one\ntwo, "three"' },
        tags: ['-1', 'eu'],
      });
      const response = await client.fetch('/api/contacts/export');
      const [row] = parse<Record<string, string>>(await response.text(), { columns: true });
      const { id: _, first_seen_at, last_seen_at, ...cells } = row!;
      assert.ok(last_seen_at! >= first_seen_at!);
      assert.deepEqual(cells, {
        bot_id: bot.id,
        visitor_id: 'v-1',
        name: `'=HYPERLINK("http://evil.example","Prices, today")`,
        email: `'@ada@example.com`,
        phone: `'+49 30 901820`,
        country: '',
        is_lead: 'false',
        tags: `'-1, eu`,
        conversation_count: '0',
        message_count: '0',
        custom_fields: '{"note":"one\\ntwo, \\"three\\""}',
        bookings: '[]',
      });
    });

    it('returns only the header line if there are no contacts', async () => {
      const { client } = await buildActiveBot(parley);
      const text = await (await client.fetch('/api/contacts/export')).text();
      assert.match(text, /^id,bot_id,visitor_id,[a-z_,]+\r\n$/);
    });
  });

  describe('formatCsvLine', () => {
    const cells: [string | number | boolean | null, string][] = [
      ['plain', 'plain'],
      ['a,b', '"a,b"'],
      ['a"b', '"a""b"'],
      ['a\nb', '"a\nb"'],
      [null, ''],
      [-1, '-1'],
      [true, 'true'],
      ['=1+1', "'=1+1"],
      [' =1+1', "' =1+1"],
      ['\t=1+1', `"'\t'=1+1"`],
      ['"=1+1', `"'""=1+1"`],
      ['Ada;=1+1', `"Ada;'=1+1"`],
      [';=1+1', `";'=1+1"`],
      ['Ada; "=1+1" x', `"Ada;' ""=1+1"" x"`],
      ['Ada\t-1', `"Ada\t'-1"`],
      ['Ada\n@SUM(1)', `"Ada\n'@SUM(1)"`],
      ['Ada\r\n+1', `"Ada\r\n'+1"`],
      ['Ada, ＝1', `"Ada,' ＝1"`],
      ['a|=1', "a|'=1"],
      ['one; two - three', '"one; two - three"'],
      ['a=b;c=d', '"a=b;c=d"'],
      ['＝1+1', "'＝1+1"],
      ['\rx', '"\'\rx"'],
      ['1=1', '1=1'],
    ];
    for (const [value, expected] of cells) {
      it(`writes ${JSON.stringify(value)} as ${JSON.stringify(expected)}`, () => {
        assert.equal(formatCsvLine([value]), `${expected}\r\n`);
      });
    }
  });
});

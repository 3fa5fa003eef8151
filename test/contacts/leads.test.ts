import assert from 'node:assert/strict';
import { startParley, type ApiClient, type TestParley } from '../support/parley.ts';
import { browserOf, buildActiveBot, buildSession } from '../support/widget.ts';
import { outcomeOf } from '../support/outcome.ts';

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', seats: 3 };

const form = {
  enabled: true,
  trigger: 'before_chat',
  fields: [
    { key: 'name', label: 'Name', required: true },
    { key: 'email', label: 'E-mail', type: 'email', required: true },
    { key: 'mobile', label: 'Mobile', type: 'phone' },
    { key: 'seats', label: 'Seats', type: 'number' },
    { key: 'plan', label: 'Plan', type: 'select' },
  ],
};
const withForm = {
  lead_capture_config: form,
  contact_fields_config: [{ key: 'plan', label: 'Plan', type: 'select', options: ['small', 'large'] }],
};

describe('leads', () => {
  let parley: TestParley;
  let browser: ReturnType<typeof browserOf>;
  before(async () => {
    parley = await startParley();
    browser = browserOf(parley);
  });
  after(() => parley.stop());

  async function eventsNamed(orgId: string, name: string): Promise<any[]> {
    const rows = await parley.database.sql<{ payload: any }>(
      "SELECT payload FROM outbox WHERE org_id = $1 AND kind = 'event' AND name = $2 ORDER BY id",
      [orgId, name],
    );
    return rows.map(({ payload }) => payload);
  }

  async function contactsOf(client: ApiClient): Promise<any[]> {
    return (await client.get('/api/contacts')).body.items;
  }

  /** Another session of the same visitor in the same browser. */
  async function sessionOf(publicKey: string, visitorId: string) {
    const { body } = await browser(publicKey, { visitor_id: visitorId });
    return {
      id: body.session_id as string,
      path: `/api/public/sessions/${body.session_id}`,
      visitor: parley.client(body.visitor_token),
    };
  }

  it('are asked for by the form of the widget’s configuration, with what can be chosen', async () => {
    const { bot } = await buildActiveBot(parley, withForm);
    const { body } = await parley.client().get(`/api/public/bots/${bot.public_key}/config`);
    const { fields, ...rest } = body.lead_capture;
    assert.deepEqual(rest, { enabled: true, trigger: 'before_chat', trigger_value: 2 });
    assert.deepEqual(fields.slice(3), [
      { key: 'seats', label: 'Seats', type: 'number', required: false },
      { key: 'plan', label: 'Plan', type: 'select', required: false, options: ['small', 'large'] },
    ]);
  });

  describe('POST lead', () => {
    it('makes the visitor a contact and a lead, and emits lead.captured', async () => {
      const { client, orgId, bot, session, visitor, path } = await buildSession(parley, withForm);
      assert.equal((await visitor.get(path)).body.lead_form_due, true);
      const fields = { ...ADA, name: '  Ada Lovelace ', mobile: '+49 30 901820', plan: 'large' };
      const { status, body } = await visitor.post(`${path}/lead`, { fields });
      assert.equal(status, 200);
      assert.equal(typeof body.message, 'string');
      const [contact, ...others] = await contactsOf(client);
      assert.deepEqual(others, []);
      const { id, first_seen_at, last_seen_at, ...rest } = contact;
      assert.deepEqual(rest, {
        bot_id: bot.id,
        visitor_id: session.visitor_id,
        identity: null,
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        email_verified: false,
        phone: '+49 30 901820',
        country: null,
        custom_fields: { seats: 3, plan: 'large' },
        tags: [],
        is_lead: true,
        conversation_count: 1,
        message_count: 0,
      });
      const { body: conversation } = await client.get(`/api/conversations/${session.session_id}`);
      assert.equal(first_seen_at, conversation.started_at);
      assert.ok(last_seen_at >= first_seen_at);
      assert.deepEqual(
        [conversation.is_lead, conversation.contact_id, conversation.contact_email],
        [true, id, 'ada@example.com'],
      );
      assert.deepEqual(conversation.custom_fields, { ...fields, name: 'Ada Lovelace' });
      assert.deepEqual(await eventsNamed(orgId, 'lead.captured'), [
        {
          conversation_id: session.session_id,
          bot_id: bot.id,
          contact_id: id,
          fields: { ...fields, name: 'Ada Lovelace' },
        },
      ]);
      assert.deepEqual(await eventsNamed(orgId, 'contact.updated'), []);
      assert.equal((await visitor.get(path)).body.lead_form_due, false);
    });

    const wrong: [what: string, fields: object, faults: string[]][] = [
      ['nothing', {}, ['fields.name required', 'fields.email required']],
      [
        'blanks and null where something is required',
        { name: ' ', email: null },
        ['fields.name required', 'fields.email required'],
      ],
      ['a field that the form has not', { ...ADA, age: 3 }, ['fields.age unknown_key']],
      ['a name of the prototype', { ...ADA, constructor: 'x' }, ['fields.constructor unknown_key']],
      ['an e-mail address that is none', { ...ADA, email: 'ada@example' }, ['fields.email format']],
      ['an e-mail address with a space', { ...ADA, email: 'a da@example.com' }, ['fields.email format']],
      ['a phone number that is none', { ...ADA, mobile: 'call me' }, ['fields.mobile format']],
      ['a phone number of four digits', { ...ADA, mobile: '1-2-3-4' }, ['fields.mobile format']],
      ['a number as a text', { ...ADA, seats: '3' }, ['fields.seats type']],
      ['a text as a number', { ...ADA, name: 3 }, ['fields.name type']],
      ['a list', { ...ADA, name: ['Ada'] }, ['fields.name type']],
      ['a choice that is not offered', { ...ADA, plan: 'huge' }, ['fields.plan enum']],
      ['a name of 201 characters', { ...ADA, name: 'a'.repeat(201) }, ['fields.name maxLength']],
      ['several faults', { name: 3, email: 'x' }, ['fields.name type', 'fields.email format']],
    ];
    for (const [what, fields, faults] of wrong) {
      it(`refuses ${what}, and stores nothing`, async () => {
        const { client, visitor, path, orgId } = await buildSession(parley, withForm);
        const { status, body } = await visitor.post(`${path}/lead`, { fields });
        assert.equal(outcomeOf({ status, body }), '422 validation_error');
        assert.deepEqual(
          body.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
          faults,
        );
        assert.deepEqual(await contactsOf(client), []);
        assert.deepEqual(await eventsNamed(orgId, 'lead.captured'), []);
      });
    }

    it('takes values at their bounds', async () => {
      const { client, visitor, path } = await buildSession(parley, withForm);
      const email = `${'a'.repeat(242)}@example.com`;
      const fields = { name: 'a'.repeat(200), email, mobile: '12345', seats: -0.5, plan: null };
      assert.equal((await visitor.post(`${path}/lead`, { fields })).status, 200);
      const [contact] = await contactsOf(client);
      assert.deepEqual([contact.email, contact.phone], [email, '12345']);
      assert.deepEqual(contact.custom_fields, { seats: -0.5 });
      const tooLong = await visitor.post(`${path}/lead`, { fields: { ...fields, email: `a${email}` } });
      assert.equal(tooLong.body.details[0].code, 'maxLength');
    });

    it('wants at least one value of a form that requires none', async () => {
      const lead_capture_config = { enabled: true, fields: [{ key: 'email', label: 'E-mail' }] };
      const { client, visitor, path } = await buildSession(parley, { lead_capture_config });
      const { status, body } = await visitor.post(`${path}/lead`, { fields: { email: '' } });
      assert.deepEqual([status, body.details[0].field], [422, 'fields']);
      // Called email, it is one, although its type is text.
      const text = await visitor.post(`${path}/lead`, { fields: { email: 'nobody' } });
      assert.equal(text.status, 422);
      assert.equal((await visitor.post(`${path}/lead`, { fields: { email: 'a@b.example' } })).status, 200);
      assert.equal((await contactsOf(client))[0].email, 'a@b.example');
    });

    it('answers 409 where the bot does not ask', async () => {
      for (const lead_capture_config of [null, { ...form, enabled: false }]) {
        const { client, visitor, path } = await buildSession(parley, { lead_capture_config });
        const { status, body } = await visitor.post(`${path}/lead`, { fields: ADA });
        assert.equal(outcomeOf({ status, body }), '409 conflict');
        assert.deepEqual(await contactsOf(client), []);
      }
    });

    it('again is another lead.captured, and emits contact.updated for what is different', async () => {
      const { client, orgId, visitor, path, bot } = await buildSession(parley, withForm);
      for (const _ of [1, 2]) assert.equal((await visitor.post(`${path}/lead`, { fields: ADA })).status, 200);
      assert.deepEqual(await eventsNamed(orgId, 'contact.updated'), []);
      await visitor.post(`${path}/lead`, { fields: { ...ADA, name: 'Ada King', seats: 4 } });
      const [contact] = await contactsOf(client);
      assert.deepEqual([contact.name, contact.custom_fields], ['Ada King', { seats: 4 }]);
      assert.deepEqual(await eventsNamed(orgId, 'contact.updated'), [
        {
          contact_id: contact.id,
          bot_id: bot.id,
          changed: ['name', 'custom_fields'],
          values: { name: 'Ada King', custom_fields: { seats: 4 } },
        },
      ]);
      assert.deepEqual(
        (await eventsNamed(orgId, 'lead.captured')).map(({ fields }) => fields.name),
        ['Ada Lovelace', 'Ada Lovelace', 'Ada King'],
      );
    });

    it('of 20 sessions of one visitor at once over two processes makes one contact, and tells of each', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley, withForm);
      const another = await parley.startAnother();
      await browser(bot.public_key, { visitor_id: 'v-1' });
      const sessions = await Promise.all(
        Array.from({ length: 20 }, () => browser(bot.public_key, { visitor_id: 'v-1' })),
      );
      const answers = await Promise.all(
        sessions.map(({ body }, index) =>
          (index % 2 ? parley : another)
            .client(body.visitor_token)
            .post(`/api/public/sessions/${body.session_id}/lead`, { fields: ADA }),
        ),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      const contacts = await contactsOf(client);
      assert.deepEqual(
        contacts.map(({ conversation_count, is_lead }) => [conversation_count, is_lead]),
        [[21, true]],
      );
      assert.equal((await eventsNamed(orgId, 'lead.captured')).length, 20);
      assert.deepEqual(await eventsNamed(orgId, 'contact.updated'), []);
      const { body } = await client.get(`/api/conversations?contact_id=${contacts[0].id}&is_lead=true`);
      assert.equal(body.total, 20);
    });

    it('20 times at once in one session makes one contact and one mail', async () => {
      const { client, orgId, visitor, path } = await buildSession(parley, withForm);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => visitor.post(`${path}/lead`, { fields: ADA })),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      assert.equal((await contactsOf(client)).length, 1);
      assert.equal((await eventsNamed(orgId, 'lead.captured')).length, 20);
      const mails = await parley.database.sql<{ id: string }>(
        `SELECT DISTINCT payload ->> 'workflowId' AS id FROM outbox WHERE org_id = $1 AND name = 'notifyLead'`,
        [orgId],
      );
      assert.equal(mails.length, 1);
    });

    it('belongs to later sessions of the visitor too, and is not asked for again', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const first = await sessionOf(bot.public_key, 'v-1');
      await first.visitor.post(`${first.path}/lead`, { fields: ADA });
      const later = await sessionOf(bot.public_key, 'v-1');
      const stranger = await sessionOf(bot.public_key, 'v-2');
      assert.equal((await later.visitor.get(later.path)).body.lead_form_due, false);
      assert.equal((await stranger.visitor.get(stranger.path)).body.lead_form_due, true);
      const [contact] = await contactsOf(client);
      assert.equal(contact.conversation_count, 2);
      const { body } = await client.get(`/api/conversations?contact_id=${contact.id}`);
      assert.deepEqual(
        body.items.map((one: any) => [one.id, one.contact_name]),
        [later, first].map(({ id }) => [id, 'Ada Lovelace']),
      );
      assert.equal((await client.get(`/api/conversations/${stranger.id}`)).body.contact_id, null);
    });

    it('keeps visitors of two bots apart who have the same id', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const { body: other } = await client.post('/api/bots', { name: 'Other', ...withForm });
      await client.patch(`/api/bots/${other.id}`, { status: 'active' });
      for (const key of [bot.public_key, other.public_key]) {
        const { visitor, path } = await sessionOf(key, 'v-1');
        await visitor.post(`${path}/lead`, { fields: ADA });
      }
      assert.equal((await contactsOf(client)).length, 2);
      const { body } = await client.get(`/api/contacts?bot_id=${other.id}`);
      assert.deepEqual(
        body.items.map((contact: any) => contact.bot_id),
        [other.id],
      );
    });
  });

  describe('POST consent', () => {
    it('is stored with its time', async () => {
      const { visitor, path, client, session } = await buildSession(parley);
      for (const consent of ['granted', 'denied', 'withdrawn']) {
        const from = Date.now();
        assert.equal((await visitor.post(`${path}/consent`, { consent })).status, 200);
        const { body } = await visitor.get(path);
        assert.equal(body.consent, consent);
        assert.ok(Math.abs(Date.parse(body.consent_at) - from) < 5000);
        const { body: read } = await client.get(`/api/conversations/${session.session_id}`);
        assert.equal(read.consent, consent);
      }
      for (const consent of ['unknown', true, null])
        assert.equal((await visitor.post(`${path}/consent`, { consent })).status, 422);
    });

    for (const refusal of ['denied', 'withdrawn']) {
      it(`${refusal} keeps contact fields from being stored, until it is granted again`, async () => {
        const { visitor, path, client, orgId } = await buildSession(parley, withForm);
        await visitor.post(`${path}/consent`, { consent: refusal });
        assert.equal((await visitor.get(path)).body.lead_form_due, false);
        const { status, body } = await visitor.post(`${path}/lead`, { fields: ADA });
        assert.equal(outcomeOf({ status, body }), '409 conflict');
        assert.deepEqual(await contactsOf(client), []);
        assert.deepEqual(await eventsNamed(orgId, 'lead.captured'), []);
        await visitor.post(`${path}/consent`, { consent: 'granted' });
        assert.equal((await visitor.post(`${path}/lead`, { fields: ADA })).status, 200);
        assert.equal((await contactsOf(client)).length, 1);
      });

      it(`${refusal} counts on when its conversation is deleted`, async () => {
        const { bot, client } = await buildActiveBot(parley, withForm);
        const [first, later] = [
          await sessionOf(bot.public_key, 'v-1'),
          await sessionOf(bot.public_key, 'v-1'),
        ];
        await first.visitor.post(`${first.path}/consent`, { consent: refusal });
        await client.delete(`/api/conversations/${first.id}`);
        assert.equal((await later.visitor.get(later.path)).body.lead_form_due, false);
        assert.equal((await later.visitor.post(`${later.path}/lead`, { fields: ADA })).status, 409);
        assert.deepEqual(await contactsOf(client), []);
        await later.visitor.post(`${later.path}/consent`, { consent: 'granted' });
        assert.equal((await later.visitor.post(`${later.path}/lead`, { fields: ADA })).status, 200);
      });

      it(`${refusal} takes addresses and numbers out of title and summary`, async () => {
        const { visitor, path, client, session } = await buildSession(parley, withForm);
        await parley.database.sql(
          `UPDATE conversations SET title = 'Reach ada@example.com', summary = 'She wants a call at +44 20 7946 0999.'
           WHERE id = $1`,
          [session.session_id],
        );
        await visitor.post(`${path}/consent`, { consent: refusal });
        const { title, summary } = (await client.get(`/api/conversations/${session.session_id}`)).body;
        assert.deepEqual([title, summary], ['Reach …', 'She wants a call at ….']);
      });

      it(`${refusal} takes back what was left in the conversation`, async () => {
        const { visitor, path, client, orgId, session } = await buildSession(parley, withForm);
        await visitor.post(`${path}/lead`, { fields: ADA });
        const answers = await Promise.all(
          [1, 2].map(() => visitor.post(`${path}/consent`, { consent: refusal })),
        );
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200],
        );
        const [contact] = await contactsOf(client);
        const { name, email, phone, custom_fields, is_lead } = contact;
        assert.deepEqual([name, email, phone, custom_fields, is_lead], [null, null, null, {}, false]);
        const { body } = await client.get(`/api/conversations/${session.session_id}`);
        assert.deepEqual([body.is_lead, body.contact_email], [false, null]);
        assert.deepEqual(
          (await eventsNamed(orgId, 'contact.updated')).map(({ changed }) => changed),
          [['name', 'email', 'custom_fields', 'is_lead']],
        );
      });
    }

    it('is removed with an erased contact', async () => {
      const { visitor, path, client, orgId } = await buildSession(parley, withForm);
      await visitor.post(`${path}/lead`, { fields: ADA });
      await visitor.post(`${path}/consent`, { consent: 'denied' });
      const [{ id }] = await contactsOf(client);
      assert.equal((await client.post(`/api/contacts/${id}/erase`)).status, 202);
      const kept = await parley.database.sql('SELECT FROM visitor_consents WHERE org_id = $1', [orgId]);
      assert.equal(kept.length, 0);
    });

    it('of the last conversation counts for all: for leads, for the form, and for the team', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley, withForm);
      const [first, later] = [await sessionOf(bot.public_key, 'v-1'), await sessionOf(bot.public_key, 'v-1')];
      await first.visitor.post(`${first.path}/lead`, { fields: ADA });
      const [{ id }] = await contactsOf(client);
      await later.visitor.post(`${later.path}/consent`, { consent: 'withdrawn' });
      const third = await sessionOf(bot.public_key, 'v-1');
      for (const { visitor, path } of [first, third]) {
        assert.equal((await visitor.get(path)).body.lead_form_due, false);
        assert.equal((await visitor.post(`${path}/lead`, { fields: ADA })).status, 409);
      }
      const events = (await eventsNamed(orgId, 'contact.updated')).length;
      for (const change of [
        { name: 'Ada' },
        { email: 'ada@example.com' },
        { phone: '+49 30 901820' },
        { custom_fields: { plan: 'large' } },
        { tags: ['vip'], name: 'Ada' },
      ]) {
        const { status, body } = await client.patch(`/api/contacts/${id}`, change);
        assert.equal(outcomeOf({ status, body }), '409 conflict');
        assert.match(body.error.message, /refused consent/);
      }
      assert.equal((await eventsNamed(orgId, 'contact.updated')).length, events);
      const allowed = { tags: ['vip'], name: null, custom_fields: {} };
      assert.deepEqual((await client.patch(`/api/contacts/${id}`, allowed)).body.tags, ['vip']);
      await third.visitor.post(`${third.path}/consent`, { consent: 'granted' });
      assert.equal((await client.patch(`/api/contacts/${id}`, { name: 'Ada' })).status, 200);
      assert.equal((await first.visitor.post(`${first.path}/lead`, { fields: ADA })).status, 200);
    });

    it('withdrawn forgets what all conversations of the visitor have told', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const [first, later] = [await sessionOf(bot.public_key, 'v-1'), await sessionOf(bot.public_key, 'v-1')];
      await first.visitor.post(`${first.path}/lead`, { fields: ADA });
      await parley.database.sql(
        `UPDATE conversations SET custom_fields = '{"plan": "large"}' WHERE id = $1`,
        [first.id],
      );
      await later.visitor.post(`${later.path}/consent`, { consent: 'withdrawn' });
      const { body } = await client.get(`/api/conversations/${first.id}`);
      assert.deepEqual([body.custom_fields, body.is_lead], [{}, false]);
    });

    it('denied takes back what was found in the conversation’s messages, and leaves the rest', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const { visitor, path, id } = await sessionOf(bot.public_key, 'v-1');
      await visitor.post(`${path}/messages`, { content: 'Write to Ada@example.com, please.' });
      await parley.database.sql(
        `INSERT INTO contacts (id, org_id, bot_id, browser_id, visitor_id, name, email, custom_fields)
         SELECT gen_random_uuid(), org_id, bot_id, browser_id, visitor_id, 'Grace', 'ada@example.com', '{"plan": "large", "seats": 3}'
         FROM conversations WHERE id = $1 ON CONFLICT (bot_id, browser_id) WHERE identity IS NULL AND deleted_at IS NULL
         DO UPDATE SET name = excluded.name, custom_fields = excluded.custom_fields`,
        [id],
      );
      await parley.database.sql(
        `UPDATE conversations SET custom_fields = '{"plan": "large"}' WHERE id = $1`,
        [id],
      );
      await visitor.post(`${path}/consent`, { consent: 'denied' });
      const [{ name, email, custom_fields }] = await contactsOf(client);
      assert.deepEqual([name, email, custom_fields], ['Grace', null, { seats: 3 }]);
    });

    it('denied after a form takes back what that form gave, and leaves what others and the team gave', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const [first, later] = [await sessionOf(bot.public_key, 'v-1'), await sessionOf(bot.public_key, 'v-1')];
      await first.visitor.post(`${first.path}/messages`, { content: 'Call me at +44 20 7946 0999.' });
      const [{ id }] = await contactsOf(client);
      await client.patch(`/api/contacts/${id}`, { custom_fields: { plan: 'gold' } });
      await later.visitor.post(`${later.path}/lead`, { fields: { ...ADA, name: 'Mallory' } });
      await later.visitor.post(`${later.path}/lead`, {
        fields: { name: 'Mallory', email: 'm@corp.example' },
      });
      await client.patch(`/api/contacts/${id}`, { name: 'Grace' });
      await later.visitor.post(`${later.path}/consent`, { consent: 'denied' });
      const { body } = await client.get(`/api/contacts/${id}`);
      const { name, email, phone, custom_fields, is_lead } = body;
      assert.deepEqual(
        { name, email, phone, custom_fields, is_lead },
        {
          name: 'Grace',
          email: null,
          phone: '+44 20 7946 0999',
          custom_fields: { plan: 'gold' },
          // The number of the first conversation is there.
          is_lead: true,
        },
      );
    });

    it('denied leaves a lead that another conversation has given', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const [first, later] = [await sessionOf(bot.public_key, 'v-1'), await sessionOf(bot.public_key, 'v-1')];
      await first.visitor.post(`${first.path}/lead`, { fields: ADA });
      await later.visitor.post(`${later.path}/lead`, { fields: { ...ADA, name: 'Ada King', seats: 4 } });
      await later.visitor.post(`${later.path}/consent`, { consent: 'denied' });
      const [{ name, custom_fields, is_lead }] = await contactsOf(client);
      assert.deepEqual([name, custom_fields, is_lead], [null, {}, true]);
    });

    it('denied in a later conversation leaves alone what was left before', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const first = await sessionOf(bot.public_key, 'v-1');
      await first.visitor.post(`${first.path}/lead`, { fields: ADA });
      const later = await sessionOf(bot.public_key, 'v-1');
      await later.visitor.post(`${later.path}/consent`, { consent: 'denied' });
      assert.equal((await contactsOf(client))[0].email, ADA.email);
      await later.visitor.post(`${later.path}/consent`, { consent: 'withdrawn' });
      assert.equal((await contactsOf(client))[0].email, null);
    });

    it('and leads at once leave nothing behind a refusal', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { visitor, path, client } = await buildSession(parley, withForm);
        const calls = Array.from({ length: 10 }, (_, index) =>
          index === 5
            ? visitor.post(`${path}/consent`, { consent: 'denied' })
            : visitor.post(`${path}/lead`, { fields: ADA }),
        );
        const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
        assert.ok([...statuses].every((status) => status === 200 || status === 409));
        for (const { email } of await contactsOf(client)) assert.equal(email, null);
      }
    });
  });

  describe('POST rating', () => {
    it('is stored, a later one in its place, also after the end', async () => {
      const { visitor, path, client, session } = await buildSession(parley);
      const rated = async () =>
        (await client.get(`/api/conversations/${session.session_id}`)).body.rating as number | null;
      assert.equal(await rated(), null);
      assert.equal((await visitor.post(`${path}/rating`, { rating: 2 })).status, 200);
      await visitor.post(`${path}/end`);
      assert.equal((await visitor.post(`${path}/rating`, { rating: 5 })).status, 200);
      assert.equal(await rated(), 5);
      assert.equal((await visitor.get(path)).body.rating, 5);
      for (const rating of [0, 6, 4.5, '5', null])
        assert.equal((await visitor.post(`${path}/rating`, { rating })).status, 422);
      assert.equal(await rated(), 5);
    });
  });
});

import assert from 'node:assert/strict';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import type { TestParley } from '../support/parley.ts';
import { buildActiveBot, buildSession } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';
import { listContacts, listPayloads } from './support.ts';
import { ADA, form, useVisitors, withForm } from './lead-form.ts';

describe('leads:', () => {
  let parley: TestParley;
  const sessionOf = useVisitors((started) => (parley = started));

  it('getWidgetConfig describes the form, with its options', async () => {
    const { bot } = await buildActiveBot(parley, withForm);
    const { body } = await parley.client().get(`/api/public/bots/${bot.public_key}/config`);
    const { fields, ...rest } = body.lead_capture!;
    assert.deepEqual(rest, { enabled: true, trigger: 'before_chat', trigger_value: 2 });
    assert.deepEqual((fields as object[]).slice(3), [
      { key: 'seats', label: 'Seats', type: 'number', required: false },
      { key: 'plan', label: 'Plan', type: 'select', required: false, options: ['small', 'large'] },
    ]);
  });

  describe('submitWidgetLead', () => {
    it('turns the visitor into a contact and a lead, and emits lead.captured', async () => {
      const { client, orgId, bot, session, visitor, path } = await buildSession(parley, withForm);
      assert.equal((await visitor.get(path)).body.lead_form_due, true);
      const fields = { ...ADA, name: '  Ada Lovelace ', mobile: '+49 30 901820', plan: 'large' };
      const { status, body } = await visitor.post(`${path}/lead`, { fields });
      assert.equal(status, 200);
      assert.equal(typeof body.message, 'string');
      const [contact, ...others] = await listContacts({ client });
      assert.deepEqual(others, []);
      const { id, first_seen_at, last_seen_at, ...rest } = contact!;
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
      assert.deepEqual(await listPayloads(parley, orgId, 'lead.captured'), [
        {
          conversation_id: session.session_id,
          bot_id: bot.id,
          contact_id: id,
          fields: { ...fields, name: 'Ada Lovelace' },
        },
      ]);
      assert.deepEqual(await listPayloads(parley, orgId, 'contact.updated'), []);
      assert.equal((await visitor.get(path)).body.lead_form_due, false);
    });

    const wrong: [what: string, fields: object, faults: string[]][] = [
      ['no fields', {}, ['fields.name required', 'fields.email required']],
      [
        'blanks and null for a required field',
        { name: ' ', email: null },
        ['fields.name required', 'fields.email required'],
      ],
      ['an unknown field', { ...ADA, age: 3 }, ['fields.age unknown_key']],
      ['a property of Object.prototype', { ...ADA, constructor: 'x' }, ['fields.constructor unknown_key']],
      ['an invalid email address', { ...ADA, email: 'ada@example' }, ['fields.email format']],
      ['an email address with a space', { ...ADA, email: 'a da@example.com' }, ['fields.email format']],
      ['an invalid phone number', { ...ADA, mobile: 'call me' }, ['fields.mobile format']],
      ['a phone number of four digits', { ...ADA, mobile: '1-2-3-4' }, ['fields.mobile format']],
      ['a number as a text', { ...ADA, seats: '3' }, ['fields.seats type']],
      ['a text as a number', { ...ADA, name: 3 }, ['fields.name type']],
      ['a list', { ...ADA, name: ['Ada'] }, ['fields.name type']],
      ['an unknown option', { ...ADA, plan: 'huge' }, ['fields.plan enum']],
      ['a name of 201 characters', { ...ADA, name: 'a'.repeat(201) }, ['fields.name maxLength']],
      ['several errors', { name: 3, email: 'x' }, ['fields.name type', 'fields.email format']],
    ];
    for (const [what, fields, faults] of selectCases(wrong, 5)) {
      it(`refuses ${what}, and stores nothing`, async () => {
        const { client, visitor, path, orgId } = await buildSession(parley, withForm);
        const { status, body, problem } = await visitor.post(`${path}/lead`, { fields });
        assert.equal(formatOutcome({ status, body }), '422 validation_error');
        assert.deepEqual(
          problem.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
          faults,
        );
        assert.deepEqual(await listContacts({ client }), []);
        assert.deepEqual(await listPayloads(parley, orgId, 'lead.captured'), []);
      });
    }

    it('accepts values at their limits', async () => {
      const { client, visitor, path } = await buildSession(parley, withForm);
      const longest = (label: string) => `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${label}.com`;
      const email = longest('d'.repeat(57));
      const fields = { name: 'a'.repeat(200), email, mobile: '12345', seats: -0.5, plan: null };
      assert.equal((await visitor.post(`${path}/lead`, { fields })).status, 200);
      const contact = (await listContacts({ client }))[0]!;
      assert.deepEqual([contact.email, contact.phone], [email, '12345']);
      assert.deepEqual(contact.custom_fields, { seats: -0.5 });
      const tooLong = await visitor.post(`${path}/lead`, {
        fields: { ...fields, email: longest('d'.repeat(58)) },
      });
      assert.equal(tooLong.problem.details[0]!.code, 'maxLength');
    });

    it('stores control characters and direction overrides in values as spaces', async () => {
      const { client, visitor, path } = await buildSession(parley, withForm);
      const fields = { name: 'Ada\u0007\n\u202eecalevoL', email: 'ada@example.com', mobile: '12345' };
      assert.equal((await visitor.post(`${path}/lead`, { fields })).status, 200);
      assert.equal((await listContacts({ client }))[0]!.name, 'Ada ecalevoL');
    });

    it('refuses a form without any value, even if no field is required', async () => {
      const lead_capture_config = { enabled: true, fields: [{ key: 'email', label: 'Email' }] };
      const { client, visitor, path } = await buildSession(parley, { lead_capture_config });
      const { status, problem } = await visitor.post(`${path}/lead`, { fields: { email: '' } });
      assert.deepEqual([status, problem.details[0]!.field], [422, 'fields']);
      // A contact field with the name email must contain an email address, although its type is text.
      const text = await visitor.post(`${path}/lead`, { fields: { email: 'nobody' } });
      assert.equal(text.status, 422);
      assert.equal((await visitor.post(`${path}/lead`, { fields: { email: 'a@b.example' } })).status, 200);
      assert.equal((await listContacts({ client }))[0]!.email, 'a@b.example');
    });

    it('returns 409 if the bot has no form', async () => {
      for (const lead_capture_config of [null, { ...form, enabled: false }]) {
        const { client, visitor, path } = await buildSession(parley, { lead_capture_config });
        const { status, body } = await visitor.post(`${path}/lead`, { fields: ADA });
        assert.equal(formatOutcome({ status, body }), '409 conflict');
        assert.deepEqual(await listContacts({ client }), []);
      }
    });

    it('emits another lead.captured the second time, and contact.updated for changes', async () => {
      const { client, orgId, visitor, path, bot } = await buildSession(parley, withForm);
      for (const _ of [1, 2]) assert.equal((await visitor.post(`${path}/lead`, { fields: ADA })).status, 200);
      assert.deepEqual(await listPayloads(parley, orgId, 'contact.updated'), []);
      await visitor.post(`${path}/lead`, { fields: { ...ADA, name: 'Ada King', seats: 4 } });
      const contact = (await listContacts({ client }))[0]!;
      assert.deepEqual([contact.name, contact.custom_fields], ['Ada King', { seats: 4 }]);
      assert.deepEqual(await listPayloads(parley, orgId, 'contact.updated'), [
        {
          contact_id: contact.id,
          bot_id: bot.id,
          changed: ['name', 'custom_fields'],
          values: { name: 'Ada King', custom_fields: { seats: 4 } },
        },
      ]);
      assert.deepEqual(
        (await listPayloads(parley, orgId, 'lead.captured')).map(({ fields }) => fields.name),
        ['Ada Lovelace', 'Ada Lovelace', 'Ada King'],
      );
    });

    itInSoak(
      'creates one contact for 20 concurrent sessions of one visitor at two processes, and emits an event for each session',
      async () => {
        const { bot, client, orgId } = await buildActiveBot(parley, withForm);
        const another = await parley.startAnother();
        await sessionOf(bot.public_key, 'v-1');
        const sessions = await Promise.all(
          Array.from({ length: 20 }, () => sessionOf(bot.public_key, 'v-1')),
        );
        const responses = await Promise.all(
          sessions.map(({ path, token }, index) =>
            (index % 2 ? parley : another).client(token).post(`${path}/lead`, { fields: ADA }),
          ),
        );
        assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
        const contacts = await listContacts({ client });
        assert.deepEqual(
          contacts.map(({ conversation_count, is_lead }) => [conversation_count, is_lead]),
          [[21, true]],
        );
        assert.equal((await listPayloads(parley, orgId, 'lead.captured')).length, 20);
        assert.deepEqual(await listPayloads(parley, orgId, 'contact.updated'), []);
        const { body } = await client.get(`/api/conversations?contact_id=${contacts[0]!.id}&is_lead=true`);
        assert.equal(body.total, 20);
      },
    );

    itInSoak('creates one contact and one email for 20 concurrent calls in one session', async () => {
      const { client, orgId, visitor, path } = await buildSession(parley, withForm);
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => visitor.post(`${path}/lead`, { fields: ADA })),
      );
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
      assert.equal((await listContacts({ client })).length, 1);
      assert.equal((await listPayloads(parley, orgId, 'lead.captured')).length, 20);
      const mails = await parley.database.sql<{ id: string }>(
        `SELECT DISTINCT payload ->> 'workflowId' AS id FROM outbox WHERE org_id = $1 AND name = 'notifyLead'`,
        [orgId],
      );
      assert.equal(mails.length, 1);
    });

    it('also applies to later sessions of the visitor, in which getWidgetSession requests no form', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const first = await sessionOf(bot.public_key, 'v-1');
      await first.visitor.post(`${first.path}/lead`, { fields: ADA });
      const later = await sessionOf(bot.public_key, 'v-1');
      const stranger = await sessionOf(bot.public_key, 'v-2');
      assert.equal((await later.visitor.get(later.path)).body.lead_form_due, false);
      assert.equal((await stranger.visitor.get(stranger.path)).body.lead_form_due, true);
      const contact = (await listContacts({ client }))[0]!;
      assert.equal(contact.conversation_count, 2);
      const { body } = await client.get(`/api/conversations?contact_id=${contact.id}`);
      assert.deepEqual(
        body.items.map((one) => [one.id, one.contact_name]),
        [later, first].map(({ id }) => [id, 'Ada Lovelace']),
      );
      assert.equal((await client.get(`/api/conversations/${stranger.id}`)).body.contact_id, null);
    });

    it('keeps visitors with the same id apart if they belong to different bots', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const { body: other } = await client.post('/api/bots', { name: 'Other', ...withForm });
      await client.patch(`/api/bots/${other.id}`, { status: 'active' });
      for (const key of [bot.public_key, other.public_key]) {
        const { visitor, path } = await sessionOf(key, 'v-1');
        await visitor.post(`${path}/lead`, { fields: ADA });
      }
      assert.equal((await listContacts({ client })).length, 2);
      const { body } = await client.get(`/api/contacts?bot_id=${other.id}`);
      assert.deepEqual(
        body.items.map((contact) => contact.bot_id),
        [other.id],
      );
    });
  });

  describe('rateWidgetSession', () => {
    it('stores a rating and replaces it with a later rating, even after the conversation has ended', async () => {
      const { visitor, path, client, session } = await buildSession(parley);
      const readRating = async () =>
        (await client.get(`/api/conversations/${session.session_id}`)).body.rating as number | null;
      assert.equal(await readRating(), null);
      assert.equal((await visitor.post(`${path}/rating`, { rating: 2 })).status, 200);
      await visitor.post(`${path}/end`);
      assert.equal((await visitor.post(`${path}/rating`, { rating: 5 })).status, 200);
      assert.equal(await readRating(), 5);
      assert.equal((await visitor.get(path)).body.rating, 5);
      for (const rating of [0, 6, 4.5, '5', null])
        assert.equal((await visitor.post(`${path}/rating`, { rating })).status, 422);
      assert.equal(await readRating(), 5);
    });
  });
});

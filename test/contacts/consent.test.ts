import assert from 'node:assert/strict';
import { selectCases, itInSoak } from '../support/it-in-soak.ts';
import type { TestParley } from '../support/parley.ts';
import { buildActiveBot, buildSession } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';
import { listContacts, listPayloads } from './support.ts';
import { ADA, useVisitors, withForm } from './lead-form.ts';

describe('consent:', () => {
  let parley: TestParley;
  const sessionOf = useVisitors((started) => (parley = started));

  describe('setWidgetConsent', () => {
    it('stores the consent with its time', async () => {
      const { visitor, path, client, session } = await buildSession(parley);
      for (const consent of ['granted', 'denied', 'withdrawn']) {
        const from = Date.now();
        assert.equal((await visitor.post(`${path}/consent`, { consent })).status, 200);
        const { body } = await visitor.get(path);
        assert.equal(body.consent, consent);
        const consentAt = Date.parse(body.consent_at!);
        assert.ok(consentAt >= from - 1 && consentAt <= Date.now());
        const { body: read } = await client.get(`/api/conversations/${session.session_id}`);
        assert.equal(read.consent, consent);
      }
      for (const consent of ['unknown', true, null])
        assert.equal((await visitor.post(`${path}/consent`, { consent })).status, 422);
    });

    for (const refusal of selectCases(['denied', 'withdrawn'], 1)) {
      it(`"${refusal}" prevents storing contact fields until consent is granted again`, async () => {
        const { visitor, path, client, orgId } = await buildSession(parley, withForm);
        await visitor.post(`${path}/consent`, { consent: refusal });
        assert.equal((await visitor.get(path)).body.lead_form_due, false);
        const { status, body } = await visitor.post(`${path}/lead`, { fields: ADA });
        assert.equal(formatOutcome({ status, body }), '409 conflict');
        assert.deepEqual(await listContacts({ client }), []);
        assert.deepEqual(await listPayloads(parley, orgId, 'lead.captured'), []);
        await visitor.post(`${path}/consent`, { consent: 'granted' });
        assert.equal((await visitor.post(`${path}/lead`, { fields: ADA })).status, 200);
        assert.equal((await listContacts({ client })).length, 1);
      });

      it(`"${refusal}" stays in force after its conversation is deleted`, async () => {
        const { bot, client } = await buildActiveBot(parley, withForm);
        const [first, later] = [
          await sessionOf(bot.public_key, 'v-1'),
          await sessionOf(bot.public_key, 'v-1'),
        ];
        await first.visitor.post(`${first.path}/consent`, { consent: refusal });
        await client.delete(`/api/conversations/${first.id}`);
        assert.equal((await later.visitor.get(later.path)).body.lead_form_due, false);
        assert.equal((await later.visitor.post(`${later.path}/lead`, { fields: ADA })).status, 409);
        assert.deepEqual(await listContacts({ client }), []);
        await later.visitor.post(`${later.path}/consent`, { consent: 'granted' });
        assert.equal((await later.visitor.post(`${later.path}/lead`, { fields: ADA })).status, 200);
      });

      it(`"${refusal}" removes addresses and numbers from title and summary`, async () => {
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

      it(`"${refusal}" deletes contact fields that the conversation has stored`, async () => {
        const { visitor, path, client, orgId, session } = await buildSession(parley, withForm);
        await visitor.post(`${path}/lead`, { fields: ADA });
        const responses = await Promise.all(
          [1, 2].map(() => visitor.post(`${path}/consent`, { consent: refusal })),
        );
        assert.deepEqual(
          responses.map(({ status }) => status),
          [200, 200],
        );
        const contact = (await listContacts({ client }))[0]!;
        const { name, email, phone, custom_fields, is_lead } = contact;
        assert.deepEqual([name, email, phone, custom_fields, is_lead], [null, null, null, {}, false]);
        const { body } = await client.get(`/api/conversations/${session.session_id}`);
        assert.deepEqual([body.is_lead, body.contact_email], [false, null]);
        assert.deepEqual(
          (await listPayloads(parley, orgId, 'contact.updated')).map(({ changed }) => changed),
          [['name', 'email', 'custom_fields', 'is_lead']],
        );
      });
    }

    it('stores a consent that eraseContact deletes with the contact', async () => {
      const { visitor, path, client, orgId } = await buildSession(parley, withForm);
      await visitor.post(`${path}/lead`, { fields: ADA });
      await visitor.post(`${path}/consent`, { consent: 'denied' });
      const { id } = (await listContacts({ client }))[0]!;
      assert.equal((await client.post(`/api/contacts/${id}/erase`)).status, 202);
      const kept = await parley.database.sql('SELECT FROM visitor_consents WHERE org_id = $1', [orgId]);
      assert.equal(kept.length, 0);
    });

    it('applies the consent of the latest conversation to leads, form and team', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley, withForm);
      const [first, later] = [await sessionOf(bot.public_key, 'v-1'), await sessionOf(bot.public_key, 'v-1')];
      await first.visitor.post(`${first.path}/lead`, { fields: ADA });
      const { id } = (await listContacts({ client }))[0]!;
      await later.visitor.post(`${later.path}/consent`, { consent: 'withdrawn' });
      const third = await sessionOf(bot.public_key, 'v-1');
      for (const { visitor, path } of [first, third]) {
        assert.equal((await visitor.get(path)).body.lead_form_due, false);
        assert.equal((await visitor.post(`${path}/lead`, { fields: ADA })).status, 409);
      }
      const events = (await listPayloads(parley, orgId, 'contact.updated')).length;
      for (const change of [
        { name: 'Ada' },
        { email: 'ada@example.com' },
        { phone: '+49 30 901820' },
        { custom_fields: { plan: 'large' } },
        { tags: ['vip'], name: 'Ada' },
      ]) {
        const { status, body, problem } = await client.patch(`/api/contacts/${id}`, change);
        assert.equal(formatOutcome({ status, body }), '409 conflict');
        assert.match(problem.error.message, /refused consent/);
      }
      assert.equal((await listPayloads(parley, orgId, 'contact.updated')).length, events);
      const allowed = { tags: ['vip'], name: null, custom_fields: {} };
      assert.deepEqual((await client.patch(`/api/contacts/${id}`, allowed)).body.tags, ['vip']);
      await third.visitor.post(`${third.path}/consent`, { consent: 'granted' });
      assert.equal((await client.patch(`/api/contacts/${id}`, { name: 'Ada' })).status, 200);
      assert.equal((await first.visitor.post(`${first.path}/lead`, { fields: ADA })).status, 200);
    });

    it('"withdrawn" deletes contact fields of all conversations of the visitor', async () => {
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

    it('"denied" deletes what was found in the conversation’s messages, and nothing else', async () => {
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
      const { name, email, custom_fields } = (await listContacts({ client }))[0]!;
      assert.deepEqual([name, email, custom_fields], ['Grace', null, { seats: 3 }]);
    });

    it('"denied" after a form deletes the values of that form, and keeps the values of other forms and of the team', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const [first, later] = [await sessionOf(bot.public_key, 'v-1'), await sessionOf(bot.public_key, 'v-1')];
      await first.visitor.post(`${first.path}/messages`, { content: 'Call me at +44 20 7946 0999.' });
      const { id } = (await listContacts({ client }))[0]!;
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
          // The contact stays a lead because of the phone number from the first conversation.
          is_lead: true,
        },
      );
    });

    it('"denied" keeps a lead from another conversation', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const [first, later] = [await sessionOf(bot.public_key, 'v-1'), await sessionOf(bot.public_key, 'v-1')];
      await first.visitor.post(`${first.path}/lead`, { fields: ADA });
      await later.visitor.post(`${later.path}/lead`, { fields: { ...ADA, name: 'Ada King', seats: 4 } });
      await later.visitor.post(`${later.path}/consent`, { consent: 'denied' });
      const { name, custom_fields, is_lead } = (await listContacts({ client }))[0]!;
      assert.deepEqual([name, custom_fields, is_lead], [null, {}, true]);
    });

    it('"denied" in a later conversation keeps earlier values', async () => {
      const { bot, client } = await buildActiveBot(parley, withForm);
      const first = await sessionOf(bot.public_key, 'v-1');
      await first.visitor.post(`${first.path}/lead`, { fields: ADA });
      const later = await sessionOf(bot.public_key, 'v-1');
      await later.visitor.post(`${later.path}/consent`, { consent: 'denied' });
      assert.equal((await listContacts({ client }))[0]!.email, ADA.email);
      await later.visitor.post(`${later.path}/consent`, { consent: 'withdrawn' });
      assert.equal((await listContacts({ client }))[0]!.email, null);
    });

    itInSoak('stores nothing if submitWidgetLead runs concurrently with a refusal', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { visitor, path, client } = await buildSession(parley, withForm);
        const calls = Array.from({ length: 10 }, (_, index) =>
          index === 5
            ? visitor.post(`${path}/consent`, { consent: 'denied' })
            : visitor.post(`${path}/lead`, { fields: ADA }),
        );
        const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
        assert.ok([...statuses].every((status) => status === 200 || status === 409));
        for (const { email } of await listContacts({ client })) assert.equal(email, null);
      }
    });
  });
});

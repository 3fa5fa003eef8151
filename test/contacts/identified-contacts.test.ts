import assert from 'node:assert/strict';
import { signIdentityToken } from '../support/identity-token.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { type TestParley } from '../support/parley.ts';
import { ADA, form, useIdentity } from './identity-support.ts';
import { listContacts, listPayloads } from './support.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('startWidgetSession with an identity token', () => {
  let parley: TestParley;
  const { build, start, session, openSession } = useIdentity((started) => (parley = started));

  it('creates a contact with a verified address at once', async () => {
    const org = await build();
    const iat = now() + 5;
    const { id } = await session(org.bot.public_key, {
      visitor_id: 'laptop',
      identity_token: signIdentityToken(org.secret, { ...ADA, iat, nbf: iat, exp: iat + 3590 }),
    });
    const [contact, ...others] = await listContacts(org);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [
        contact!.identity,
        contact!.email,
        contact!.email_verified,
        contact!.visitor_id,
        contact!.conversation_count,
      ],
      [ADA.sub, ADA.email, true, 'laptop', 1],
    );
    const { body } = await org.client.get(`/api/conversations/${id}`);
    assert.deepEqual([body.contact_id, body.contact_email], [contact!.id, ADA.email]);
    assert.deepEqual(await listPayloads(parley, org.orgId, 'contact.updated'), []);
  });

  it('creates one contact for all devices and bots', async () => {
    const org = await build();
    const { body: other } = await org.client.post('/api/bots', { name: 'Other' });
    await org.client.patch(`/api/bots/${other.id}`, { status: 'active' });
    const { body: embed } = await org.client.get(`/api/bots/${other.id}/embed`);
    const devices: [string, string, string][] = [
      [org.bot.public_key, org.secret, 'laptop'],
      [org.bot.public_key, org.secret, 'phone'],
      [other.public_key, embed.identity_secret!, 'tablet'],
    ];
    for (const [key, secret, visitor_id] of devices)
      await session(key, { visitor_id, identity_token: signIdentityToken(secret, ADA) });
    const [contact, ...others] = await listContacts(org);
    assert.deepEqual(others, []);
    assert.equal(contact!.conversation_count, 3);
    const listed = await org.client.get(`/api/conversations?contact_id=${contact!.id}`);
    assert.equal(listed.body.total, 3);
    for (const id of [org.bot.id, other.id])
      assert.equal((await org.client.get(`/api/contacts?bot_id=${id}`)).body.total, 1, id);
  });

  it('keeps visitors with the same sub apart in two workspaces', async () => {
    for (const org of [await build(), await build()]) {
      await session(org.bot.public_key, {
        visitor_id: 'v',
        identity_token: signIdentityToken(org.secret, ADA),
      });
      assert.equal((await listContacts(org)).length, 1);
    }
  });

  it('adds the known details of the visitor id to the contact', async () => {
    const org = await build();
    const first = await session(org.bot.public_key, { visitor_id: 'laptop' });
    await first.post('messages', { content: 'Hello' });
    await first.post('lead', { fields: { name: 'Ada', email: 'typed@home.example', seats: 3 } });
    const [anonymous] = await listContacts(org);
    await org.client.patch(`/api/contacts/${anonymous!.id}`, { tags: ['new'] });
    await session(org.bot.public_key, {
      visitor_id: 'laptop',
      identity_token: signIdentityToken(org.secret, ADA),
    });
    const [contact, ...others] = await listContacts(org);
    assert.deepEqual(others, []);
    assert.deepEqual(contact, {
      ...anonymous,
      identity: ADA.sub,
      email: ADA.email,
      email_verified: true,
      tags: ['new'],
      conversation_count: 2,
      message_count: anonymous!.message_count,
      last_seen_at: contact!.last_seen_at,
    });
    const updated = await listPayloads(parley, org.orgId, 'contact.updated');
    assert.deepEqual(updated.at(-1), {
      contact_id: contact.id,
      bot_id: org.bot.id,
      changed: ['email', 'email_verified'],
      values: { email: ADA.email, email_verified: true },
    });
  });

  it('merges two contacts: conversations, details, tags, lead and the earliest time', async () => {
    const org = await build();
    const early = await session(org.bot.public_key, { visitor_id: 'phone' });
    await early.post('messages', { content: 'Hello' });
    await early.post('lead', {
      fields: { name: 'A. L.', email: 'typed@home.example', seats: 3, plan: 'large' },
    });
    const [anonymous] = await listContacts(org);
    await org.client.patch(`/api/contacts/${anonymous!.id}`, { tags: ['phone', 'both'] });
    const known = await session(org.bot.public_key, {
      visitor_id: 'laptop',
      identity_token: signIdentityToken(org.secret, { sub: ADA.sub }),
    });
    const verified = (await listContacts(org)).find(({ identity }) => identity === ADA.sub)!;
    await org.client.patch(`/api/contacts/${verified.id}`, {
      name: 'Ada Lovelace',
      tags: ['both', 'vip'],
      custom_fields: { seats: 5 },
    });
    const latest = await session(org.bot.public_key, {
      visitor_id: 'phone',
      identity_token: signIdentityToken(org.secret, { sub: ADA.sub }),
    });
    const [contact, ...others] = await listContacts(org);
    assert.deepEqual(others, []);
    const { last_seen_at, ...rest } = contact!;
    assert.deepEqual(rest, {
      id: verified.id,
      bot_id: org.bot.id,
      visitor_id: 'laptop',
      identity: ADA.sub,
      name: 'Ada Lovelace',
      email: 'typed@home.example',
      email_verified: false,
      phone: null,
      country: null,
      custom_fields: { seats: 5, plan: 'large' },
      tags: ['both', 'vip', 'phone'],
      is_lead: true,
      conversation_count: 3,
      message_count: 2,
      first_seen_at: anonymous!.first_seen_at,
    });
    assert.ok(last_seen_at >= anonymous!.last_seen_at);
    for (const { id } of [early, known, latest])
      assert.equal((await org.client.get(`/api/conversations/${id}`)).body.contact_id, verified.id);
    assert.equal((await org.client.get(`/api/contacts/${anonymous!.id}`)).status, 404);
    assert.deepEqual((await listPayloads(parley, org.orgId, 'contact.updated')).at(-1), {
      contact_id: verified.id,
      bot_id: org.bot.id,
      changed: ['email', 'custom_fields', 'tags', 'is_lead'],
      values: {
        email: 'typed@home.example',
        custom_fields: { seats: 5, plan: 'large' },
        tags: ['both', 'vip', 'phone'],
        is_lead: true,
      },
      merged_contact_id: anonymous!.id,
    });
  });

  itInSoak(
    'creates one contact for 20 concurrent calls at two processes, after an anonymous lead',
    async () => {
      const org = await build();
      const another = await parley.startAnother();
      const path = `/api/public/bots/${org.bot.public_key}/sessions` as const;
      const first = await start(org.bot.public_key, { visitor_id: 'device-0' });
      const anonymous = await openSession(first);
      const devices = [{ visitor_id: 'device-0', visitor_secret: first.body.visitor_secret }].concat(
        await Promise.all(
          [1, 2, 3].map(async (device) => {
            const { body } = await start(org.bot.public_key, { visitor_id: `device-${device}` });
            return { visitor_id: `device-${device}`, visitor_secret: body.visitor_secret };
          }),
        ),
      );
      const fillIn = () => anonymous.post('lead', { fields: { name: 'Ada' } });
      const before = await fillIn();
      const responses = await Promise.all([
        ...Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? parley : another)
            .client()
            .post(path, { ...devices[index % 4], identity_token: signIdentityToken(org.secret, ADA) }),
        ),
        anonymous.post('messages', { content: 'Hello' }),
      ]);
      const leads = await Promise.all(Array.from({ length: 4 }, fillIn));
      assert.deepEqual(new Set([before, ...responses].map(({ status }) => status)), new Set([200, 201]));
      assert.deepEqual(new Set(leads.map(({ status }) => status)), new Set([409]));
      const [contact, ...others] = await listContacts(org);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [
          contact!.name,
          contact!.email,
          contact!.is_lead,
          contact!.conversation_count,
          contact!.message_count,
        ],
        ['Ada', ADA.email, true, 24, 2],
      );
      assert.equal((await listPayloads(parley, org.orgId, 'lead.captured')).length, 1);
      assert.equal((await org.client.get(`/api/bots/${org.bot.id}`)).body.total_conversations, 24);
    },
  );

  it('reveals nothing of the verified contact to a visitor with the same visitor id but no token', async () => {
    const org = await build();
    await session(org.bot.public_key, {
      visitor_id: 'laptop',
      identity_token: signIdentityToken(org.secret, ADA),
    });
    const stranger = await openSession(await start(org.bot.public_key, { visitor_id: 'laptop' }));
    assert.deepEqual((await stranger.visitor.get(`${stranger.path}/messages`)).body, []);
    await stranger.post('lead', { fields: { name: 'Mallory', email: 'mallory@evil.example' } });
    await stranger.post('consent', { consent: 'withdrawn' });
    const contacts = await listContacts(org);
    const verified = contacts.find(({ identity }) => identity === ADA.sub)!;
    assert.deepEqual([contacts.length, verified.email, verified.conversation_count], [2, ADA.email, 1]);
    const { body } = await org.client.get(`/api/conversations/${stranger.id}`);
    assert.notEqual(body.contact_id, verified.id);
  });

  it('keeps two people apart on one device', async () => {
    const org = await build();
    for (const sub of ['ada', 'bob'])
      await session(org.bot.public_key, {
        visitor_id: 'shared',
        identity_token: signIdentityToken(org.secret, { sub }),
      });
    const contacts = await listContacts(org);
    assert.deepEqual(
      contacts.map(({ identity, conversation_count }) => [identity, conversation_count]),
      [
        ['bob', 1],
        ['ada', 1],
      ],
    );
  });

  it('stores an address that the team and the next token can replace, but a typed address cannot', async () => {
    const org = await build();
    const { post } = await session(org.bot.public_key, {
      identity_token: signIdentityToken(org.secret, ADA),
    });
    await post('lead', { fields: { name: 'Ada', email: 'typed@home.example' } });
    const read = async () => {
      const { email, email_verified, name } = (await listContacts(org))[0]!;
      return [name, email, email_verified];
    };
    assert.deepEqual(await read(), ['Ada', ADA.email, true]);
    const { id } = (await listContacts(org))[0]!;
    await org.client.patch(`/api/contacts/${id}`, { email: 'team@work.example' });
    assert.deepEqual(await read(), ['Ada', 'team@work.example', false]);
    await session(org.bot.public_key, { identity_token: signIdentityToken(org.secret, ADA) });
    assert.deepEqual(await read(), ['Ada', ADA.email, true]);
  });

  itInSoak(
    'keeps a typed address only in its conversation, and the verified address in the contact',
    async () => {
      const org = await build();
      for (const say of [
        { step: 'lead', fields: { fields: { email: 'typed@home.example' } } },
        { step: 'messages', fields: { content: 'Write to typed@home.example, please.' } },
      ]) {
        const { id, post } = await session(org.bot.public_key, {
          identity_token: signIdentityToken(org.secret, ADA),
        });
        assert.ok((await post(say.step, say.fields)).status < 300);
        const { body } = await org.client.get(`/api/conversations/${id}`);
        assert.deepEqual(
          [body.contact_email, body.custom_fields, body.is_lead],
          [ADA.email, { email: 'typed@home.example' }, true],
          say.step,
        );
      }
      assert.equal((await listContacts(org))[0]!.email, ADA.email);
      const captured = await listPayloads(parley, org.orgId, 'lead.captured');
      assert.deepEqual(
        captured.map(({ fields }) => fields),
        [{ email: 'typed@home.example' }, { email: 'typed@home.example' }],
      );
    },
  );

  it('emits the events of another bot’s lead to the endpoints of that bot', async () => {
    const org = await build();
    const { body: other } = await org.client.post('/api/bots', { name: 'Other', ...form });
    await org.client.patch(`/api/bots/${other.id}`, { status: 'active' });
    const { body: embed } = await org.client.get(`/api/bots/${other.id}/embed`);
    await session(org.bot.public_key, { identity_token: signIdentityToken(org.secret, ADA) });
    const { post } = await session(other.public_key, {
      identity_token: signIdentityToken(embed.identity_secret!, ADA),
    });
    await post('lead', { fields: { name: 'Ada' } });
    const notices = await parley.database.sql<{ name: string; bot: string; named: string }>(
      `SELECT name, bot_id AS bot, payload ->> 'bot_id' AS named FROM outbox
       WHERE org_id = $1 AND kind = 'event' AND name IN ('lead.captured', 'contact.updated') ORDER BY id`,
      [org.orgId],
    );
    assert.deepEqual(
      notices.map(({ name, bot, named }) => [name, bot, named]),
      ['contact.updated', 'lead.captured'].map((name) => [name, other.id, other.id]),
    );
  });

  it('never merges by a typed address: two visitors who type the same address stay two contacts', async () => {
    const org = await build();
    await session(org.bot.public_key, {
      visitor_id: 'a',
      identity_token: signIdentityToken(org.secret, ADA),
    });
    const { post } = await session(org.bot.public_key, { visitor_id: 'b' });
    await post('lead', { fields: { email: ADA.email } });
    assert.equal((await listContacts(org)).length, 2);
  });

  it('stores no address of a person who has refused consent, and deletes the device’s earlier details', async () => {
    const org = await build();
    const first = await session(org.bot.public_key, {
      visitor_id: 'a',
      identity_token: signIdentityToken(org.secret, ADA),
    });
    await first.post('consent', { consent: 'denied' });
    const other = await session(org.bot.public_key, { visitor_id: 'b' });
    await other.post('lead', { fields: { name: 'Ada' } });
    const later = await session(org.bot.public_key, {
      visitor_id: 'b',
      identity_token: signIdentityToken(org.secret, ADA),
    });
    const [contact, ...others] = await listContacts(org);
    assert.deepEqual(others, []);
    const { name, email, email_verified, custom_fields, is_lead, conversation_count } = contact!;
    assert.deepEqual([name, email, email_verified, custom_fields, is_lead], [null, null, false, {}, false]);
    assert.equal(conversation_count, 3);
    await later.post('consent', { consent: 'granted' });
    await session(org.bot.public_key, {
      visitor_id: 'b',
      identity_token: signIdentityToken(org.secret, ADA),
    });
    assert.equal((await listContacts(org))[0]!.email, ADA.email);
  });

  itInSoak('keeps the tags of a device that has refused consent, and names the merged contact', async () => {
    const org = await build();
    const identity_token = signIdentityToken(org.secret, { sub: ADA.sub });
    const verified = await session(org.bot.public_key, { visitor_id: 'phone', identity_token });
    const { contact_id } = (await org.client.get(`/api/conversations/${verified.id}`)).body;
    const other = await session(org.bot.public_key, { visitor_id: 'laptop' });
    await other.post('lead', { fields: { name: 'Ada' } });
    const anonymous = (await listContacts(org)).find(({ identity }) => identity === null)!;
    await org.client.patch(`/api/contacts/${anonymous.id}`, { tags: ['vip'] });
    await other.post('consent', { consent: 'denied' });
    await session(org.bot.public_key, { visitor_id: 'laptop', identity_token });
    const [kept, ...others] = await listContacts(org);
    const { id, tags, name } = kept!;
    assert.deepEqual([id, tags, name, others], [contact_id, ['vip'], null, []]);
    const event = (await listPayloads(parley, org.orgId, 'contact.updated')).at(-1);
    assert.deepEqual([event!.changed, event!.merged_contact_id], [['tags'], anonymous.id]);
  });
});

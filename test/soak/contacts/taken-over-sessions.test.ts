import assert from 'node:assert/strict';
import { signIdentityToken } from '../../support/identity-token.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { buildActiveBot } from '../../support/widget.ts';

const ADA = { sub: 'ada', email: 'ada@work.example' };
const MALLORY = { name: 'Mallory', email: 'mallory@evil.example', phone: '+1 212 555 0100' };
const OFFICE = 'https://office.example/';

describe('in an anonymous session that a sign-in in its browser has taken over,', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  /**
   * Starts Ada's session on her phone, and a signed-in session in a browser that has another visitor's open
   * session.
   * @param before calls of the other visitor's session before the sign-in
   */
  async function build({ isEnded = false, isLead = true, before = [] as [string, object][] } = {}) {
    const fields = ['name', 'email', 'phone'].map((key) => ({ key, label: key }));
    const org = await buildActiveBot(parley, {
      lead_capture_config: { enabled: true, trigger: 'before_chat', fields },
      directory_config: {
        enabled: true,
        choice_field: 'office',
        result_field: 'page',
        entries: [{ name: 'Uptown', link: OFFICE }],
      },
    });
    const { body: embed } = await org.client.get(`/api/bots/${org.bot.id}/embed`);
    const open = async (body: object) => {
      const started = await parley.client().post(`/api/public/bots/${org.bot.public_key}/sessions`, body);
      assert.equal(started.status, 201);
      const { session_id: id, visitor_token: token, visitor_secret: secret } = started.body;
      const visitor = parley.client(token);
      const path = `/api/public/sessions/${id}` as const;
      const post = (step: string, content: object) => visitor.post(`${path}/${step}`, content);
      return { id: id as string, token: token as string, secret: secret as string, visitor, path, post };
    };
    const identity_token = signIdentityToken(embed.identity_secret!, ADA);
    const phone = await open({ visitor_id: 'phone', identity_token });
    if (isLead) await phone.post('lead', { fields: { name: 'Ada', email: ADA.email } });
    await phone.post('consent', { consent: 'granted' });
    const held = await open({ visitor_id: 'kiosk' });
    for (const [step, content] of before) assert.ok((await held.post(step, content)).status < 300, step);
    if (isEnded) await held.post('end', {});
    const kiosk = await open({ visitor_id: 'kiosk', visitor_secret: held.secret, identity_token });
    const listKnownContacts = async () => {
      const { body } = await org.client.get('/api/contacts');
      return body.items.map(({ last_seen_at: _, message_count: __, ...contact }) => contact);
    };
    const conversation = async ({ id }: { id: string }) =>
      (await org.client.get(`/api/conversations/${id}`)).body;
    return { ...org, phone, held, kiosk, listKnownContacts, conversation };
  }

  for (const isEnded of [false, true]) {
    const state = isEnded ? ' when it has ended' : '';

    it(`submitWidgetLead refuses the form${state}, and explains in which session to send it`, async () => {
      const { held, kiosk, listKnownContacts } = await build({ isEnded });
      const before = await listKnownContacts();
      const { status, body, problem } = await held.post('lead', { fields: MALLORY });
      assert.equal(formatOutcome({ status, body }), '409 conflict');
      assert.match(
        problem.error.message,
        /signed in since .*; send the form in a session of the signed-in visitor/,
      );
      assert.deepEqual(await listKnownContacts(), before);
      assert.equal((await kiosk.post('lead', { fields: { name: 'Ada L.' } })).status, 200);
      assert.equal((await listKnownContacts())[0]!.name, 'Ada L.');
    });

    for (const consent of ['denied', 'withdrawn', 'granted'])
      it(`setWidgetConsent "${consent}"${state} changes only its own conversation`, async () => {
        const { held, phone, listKnownContacts, conversation } = await build({ isEnded });
        const before = [await listKnownContacts(), await conversation(phone)];
        assert.ok((await held.post('consent', { consent })).status < 300);
        assert.deepEqual([await listKnownContacts(), await conversation(phone)], before);
        assert.equal((await held.visitor.get(held.path)).body.consent, consent);
      });
  }

  it('sendWidgetMessage stores an address and a number with its conversation, not with the contact', async () => {
    const { held, listKnownContacts, conversation } = await build();
    const before = await listKnownContacts();
    await held.post('messages', { content: `Call ${MALLORY.phone} or write to ${MALLORY.email}` });
    assert.deepEqual(await listKnownContacts(), before);
    const { custom_fields, is_lead } = await conversation(held);
    assert.deepEqual([Object.keys(custom_fields).sort(), is_lead], [['email', 'phone'], false]);
  });

  it('resolveDirectory stores a choice with its conversation, not with the contact', async () => {
    const { bot, held, kiosk, listKnownContacts, conversation } = await build();
    const before = await listKnownContacts();
    const choose = (token: string) =>
      parley.client(token).post(`/api/public/bots/${bot.public_key}/directory/resolve`, { choice: 'Uptown' });
    assert.equal((await choose(held.token)).status, 200);
    assert.deepEqual(await listKnownContacts(), before);
    assert.deepEqual((await conversation(held)).custom_fields, { office: 'Uptown', page: OFFICE });
    await choose(kiosk.token);
    assert.deepEqual((await listKnownContacts())[0]!.custom_fields, { office: 'Uptown', page: OFFICE });
  });

  it('getWidgetSession returns neither the contact’s leads nor its consent', async () => {
    for (const [isLead, consent] of [
      [true, 'granted'],
      [false, 'granted'],
      [false, 'denied'],
    ] as const) {
      const { held, phone } = await build({ isLead });
      await phone.post('consent', { consent });
      const { body } = await held.visitor.get(held.path);
      assert.deepEqual([body.lead_form_due, body.consent], [false, 'unknown'], `${isLead} ${consent}`);
    }
  });

  for (const consent of ['denied', 'withdrawn'])
    it(`setWidgetConsent "${consent}" before the sign-in keeps the contact’s details, and applies from the sign-in on`, async () => {
      const refusal: [string, object] = ['consent', { consent }];
      for (const before of [[refusal], [['lead', { fields: MALLORY }] as [string, object], refusal]]) {
        const { listKnownContacts, kiosk } = await build({ before });
        const [kept, ...others] = await listKnownContacts();
        const { name, email, email_verified, phone, is_lead } = kept!;
        assert.deepEqual(
          [name, email, email_verified, phone, is_lead, others],
          ['Ada', ADA.email, true, null, true, []],
        );
        assert.equal((await kiosk.post('lead', { fields: { name: 'Ada L.' } })).status, 409);
        await kiosk.post('consent', { consent: 'granted' });
        assert.equal((await kiosk.post('lead', { fields: { name: 'Ada L.' } })).status, 200);
      }
    });
});

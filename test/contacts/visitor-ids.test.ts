import assert from 'node:assert/strict';
import { signIdentityToken } from '../support/identity-token.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { startSharedParley, type ApiResponse, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com' };
const MALLORY = { name: 'Mallory', email: 'mallory@evil.example' };
const form = {
  handoff_enabled: true,
  lead_capture_config: {
    enabled: true,
    trigger: 'before_chat',
    fields: [
      { key: 'name', label: 'Name' },
      { key: 'email', label: 'Email', type: 'email' },
    ],
  },
};

describe('startWidgetSession with a visitor_id', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  type Org = Awaited<ReturnType<typeof buildActiveBot>>;

  function start({ bot }: Org, body: object) {
    return parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, body);
  }

  async function session(org: Org, body: object) {
    const { status, body: started } = await start(org, body);
    assert.equal(status, 201, JSON.stringify(started));
    const path = `/api/public/sessions/${started.session_id}` as const;
    const visitor = parley.client(started.visitor_token);
    return {
      id: started.session_id as string,
      secret: started.visitor_secret as string,
      state: async () => (await visitor.get(path)).body,
      history: () => visitor.get(`${path}/messages`),
      post: (step: string, fields: object): Promise<ApiResponse> => visitor.post(`${path}/${step}`, fields),
    };
  }

  /** Returns the first visitor's conversation and contact, as the team sees them. */
  async function readAsTeam({ client }: Org, conversationId: string) {
    const { body: conversation } = await client.get(`/api/conversations/${conversationId}`);
    const { body: contact } = await client.get(`/api/contacts/${conversation.contact_id}`);
    const { last_seen_at: _, ...rest } = contact;
    return { conversation, contact: rest };
  }

  async function buildLead() {
    const org = await buildActiveBot(parley, form);
    const first = await session(org, { visitor_id: 'known' });
    await first.post('messages', { content: 'Hello' });
    await first.post('lead', { fields: ADA });
    await first.post('consent', { consent: 'granted' });
    return { org, first, before: await readAsTeam(org, first.id) };
  }

  for (const [what, attack] of selectCases(
    [
      ['a lead', [['lead', { fields: MALLORY }]]],
      ['a consent that is withdrawn', [['consent', { consent: 'withdrawn' }]]],
      ['a consent that is denied', [['consent', { consent: 'denied' }]]],
      ['an address in the chat', [['messages', { content: 'I am mallory@evil.example, +49 30 901820' }]]],
      [
        'a rating, a handoff and an end',
        [
          ['rating', { rating: 1 }],
          ['handoff', {}],
          ['end', {}],
        ],
      ],
    ] as [string, [string, object][]][],
    2,
  ))
    it(`of another visitor does not let ${what} change anything of that visitor`, async () => {
      const { org, first, before } = await buildLead();
      const stranger = await session(org, { visitor_id: 'known' });
      for (const [step, fields] of attack)
        assert.ok((await stranger.post(step, fields)).status < 300, `${step} is taken`);
      assert.deepEqual(await readAsTeam(org, first.id), before);
      assert.equal((await first.post('lead', { fields: ADA })).status, 200);
    });

  it('of another visitor reveals nothing of that visitor: no history, lead or consent', async () => {
    const { org, first } = await buildLead();
    await first.post('consent', { consent: 'withdrawn' });
    const { state, history } = await session(org, { visitor_id: 'known' });
    const { lead_form_due, consent, consent_at, message_count } = await state();
    assert.deepEqual([lead_form_due, consent, consent_at, message_count], [true, 'unknown', null, 0]);
    assert.deepEqual((await history()).body, []);
  });

  it('of another visitor does not let a signed identity take over anything of that visitor', async () => {
    const { org, first, before } = await buildLead();
    const { body: embed } = await org.client.get(`/api/bots/${org.bot.id}/embed`);
    const identity_token = signIdentityToken(embed.identity_secret!, { sub: 'mallory' });
    const mallory = await session(org, { visitor_id: 'known', identity_token });
    await mallory.post('consent', { consent: 'withdrawn' });
    assert.deepEqual(await readAsTeam(org, first.id), before);
  });

  it('of a team that reuses ids creates a separate contact for each browser under the same visitor_id', async () => {
    const { org } = await buildLead();
    const other = await session(org, { visitor_id: 'known' });
    await other.post('lead', { fields: MALLORY });
    const { items } = (await org.client.get('/api/contacts?q=known')).body;
    assert.deepEqual(
      items.map(({ visitor_id, email, conversation_count }) => [visitor_id, email, conversation_count]),
      [
        ['known', MALLORY.email, 1],
        ['known', ADA.email, 1],
      ],
    );
  });

  it('and the visitor_secret of an earlier session continues as the same visitor', async () => {
    const { org, first } = await buildLead();
    for (const body of [
      { visitor_id: 'known', visitor_secret: first.secret },
      { visitor_secret: first.secret },
    ]) {
      const later = await session(org, body);
      const { visitor_id, lead_form_due } = await later.state();
      assert.deepEqual([visitor_id, lead_form_due], ['known', false]);
      assert.deepEqual((await later.history()).body, []);
    }
    const last = await session(org, { visitor_secret: first.secret });
    await last.post('lead', { fields: { ...ADA, name: 'Ada King' } });
    const { contact } = await readAsTeam(org, first.id);
    assert.deepEqual([contact.name, contact.conversation_count], ['Ada King', 4]);
    await last.post('consent', { consent: 'withdrawn' });
    assert.equal((await readAsTeam(org, first.id)).contact.email, null);
  });

  it('and a wrong visitor_secret returns 422, and starts no session', async () => {
    const [{ org, first }, foreign] = [await buildLead(), await buildLead()];
    const [body, signature] = first.secret.split('.') as [string, string];
    for (const visitor_secret of [
      '',
      'hello',
      first.secret.slice(0, -1),
      `${Buffer.from('{}').toString('base64url')}.${signature}`,
      `${body}.`,
      foreign.first.secret,
    ]) {
      const response = await start(org, { visitor_id: 'known', visitor_secret });
      assert.equal(
        `${response.status} ${response.problem.details?.[0]?.field}`,
        '422 visitor_secret',
        visitor_secret,
      );
    }
    const another = await start(org, { visitor_id: 'other', visitor_secret: first.secret });
    assert.equal(`${another.status} ${another.problem.details?.[0]?.field}`, '422 visitor_secret');
    assert.equal((await org.client.get('/api/conversations')).body.total, 1);
  });
});

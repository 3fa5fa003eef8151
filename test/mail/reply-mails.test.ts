import assert from 'node:assert/strict';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { newId } from '../../core/ids.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { assertLeastBelow } from '../support/cost.ts';
import { measureLoop } from '../support/loop-meter.ts';
import { buildActiveBot, buildSession, startSession } from '../support/widget.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { findOpened } from '../support/find-opened.ts';

type Scene = Awaited<ReturnType<typeof buildSession>> & { id: string };

describe('replyInboxItem', () => {
  let parley: TestParleyWithWorker;

  before(async () => {
    parley = await startParleyWithWorker({
      // Set a long time, because each test decides when a visitor has been away long enough.
      replyMailAfterSeconds: 3600,
      replyMailsPerConversation: 2,
    });
  });
  after(() => parley.stop());

  const email = 'chidi@example.com';

  /** Builds a visitor who waits for a team member, and was last present some time ago. */
  async function build(bot: object = {}, visitor: { address?: string | null; pageUrl?: string | null } = {}) {
    return waitFor(await buildSession(parley, { handoff_enabled: true, ...bot }), visitor);
  }

  async function waitFor(
    scene: Awaited<ReturnType<typeof buildSession>>,
    { address = email as string | null, pageUrl = null as string | null } = {},
  ) {
    const id = scene.session.session_id as string;
    const conversations = parley.database.repository(Conversation);
    const { visitorId, browserId } = await conversations.findOneByOrFail({ id });
    if (address !== null) {
      const { orgId } = scene;
      await parley.database
        .repository(Contact)
        .insert({ id: newId(), orgId, botId: scene.bot.id as string, visitorId, browserId, email: address });
    }
    assert.equal((await scene.visitor.post(`${scene.path}/handoff`, {})).status, 200);
    await conversations.update(id, { pageUrl });
    await setAbsent(id);
    return { ...scene, id };
  }

  const allowShop = ({ client, bot }: Scene) =>
    client.patch(`/api/bots/${bot.id}`, { allowed_domains: ['shop.example.com'] });

  const setAbsent = (id: string, minutes = 3) =>
    parley.database.sql(
      `UPDATE conversations SET visitor_seen_at = now() - make_interval(mins => $2) WHERE id = $1`,
      [id, minutes],
    );

  async function reply({ id, ...scene }: Scene, content: string, client = scene.client): Promise<string> {
    const { status, body } = await client.post(`/api/inbox/${id}/reply`, { content });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id as string;
  }

  const listReplyMails = ({ orgId }: Scene) =>
    parley.database
      .repository(MailRow)
      .createQueryBuilder('mail')
      .where("mail.org_id = :orgId AND mail.template LIKE 'team_reply%'", { orgId })
      .orderBy('mail.created_at')
      .getMany();

  /** Waits for `count` captured reply emails. */
  async function waitForMails(scene: Scene, count: number) {
    await waitUntil(
      async () => (await listReplyMails(scene)).filter(({ state }) => state !== 'pending').length === count,
      `${count} emails`,
    );
    const rows = await listReplyMails(scene);
    const { capturedMails } = parley.runtime.services.mail;
    return Promise.all(rows.map(async ({ id }) => (await capturedMails.find(parley.database, id))!));
  }

  const mailNow = ({ orgId, bot, id }: Scene) =>
    parley.runtime.services.mail.replyMails.mailUnseen(parley.database, {
      orgId,
      botId: bot.id as string,
      conversationId: id,
      waitSeconds: 1,
    });

  it('emails replies to a visitor who does not return, several of them in one email', async () => {
    const scene = await build(
      { name: 'Harbour <Bikes>' },
      { pageUrl: 'https://shop.example.com/help?a=1&b=2' },
    );
    await allowShop(scene);
    await reply(scene, 'We have <found> it.\nIt waits: https://shop.example.com/pick-up');
    await reply(
      scene,
      '**Until** [six](https://shop.example.com/hours).\r\nBcc: everybody@example.com\n\n- Bike\n- Key',
    );
    assert.equal(await mailNow(scene), 2);
    const [mail] = await waitForMails(scene, 1);
    assert.equal(mail!.to, email);
    assert.equal(mail!.subject, 'Harbour <Bikes>: an answer to your question');
    assert.deepEqual(Object.keys(mail!.headers), ['Auto-Submitted']);
    assert.ok(
      mail!.html.includes('We have &lt;found&gt; it.<br />It waits: https://shop.example.com/pick-up'),
    );
    assert.ok(mail!.html.includes('href="https://shop.example.com/help?a=1&amp;b=2"'));
    assert.ok(!mail!.html.includes('{{'));
    for (const text of [
      'Ada:\nWe have <found> it.\nIt waits: https://shop.example.com/pick-up\n\nAda:\nUntil six (https://shop.example.com/hours).\nBcc: everybody@example.com\n\n- Bike\n- Key',
      'https://shop.example.com/help?a=1&b=2',
      'You received this because someone left this address in a conversation with Harbour <Bikes>.',
    ])
      assert.ok(mail!.text.includes(text), mail!.text);
    const { body } = await scene.client.get(`/api/conversations/${scene.id}/messages`);
    const replies = body.filter(({ role }) => role === 'agent');
    assert.equal(replies.length, 2);
    for (const { mailed_at: mailedAt } of replies) assert.ok(Date.parse(mailedAt!));
    // A second run, for the other reply, finds nothing to email.
    assert.equal(await mailNow(scene), 0);
    const open = await scene.visitor.get(scene.path);
    assert.equal(open.status, 200);
  });

  itInSoak('emails each reply once for concurrent workflows', async () => {
    const scene = await build();
    await reply(scene, 'Hello?');
    const mailed = await Promise.all(Array.from({ length: 8 }, () => mailNow(scene)));
    assert.deepEqual(mailed.toSorted(), [0, 0, 0, 0, 0, 0, 0, 1]);
    await waitForMails(scene, 1);
    assert.equal(await mailNow(scene), 0);
  });

  itInSoak('splits long replies into several emails, in order', async () => {
    const scene = await build();
    for (const length of [9000, 6000, 20_000, 20]) await reply(scene, 'a '.repeat(length / 2));
    assert.equal(await mailNow(scene), 2);
    assert.equal(await mailNow(scene), 1);
    await waitForMails(scene, 2);
  });

  itInSoak('emails long replies of a workspace without a plan in turns of at most 50 ms', async () => {
    const content = 'pⴲrleⴲx word '.repeat(2000).slice(0, MAX_MESSAGE_LENGTH);
    await assertLeastBelow(50, async () => {
      const scene = await build();
      await parley.database.repository(Org).update({ id: scene.orgId }, { planTier: 'free' });
      for (let count = 0; count < 20; count += 1) await reply(scene, content);
      const { blockedMs } = await measureLoop(async () => void (await mailNow(scene)));
      return blockedMs;
    });
  });

  it('emails no reply that the visitor has seen, without an address, of a deleted bot, or after a refusal of consent', async () => {
    const there = await build();
    await reply(there, 'Are you there?');
    await setAbsent(there.id, 0);
    const nameless = await build({}, { address: null });
    await reply(nameless, 'Hello');
    const deleted = await build();
    await reply(deleted, 'Hello');
    await parley.database.repository(Bot).update(deleted.bot.id as string, { deletedAt: new Date() });
    const refused = await build();
    await reply(refused, 'Hello');
    const { status } = await refused.visitor.post(`${refused.path}/consent`, { consent: 'withdrawn' });
    assert.equal(status, 200);
    await setAbsent(refused.id);
    for (const scene of [there, nameless, deleted, refused]) {
      assert.equal(await mailNow(scene), 0);
      assert.deepEqual(await listReplyMails(scene), []);
    }
  });

  it('limits the number of emails in a conversation', async () => {
    const scene = await build();
    for (const content of ['One', 'Two', 'Three']) {
      await reply(scene, content);
      await setAbsent(scene.id);
      await mailNow(scene);
    }
    await waitForMails(scene, 2);
    const where = { conversationId: scene.id, role: 'agent' } as const;
    const replies = await findOpened(parley.database, Message, { where });
    assert.equal(replies.filter(({ content }) => content === 'Three').length, 1);
  });

  itInSoak('limits a workspace’s replies per day, even if several are due at once', async () => {
    const org = await buildActiveBot(parley, { handoff_enabled: true });
    const { orgId } = org;
    const scenes: Scene[] = [];
    while (scenes.length < 6) scenes.push(await waitFor(await startSession(parley, org)));
    for (const scene of scenes) await reply(scene, 'Hello');
    await parley.database
      .repository(MailRow)
      .insert(
        Array.from({ length: 498 }, () => ({ id: newId(), template: 'team_reply', orgId, state: 'sent' })),
      );
    const mailed = await Promise.all(scenes.map(mailNow));
    assert.deepEqual(mailed.toSorted(), [0, 0, 0, 0, 1, 1]);
    assert.equal((await listReplyMails(scenes[0]!)).length, 500);
  });

  it('links to no page if the bot has no allowed_domains, since the page comes from the visitor', async () => {
    const scene = await build({}, { pageUrl: 'https://parcel-customs.example/pay' });
    await reply(scene, 'We have found it.');
    await mailNow(scene);
    const [mail] = await waitForMails(scene, 1);
    assert.doesNotMatch(mail!.html, /<a /);
    assert.doesNotMatch(mail!.text, /parcel-customs/);
  });

  it('names the page without a link if the workspace has no plan', async () => {
    const scene = await build({}, { pageUrl: 'https://shop.example.com/help' });
    await allowShop(scene);
    await parley.database.repository(Org).update({ id: scene.orgId }, { planTier: 'free' });
    await reply(scene, 'We have found it.');
    await mailNow(scene);
    const [mail] = await waitForMails(scene, 1);
    assert.doesNotMatch(mail!.html, /<a /);
    assert.match(mail!.text.replaceAll(/[^ -~\n]/g, ''), /Continue at shop\.example\.com/);
  });

  itInSoak(
    'emails in the language of the bot or visitor, and links to no page outside the bot’s domains',
    async () => {
      const german = await build({ language: 'de-AT' }, { pageUrl: 'https://evil.example.net/' });
      await allowShop(german);
      const french = await build({}, { pageUrl: 'javascript:alert(1)' });
      const content =
        'Bonjour, je voudrais savoir où se trouve mon vélo, je ne le retrouve plus depuis hier matin.';
      await french.visitor.post(`${french.path}/messages`, { content });
      await setAbsent(french.id);
      for (const scene of [german, french]) {
        await reply(scene, 'OK');
        await mailNow(scene);
      }
      const [[inGerman], [inFrench]] = [await waitForMails(german, 1), await waitForMails(french, 1)];
      assert.match(inGerman!.html, /lang="de"/);
      assert.match(inGerman!.subject, /eine Antwort auf Ihre Frage$/);
      assert.match(inFrench!.subject, /une réponse à votre question$/);
      for (const mail of [inGerman, inFrench]) assert.doesNotMatch(mail!.html, /<a /);
    },
  );

  itInSoak(
    'does not send a pending email to an erased visitor, or to an address after consent was withdrawn',
    async () => {
      const [erased, changed] = [await build(), await build()];
      const { mailDelivery, replyMails } = parley.runtime.services.mail;
      for (const scene of [erased, changed]) {
        await reply(scene, 'Hello');
        await mailNow(scene);
        await waitForMails(scene, 1);
      }
      const [row] = await listReplyMails(changed);
      assert.equal(await replyMails.findWithdrawalReason(parley.database, row!, email), null);
      await parley.database
        .repository(Contact)
        .update({ orgId: changed.orgId }, { email: 'other@example.com' });
      await parley.database.repository(MailRow).update(row!.id, { state: 'pending' });
      assert.equal((await mailDelivery.attempt(parley.database, row!.id)).state, 'withdrawn');
      const { body } = await erased.client.get('/api/contacts');
      assert.equal((await erased.client.post(`/api/contacts/${body.items[0]!.id}/erase`)).status, 202);
      await waitUntil(async () => (await listReplyMails(erased)).length === 0, 'the erasure');
    },
  );

  itInSoak(
    'lets the visitor return through the emailed link and continue, long after the token would have expired',
    async () => {
      const scene = await build();
      await setAbsent(scene.id, 90);
      assert.equal((await scene.visitor.get(scene.path)).status, 401);
      const impatient = await parley.startAnother({ replyMailAfterSeconds: 1 });
      await reply(scene, 'We have found it.', impatient.client(scene.key));
      await waitForMails(scene, 1);
      await setAbsent(scene.id, 90);
      assert.equal(
        (await scene.visitor.post(`${scene.path}/messages`, { content: 'Thank you!' })).status,
        201,
      );
    },
  );
});

import assert from 'node:assert/strict';
import type { PlanTier } from '../../../core/billing/plans.ts';
import { Bot } from '../../../entities/bots/bot.entity.ts';
import { MailRow } from '../../../entities/mail/mail.entity.ts';
import { Org } from '../../../entities/team/org.entity.ts';
import { decryptMail } from '../../../services/mail/mail-content.ts';
import { ALL_DAY as MORNINGS } from '../../bookings/calendars/calendar-scene.ts';
import { buildBookableBot } from '../../bookings/support.ts';
import { useMailsToStrangers } from '../../mail/strangers-scene.ts';
import { findOpened } from '../../support/find-opened.ts';

const DAY = 86_400;
const ALL_DAY = { ...MORNINGS, business_close_hour: 17 };

describe('emails', () => {
  const scene = useMailsToStrangers();
  const { buildOrg, nextStart, nextStranger, book, renderQueuedMail } = scene;

  describe('of unverified workspaces', () => {
    /** Returns the email that confirms a booking. */
    async function readConfirmation(planTier: PlanTier, name: string, request: object) {
      const org = await buildOrg(planTier, { name });
      const { body, status } = await book(org, nextStranger(), request);
      assert.equal(status, 201, JSON.stringify(body));
      const scope = { orgId: org.orgId, bookingId: body.id };
      await scene.parley.runtime.services.bookings.bookingLifecycle.queueDueMails(
        scene.parley.database,
        scope,
      );
      const where = { orgId: org.orgId, template: 'booking_confirmed' };
      const [row] = await findOpened(scene.parley.database, MailRow, { where });
      const kept = await renderQueuedMail(row!.id);
      const { calendar } = decryptMail(scene.parley.runtime.keyring, row!.id, row!.content!);
      const page = await fetch(
        body.manage_url!.replace(scene.parley.runtime.settings.baseUrl, scene.parley.baseUrl),
      );
      return { ...kept!, ics: calendar!.content.replaceAll('\r\n ', ''), page: await page.text() };
    }
    const NOTICE = /the operator of this service has not checked/;
    const countFlagged = () => scene.parley.runtime.services.mail.senderChecks.flagged;

    it('contain a notice that the operator has not checked the workspace, and no links from texts of the workspace', async () => {
      const description = 'Second floor, see https://evil.example/login';
      const hostile = {
        description,
        summary: 'Viewing: https://evil.example/win',
        attendee_name: 'Winner, evil.example',
      };
      const { text, html, ics } = await readConfirmation('free', 'Acme Bakery evil.example', hostile);
      assert.match(text, NOTICE);
      assert.match(text, /Meeting with Acme Bakery|with Acme Bakery was booked|Acme Bakery/);
      assert.match(text, /About: Viewing/);
      for (const part of [text, html, ics]) assert.ok(!part.includes('evil.example'), part);
      const paid = await readConfirmation('starter', 'Acme Bakery', { description });
      assert.doesNotMatch(paid.text, NOTICE);
      assert.match(paid.text, /https:\/\/evil\.example\/login/);
    });

    for (const name of [
      'Account Security Team',
      'Ассоunt Sесurity Tеam',
      'Acc\u200bount S\u2060ecurity',
      'Ｓｅｃｕｒｉｔｙ',
      'S e c u r i t y',
      'Secur1ty',
      'SÉCURITÉ DU COMPTE',
      'Support',
      'Customer Support Team',
      'The Parley Team',
      'Pаrley Support',
      'Harbour Cloud',
      'harbour-cloud Billing',
      'Account Protection Team',
      '₱arley',
      'Служба безопасности',
    ])
      it(`do not name a business ${name} to strangers`, async () => {
        const before = countFlagged();
        const mail = await readConfirmation('free', name, {});
        for (const part of [mail.subject, mail.text, mail.html, mail.ics, mail.page])
          assert.ok(!part.includes(name), part);
        assert.match(mail.text, /Meeting with a business|a meeting with a business was booked/);
        assert.ok(countFlagged() > before);
        assert.ok((await readConfirmation('enterprise', name, {})).text.includes(name));
      });

    for (const text of [
      'Your account was locked for security reasons',
      'Vеrify your pаsswоrd now',
      'Harbour Cloud: call 0800 123456',
      'Verify your account now',
    ])
      it(`omit ${text}`, async () => {
        const request = { summary: text, description: text, attendee_name: text };
        const mail = await readConfirmation('free', 'Acme Bakery', request);
        for (const part of [mail.subject, mail.text, mail.html, mail.ics, mail.page])
          assert.ok(!part.includes(text), part);
      });

    it('omit a description with a false claim after thousands of invisible characters', async () => {
      const hidden = `a${'\u{e0100}'.repeat(900)}`.repeat(3);
      const description = `${hidden} Parley Security: your password was compromised`;
      const mail = await readConfirmation('free', 'Acme Bakery', { description });
      for (const part of [mail.text, mail.html, mail.ics, mail.page])
        assert.ok(!part.includes('compromised'), part);
    });

    it('keep names that claim no authority', async () => {
      const before = countFlagged();
      for (const name of ['Acme Support', 'Lisbon Homes', 'Zoë’s Café', 'Badminton Club', '株式会社'])
        assert.ok((await readConfirmation('free', name, {})).text.includes(name), name);
      assert.equal(countFlagged(), before);
    });

    /** Sets the visitor's email address, and marks the visitor as absent. */
    async function leaveAddress(sessionId: string, orgId: string, email: string): Promise<void> {
      await scene.parley.database.sql('UPDATE contacts SET email = $1 WHERE org_id = $2', [email, orgId]);
      await scene.parley.database.sql(
        `UPDATE conversations SET visitor_seen_at = '2020-01-01' WHERE id = $1`,
        [sessionId],
      );
    }

    it('do not name bots or people in visitors’ bookings and in emailed replies', async () => {
      const { orgId, visit, bot, client, userId } = await buildBookableBot(scene.parley, ALL_DAY);
      await scene.parley.database.repository(Org).update({ id: orgId }, { planTier: 'free' });
      await scene.parley.database
        .repository(Bot)
        .update({ id: bot.id }, { name: 'Account Security', handoffEnabled: true });
      await scene.parley.database.sql(`UPDATE users SET full_name = 'Parley Support' WHERE id = $1`, [
        userId,
      ]);
      const { sessionId, visitor, path, book: ask } = await visit();
      const to = nextStranger();
      const { body } = await ask({ start: nextStart(), summary: 'Viewing', attendee_email: to });
      await scene.parley.runtime.services.bookings.bookingLifecycle.queueDueMails(scene.parley.database, {
        orgId,
        bookingId: body.id,
      });
      assert.equal((await visitor.post(`${path}/handoff`, {})).status, 200);
      await leaveAddress(sessionId, orgId, to);
      const content = 'It waits: https://shop.example.com/pick-up';
      assert.equal((await client.post(`/api/inbox/${sessionId}/reply`, { content })).status, 201);
      const input = { orgId, botId: bot.id, conversationId: sessionId, waitSeconds: 1 };
      assert.equal(
        await scene.parley.runtime.services.mail.replyMails.mailUnseen(scene.parley.database, input),
        1,
      );
      const rows = await scene.parley.database
        .repository(MailRow)
        .find({ where: { orgId }, order: { id: 'ASC' } });
      const sent = (await Promise.all(rows.map(({ id }) => renderQueuedMail(id)))).filter(
        (mail) => mail?.to === to,
      );
      assert.deepEqual(
        sent.map((mail) => mail!.subject.replace(/meeting on .*/, 'meeting')),
        ['Confirmed: your meeting', 'a business: an answer to your question'],
      );
      for (const { text, html } of sent as { text: string; html: string }[]) {
        assert.match(text, NOTICE);
        for (const part of [text, html])
          assert.doesNotMatch(part, /Account Security|Parley Support|shop\.example\.com/);
      }
      assert.match(sent[1]!.text, /It waits: https:/);
    });

    describe('with replies', () => {
      async function readMailedReplies(planTier: PlanTier, replies: string[]) {
        const { orgId, visit, bot, client } = await buildBookableBot(scene.parley, ALL_DAY);
        await scene.parley.database.repository(Org).update({ id: orgId }, { planTier });
        await scene.parley.database
          .repository(Bot)
          .update({ id: bot.id }, { name: 'Acme Bakery', handoffEnabled: true });
        const { sessionId, visitor, path, book: ask } = await visit();
        const to = nextStranger();
        const booked = await ask({ start: nextStart(), summary: 'Viewing', attendee_email: to });
        assert.equal(booked.status, 201);
        assert.equal((await visitor.post(`${path}/handoff`, {})).status, 200);
        await leaveAddress(sessionId, orgId, to);
        for (const content of replies)
          assert.equal((await client.post(`/api/inbox/${sessionId}/reply`, { content })).status, 201);
        const input = { orgId, botId: bot.id, conversationId: sessionId, waitSeconds: 1 };
        const { replyMails } = scene.parley.runtime.services.mail;
        assert.equal(await replyMails.mailUnseen(scene.parley.database, input), replies.length);
        const rows = await scene.parley.database.repository(MailRow).findBy({ orgId });
        const { id } = rows.find(({ template }) => template.startsWith('team_reply'))!;
        return (await renderQueuedMail(id))!.text;
      }
      const WITHHELD = 'This answer is not shown in an email. Read it in the conversation.';
      const PHISHING = 'Your acc**ount** is locked. Verify it at evil.example';

      it('omit replies that claim to protect the reader’s account', async () => {
        const text = await readMailedReplies('free', ['Your bread is ready.', PHISHING]);
        assert.match(text, /Your bread is ready\./);
        assert.ok(text.includes(WITHHELD), text);
        assert.ok(!text.includes('evil'), text);
      });

      it('omit all replies if only all of them together make such a claim', async () => {
        const text = await readMailedReplies('free', ['Your account', 'was locked.']);
        assert.ok(text.includes(WITHHELD), text);
        assert.ok(!text.includes('locked'), text);
      });

      it('keep honest replies, and all replies of workspaces with a plan', async () => {
        assert.match(await readMailedReplies('starter', [PHISHING]), /Your account is locked\./);
        const honest = 'You can change your address in the account under Settings. See you on Friday!';
        assert.ok((await readMailedReplies('free', [honest])).includes(honest));
      });
    });

    it('are not sent for replies once the address has reached its limit of emails', async () => {
      const { orgId, client, bot, visit } = await buildBookableBot(scene.parley, ALL_DAY);
      await scene.parley.database.repository(Org).update({ id: orgId }, { planTier: 'free' });
      await scene.parley.database.repository(Bot).update({ id: bot.id }, { handoffEnabled: true });
      const { sessionId, visitor, path, book: ask } = await visit();
      const to = nextStranger();
      for (let count = 0; count < 4; count += 1)
        assert.equal((await ask({ start: nextStart(), summary: 'Viewing', attendee_email: to })).status, 201);
      assert.equal((await visitor.post(`${path}/handoff`, {})).status, 200);
      await leaveAddress(sessionId, orgId, to);
      assert.equal((await client.post(`/api/inbox/${sessionId}/reply`, { content: 'Hello' })).status, 201);
      const mailUnseen = () =>
        scene.parley.runtime.services.mail.replyMails.mailUnseen(scene.parley.database, {
          orgId,
          botId: bot.id,
          conversationId: sessionId,
          waitSeconds: 1,
        });
      assert.equal(await mailUnseen(), 0);
      await scene.parley.passTime(DAY);
      assert.equal(await mailUnseen(), 1);
    });

    it('do not name the business or its people in invitations', async () => {
      const { orgId, userId, client } = await buildOrg('free', { name: 'Account Security Team' });
      await scene.parley.database.sql(`UPDATE users SET full_name = 'Parley Support' WHERE id = $1`, [
        userId,
      ]);
      const { body } = await client.post(`/api/orgs/${orgId}/invitations`, { email: nextStranger() });
      await scene.parley.runtime.services.team.invitations.mailLink(
        { orgId, db: scene.parley.database },
        body.id,
      );
      const row = await scene.parley.database
        .repository(MailRow)
        .findOneByOrFail({ orgId, template: 'invitation' });
      const { subject, text } = (await renderQueuedMail(row.id))!;
      assert.equal(subject, 'Someone invited you to join a workspace');
      assert.match(text, /^Hello,\n\nSomeone invited you to join a workspace, as member\./);
      assert.match(text, NOTICE);
    });
  });

  it('do not greet the reader with a name that a stranger entered for an unverified address', async () => {
    const email = nextStranger();
    const full_name = 'Your account is locked, call 0800 123456';
    const client = scene.parley.client();
    const registration = { email, password: 'four green lamps at dusk', full_name };
    assert.equal((await client.post('/api/auth/register', registration)).status, 200);
    assert.equal((await client.post('/api/auth/register', registration)).status, 200);
    for (const kind of ['verify_email', 'reset_password', 'sign_in_code'] as const) {
      await scene.parley.runtime.services.accounts.accountMail.insertRequest(
        scene.parley.database,
        kind,
        email,
      );
      const [request] = await scene.parley.database.sql<{ id: string }>(
        'SELECT id FROM account_requests WHERE email = $1',
        [email],
      );
      await scene.parley.runtime.services.accounts.accountMail.sendRequested(
        scene.parley.database,
        request!.id,
      );
    }
    const rows = await scene.parley.database.repository(MailRow).find({ order: { id: 'ASC' } });
    const texts: string[] = [];
    for (const { id } of rows) {
      const mail = await renderQueuedMail(id);
      if (mail?.to === email) texts.push(mail.text);
    }
    assert.equal(texts.length, 5);
    for (const text of texts) assert.match(text, /^Hello there,\n/);
  });
});

import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { AccountLink } from '../../entities/accounts/account-link.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import type { Mail } from '../../services/mail/rendering/mail-templates.ts';
import { emailWorkflowId } from '../../core/workflows/commands.ts';
import { mailSamples } from '../../services/mail/rendering/mail-samples.ts';
import { Refusal, startSmtpPeer, type SmtpPeer } from './smtp-peer.ts';
import { readHistoryText } from '../support/history-text.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

type Answer = (to: string, count: number) => Refusal | 'disconnect' | undefined;

describe('sendEmail', () => {
  let parley: TestParleyWithWorker;
  let peer: SmtpPeer;
  let onRecipient: Answer | undefined;
  let onMail: Answer | undefined;
  const asked = new Map<string, number>();

  before(async () => {
    const count = (to: string) => {
      asked.set(to, (asked.get(to) ?? 0) + 1);
      return asked.get(to)!;
    };
    peer = await startSmtpPeer({
      hideSTARTTLS: true,
      onRecipient: () => {
        const to = peer.recipients.at(-1)!;
        return onRecipient?.(to, count(to));
      },
      onMail: () => {
        const to = peer.recipients.at(-1)!;
        return onMail?.(to, asked.get(to)!);
      },
    });
    parley = await startParleyWithWorker({
      PARLEY_SMTP_URL: `smtp://127.0.0.1:${peer.port}`,
      PARLEY_SMTP_TLS: 'none',
      PARLEY_MAIL_FROM: 'Parley <no-reply@parley.example>',
      mailRetrySchedule: '0,1,120,3600',
    });
  });
  after(async () => {
    await parley.stop();
    await peer.close();
  });
  beforeEach(() => {
    onRecipient = undefined;
    onMail = undefined;
  });

  const address = () => `${newId()}@example.com`;
  const codeFor = (to: string): Mail => ({
    to,
    template: 'sign_in_code',
    data: { name: 'Ada', code: '042137', lifetime: '10 minutes' },
  });
  const invitationFor = (to: string): Mail => ({
    to,
    template: 'invitation',
    data: {
      orgName: 'Acme',
      inviterName: 'Grace',
      notice: '',
      role: 'member',
      link: 'https://parley.example.com/invitations?token=hush-hush',
      expiresAt: new Date('2026-11-28T14:05:00Z'),
    },
  });

  /** Queues an email; returns the id of its database row. */
  async function send(mail: Mail): Promise<string> {
    const { database, services } = parley.runtime;
    const before = new Set((await database.repository(MailRow).find()).map(({ id }) => id));
    await database.transaction((db) => services.mail.mail.send(db, mail));
    const rows = await database.repository(MailRow).find();
    return rows.find(({ id }) => !before.has(id))!.id;
  }

  const getEmailHandle = (id: string) => parley.temporal.workflow.getHandle(emailWorkflowId(id));
  const findMailRow = (id: string) => parley.database.repository(MailRow).findOneByOrFail({ id });
  const filterMailsTo = (to: string) => peer.mails.filter((mail) => [mail.to].flat()[0]!.text === to);

  async function waitForMailEnd(id: string): Promise<string> {
    await waitUntil(async () => (await findMailRow(id)).state !== 'pending', 'the email to end');
    return (await getEmailHandle(id).result()) as string;
  }

  async function waitUntilWaiting(id: string, attempts: number): Promise<void> {
    await waitUntil(async () => (await findMailRow(id)).attempts === attempts, `attempt ${attempts}`);
  }

  it('sends an email with a text part, and deletes its secrets', async () => {
    const to = address();
    const id = await send(codeFor(to));
    assert.equal(await waitForMailEnd(id), 'sent');
    const [mail] = filterMailsTo(to);
    assert.equal(mail!.subject, 'Your sign-in code');
    assert.match(mail!.text!, /^Hello Ada,\n\nYour sign-in code:\n\n042137\n/);
    assert.match(String(mail!.html), />042137</);
    assert.equal(mail!.messageId, `<${id}@parley.example>`);
    assert.equal(mail!.headers.has('list-unsubscribe'), false);
    const { content, attempts, state } = await findMailRow(id);
    assert.deepEqual([content, attempts, state], [null, 1, 'sent']);
  });

  it('has no text of the email in its history, but says what the email is about', async () => {
    const to = address();
    const id = await send(invitationFor(to));
    await waitForMailEnd(id);
    const history = await readHistoryText(getEmailHandle(id));
    assert.ok(history.includes(id));
    for (const secret of [to, 'hush-hush', 'Grace']) assert.ok(!history.includes(secret), secret);
    const { searchAttributes } = await getEmailHandle(id).describe();
    assert.deepEqual(searchAttributes['MailState'], ['sent']);
  });

  it('sends an email once if it is queued twice with the same key', async () => {
    const to = address();
    const { database, services } = parley.runtime;
    const key = newId();
    for (let each = 0; each < 2; each += 1)
      await database.transaction((db) => services.mail.mail.send(db, { ...codeFor(to), key }));
    await waitUntil(() => filterMailsTo(to).length > 0, 'the email');
    assert.equal(await database.repository(MailRow).countBy({ key }), 1);
  });

  it('sends no email whose transaction rolls back', async () => {
    const to = address();
    const { database, services } = parley.runtime;
    const before = await database.repository(MailRow).count();
    await assert.rejects(
      database.transaction(async (db) => {
        await services.mail.mail.send(db, codeFor(to));
        throw new Error('back');
      }),
    );
    assert.equal(await database.repository(MailRow).count(), before);
  });

  it('retries after a deferral and a broken connection, with the same Message-ID', async () => {
    const seen: string[] = [];
    onRecipient = (_to, count) => (count === 1 ? new Refusal(451, '4.7.1 Greylisted') : undefined);
    onMail = (_to, count) => (count === 2 ? 'disconnect' : undefined);
    const to = address();
    const id = await send(invitationFor(to));
    assert.equal(await waitForMailEnd(id), 'sent');
    seen.push(...filterMailsTo(to).map(({ messageId }) => messageId!));
    assert.deepEqual(seen, [`<${id}@parley.example>`]);
    assert.equal((await findMailRow(id)).attempts, 3);
  });

  itInSoak('shows operators why it waits, and retries at once on their signal', async () => {
    onRecipient = (_to, count) => (count <= 3 ? new Refusal(450, '4.2.0 Try later') : undefined);
    const to = address();
    const id = await send(invitationFor(to));
    await waitUntilWaiting(id, 3);
    const details = async () =>
      ((await getEmailHandle(id).query('__temporal_workflow_metadata')) as { currentDetails?: string })
        .currentDetails ?? '';
    await waitUntil(async () => (await details()).includes('attempt 3'), 'the details');
    assert.match(
      await details(),
      /^\*\*waiting\*\*\n\n- Next attempt at .*Signals: retryNow, giveUp\.\n- .* attempt 3: The mail server answered: 450 4\.2\.0 Try later\n/,
    );
    await getEmailHandle(id).signal('retryNow');
    assert.equal(await waitForMailEnd(id), 'sent');
  });

  itInSoak('can be skipped by operators and canceled, and then deletes its content', async () => {
    onRecipient = () => new Refusal(450, '4.2.0 Try later');
    for (const end of ['giveUp', 'cancel'] as const) {
      const id = await send(invitationFor(address()));
      await waitUntilWaiting(id, 3);
      if (end === 'giveUp') await getEmailHandle(id).signal('giveUp');
      else await getEmailHandle(id).cancel();
      await waitUntil(async () => (await findMailRow(id)).state === 'failed', 'the end');
      assert.equal((await findMailRow(id)).content, null);
    }
  });

  itInSoak('does not retry a code that would arrive too late', async () => {
    onRecipient = () => new Refusal(450, '4.2.0 Try later');
    const id = await send(codeFor(address()));
    await waitUntilWaiting(id, 3);
    await getEmailHandle(id).signal('retryNow');
    assert.equal(await waitForMailEnd(id), 'failed');
    assert.equal((await findMailRow(id)).attempts, 4);
  });

  describe('does not retry an outdated email:', () => {
    /**
     * Waits until an email has failed three times, calls `spoil` to make the email outdated, and returns the
     * outcome of the next attempt.
     */
    async function retryAndAwait(
      template: string,
      spoil: (to: string) => Promise<unknown>,
      to: string,
      { why, userId }: { why: string; userId?: string } = {
        why: 'The link or code in the email has expired or was used.',
      },
    ) {
      const find = () =>
        parley.database
          .repository(MailRow)
          .findOneBy({ template, state: 'pending', attempts: 3, ...(userId !== undefined && { userId }) });
      await waitUntil(async () => (await find()) !== null, `three attempts at ${template}`);
      const { id } = (await find())!;
      await spoil(to);
      onRecipient = undefined;
      await getEmailHandle(id).signal('retryNow');
      const state = await waitForMailEnd(id);
      const { content, reason } = await findMailRow(id);
      assert.deepEqual([state, content, reason], ['withdrawn', null, why]);
      return filterMailsTo(to).filter(({ messageId }) => messageId === `<${id}@parley.example>`);
    }

    beforeEach(() => {
      onRecipient = (_to, count) => (count <= 3 ? new Refusal(450, '4.2.0 Try later') : undefined);
    });

    itInSoak('an invitation that was revoked', async () => {
      const to = address();
      const org = await parley.buildOrg();
      const invitations = `/api/orgs/${org.orgId}/invitations` as const;
      const { body } = await org.client.post(invitations, { email: to });
      const revoke = () => org.client.delete(`${invitations}/${body.id}`);
      assert.deepEqual(await retryAndAwait('invitation', revoke, to), []);
    });

    itInSoak('an invitation that was resent; its next link is sent', async () => {
      const to = address();
      const org = await parley.buildOrg();
      const invitations = `/api/orgs/${org.orgId}/invitations` as const;
      const { body } = await org.client.post(invitations, { email: to });
      const resend = () => org.client.post(`${invitations}/${body.id}/resend`);
      assert.deepEqual(await retryAndAwait('invitation', resend, to), []);
      await waitUntil(() => filterMailsTo(to).length === 1, 'the next link');
    });

    for (const [template, path] of [
      ['reset_password', '/api/auth/password/forgot'],
      ['verify_email', '/api/auth/email/resend'],
    ] as const)
      itInSoak(`a link of ${template} that was used`, async () => {
        const { userId } = await parley.buildOrg();
        const to = `${userId}@example.com`;
        const users = parley.database.repository(User);
        if (template === 'verify_email') await users.update(userId, { emailVerifiedAt: null });
        assert.equal((await parley.client().post(path, { email: to })).status, 200);
        const use = () => parley.database.repository(AccountLink).delete({ userId });
        assert.deepEqual(await retryAndAwait(template, use, to), []);
      });

    /** Builds a workspace whose owner gets an email about a new lead. */
    async function captureLead() {
      const org = await parley.buildOrg();
      const lead_capture_config = {
        enabled: true,
        fields: [{ key: 'email', label: 'Email', type: 'email' }],
      };
      const { body: bot } = await org.client.post('/api/bots', { name: 'Guide', lead_capture_config });
      await org.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
      const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
      const fields = { email: 'chidi@example.com' };
      const lead = `/api/public/sessions/${body.session_id}/lead` as const;
      assert.equal((await parley.client(body.visitor_token).post(lead, { fields })).status, 200);
      return { ...org, to: `${org.userId}@example.com` };
    }

    itInSoak('a lead that was erased, before its copies are deleted', async () => {
      const { orgId, to } = await captureLead();
      const erase = () =>
        parley.database.repository(Contact).update({ orgId }, { deletedAt: new Date(), email: null });
      const why = 'The lead no longer exists.';
      assert.deepEqual(await retryAndAwait('lead_captured', erase, to, { why }), []);
    });

    itInSoak('a lead, to a former member of the workspace', async () => {
      const { orgId, userId, to } = await captureLead();
      await parley.buildOrg({ orgId });
      const leave = () => parley.database.repository(Membership).delete({ orgId, userId });
      const why = 'The recipient no longer has access.';
      assert.deepEqual(await retryAndAwait('lead_captured', leave, to, { why, userId }), []);
    });

    itInSoak('a code that a newer code replaces', async () => {
      const { userId } = await parley.buildOrg();
      const to = `${userId}@example.com`;
      const ask = () => parley.client().post('/api/auth/otp/request', { email: to });
      assert.equal((await ask()).status, 200);
      const replace = async () => {
        await ask();
        await waitUntil(() => filterMailsTo(to).length === 1, 'the next code');
      };
      assert.deepEqual(await retryAndAwait('sign_in_code', replace, to), []);
      assert.equal(filterMailsTo(to).length, 1);
    });
  });

  itInSoak(
    'marks an address without a mailbox, and then sends it only security emails, which remove the mark',
    async () => {
      const to = address();
      onRecipient = (_to, count) => (count === 1 ? new Refusal(550, '5.1.1 No such user') : undefined);
      assert.equal(await waitForMailEnd(await send(invitationFor(to))), 'refused');
      assert.equal(await waitForMailEnd(await send(invitationFor(to.toUpperCase()))), 'suppressed');
      assert.deepEqual(filterMailsTo(to), []);
      assert.equal(await waitForMailEnd(await send(codeFor(to))), 'sent');
      assert.equal(await waitForMailEnd(await send(invitationFor(to))), 'sent');
    },
  );

  describe('to people who can turn the email off', () => {
    let userId: string;
    let to: string;

    beforeEach(async () => {
      userId = newId();
      to = address();
      await parley.database.repository(User).insert({ id: userId, email: to, fullName: 'Ada' });
    });

    const lead = (contact = 'Chidi"\r\nX-Injected: yes'): Mail => ({
      to,
      userId,
      template: 'lead_captured',
      data: {
        ...mailSamples.lead_captured,
        orgName: 'Acme\r\nBcc: eve@example.com',
        botName: '<img src=x onerror=alert(1)>',
        contact,
        link: 'https://parley.example.com/console?a=1&b="2"',
      },
    });

    it('adds a one-click unsubscribe link, which works', async () => {
      assert.equal(await waitForMailEnd(await send(lead())), 'sent');
      const [mail] = filterMailsTo(to);
      const line = (name: string) =>
        mail!.headerLines.find(({ key }) => key === name)?.line.replace(/\r?\n(?=\s)/g, '');
      assert.equal(line('list-unsubscribe-post'), 'List-Unsubscribe-Post: List-Unsubscribe=One-Click');
      const [, url = ''] = /^List-Unsubscribe: <(http[^>]+)>$/.exec(line('list-unsubscribe') ?? '') ?? [];
      const { pathname } = new URL(url);
      const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      for (let click = 0; click < 2; click += 1) {
        const response = await fetch(parley.baseUrl + pathname, { method: 'POST', body: form });
        assert.equal(response.status, 200);
        assert.deepEqual(await response.json(), {
          message: 'You no longer get emails of the category leads.',
          ok: true,
        });
      }
      assert.equal(await waitForMailEnd(await send(lead())), 'suppressed');
      assert.equal(filterMailsTo(to).length, 1);
      assert.equal(await waitForMailEnd(await send({ ...codeFor(to), userId })), 'sent');
    });

    it('writes only its own encoded words into the subject', async () => {
      await waitForMailEnd(await send(lead('=?utf-8?B?RXZpbA==?=')));
      const [mail] = filterMailsTo(to);
      assert.equal(mail!.subject, 'New lead: = ?utf-8?B?RXZpbA==?=');
    });

    it('shows names as text, which cannot end a header or begin an element', async () => {
      await waitForMailEnd(await send(lead()));
      const [mail] = filterMailsTo(to);
      assert.equal(mail!.subject, 'New lead: Chidi" X-Injected: yes');
      assert.equal(mail!.headers.has('x-injected'), false);
      assert.equal(mail!.bcc, undefined);
      assert.ok(!String(mail!.html).includes('<img'));
      assert.ok(
        String(mail!.html).includes('href="https://parley.example.com/console?a=1&amp;b=&quot;2&quot;"'),
      );
      assert.ok(mail!.text!.includes('<img src=x onerror=alert(1)>'));
    });
  });
});

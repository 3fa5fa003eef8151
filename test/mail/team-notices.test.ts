import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createEndpoint, emitLead } from '../webhooks/support.ts';

describe('email to the people of a workspace', () => {
  let parley: SharedParleyWithWorker;
  let org: TestOrg;

  before(async () => {
    parley = await startSharedParleyWithWorker();
  });
  beforeEach(async () => {
    org = await parley.buildOrg();
  });

  async function addPerson(role: OrgRole, isVerified = true): Promise<string> {
    const { userId } = await parley.buildOrg({ role, orgId: org.orgId });
    if (!isVerified) await parley.database.repository(User).update(userId, { emailVerifiedAt: null });
    return userId;
  }

  async function waitForCaptured(count: number): Promise<MailRow[]> {
    const repository = parley.database.repository(MailRow);
    const of = { orgId: org.orgId, state: 'kept' } as const;
    await waitUntil(async () => (await repository.countBy(of)) === count, `${count} emails`);
    return repository.findBy(of);
  }

  async function startWidget(
    fields: object,
  ): Promise<{ sessionId: string; visitor: ReturnType<typeof parley.client> }> {
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide', ...fields });
    await org.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    return { sessionId: body.session_id, visitor: parley.client(body.visitor_token) };
  }

  const listReaders = (mails: MailRow[]) => mails.map(({ userId }) => userId).toSorted();

  it('is sent to the members who answer conversations if a visitor waits for a person', async () => {
    const member = await addPerson('member');
    await addPerson('viewer');
    await addPerson('member', false);
    const { sessionId, visitor } = await startWidget({ handoff_enabled: true });
    await visitor.post(`/api/public/sessions/${sessionId}/handoff`, {});
    const mails = await waitForCaptured(2);
    assert.deepEqual(listReaders(mails), [org.userId, member].toSorted());
    const mail = await parley.runtime.services.mail.capturedMails.find(parley.database, mails[0]!.id);
    assert.equal(mail!.subject, 'A visitor asks for a person: Guide');
    assert.ok(mail!.headers['List-Unsubscribe']);
  });

  itInSoak(
    'shows the visitor, the reason, the last five messages and the page of a request for a person',
    async () => {
      const { body: bot } = await org.client.post('/api/bots', { name: 'Guide', handoff_enabled: true });
      await org.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
      const page = 'https://shop.example.com/help';
      const { body } = await parley
        .client()
        .post(`/api/public/bots/${bot.public_key}/sessions`, { page_url: page });
      const visitor = parley.client(body.visitor_token);
      const path = `/api/public/sessions/${body.session_id}` as const;
      for (const content of ['First', 'My **bike** does\nnot start.', 'Is Ada there?'])
        await visitor.post(`${path}/messages`, { content });
      await visitor.post(`${path}/handoff`, { reason: 'The motor smokes.' });
      const [row] = await waitForCaptured(1);
      const mail = await parley.runtime.services.mail.capturedMails.find(parley.database, row!.id);
      assert.equal(mail!.subject, 'A visitor needs help: "The motor smokes."');
      const text = mail!.text.replaceAll('\u200C', '');
      assert.match(
        text,
        /^Hello,\n\nA visitor asked to talk to your team, in a conversation with Guide \(Acme\)\./,
      );
      assert.doesNotMatch(text, /First/);
      assert.match(
        text,
        /\n\nGuide: .+\nA visitor: My bike does not start\.\nGuide: .+\nA visitor: Is Ada there\?\nGuide: .+\nA visitor: The motor smokes\.\n\nPage: https:\/\/shop\.example\.com\/help\n/,
      );
      assert.match(text, /\n\nReply:\nhttp/);
    },
  );

  itInSoak(
    'is sent to the members in the bot’s handoff_config, or to all members if none of them is left',
    async () => {
      const [chosen, other] = [await addPerson('member'), await addPerson('member')];
      const ask = async (notify: string[]) => {
        const { sessionId, visitor } = await startWidget({
          handoff_enabled: true,
          handoff_config: { notify },
        });
        const { status } = await visitor.post(`/api/public/sessions/${sessionId}/handoff`, {});
        assert.equal(status, 200);
        return sessionId;
      };
      await ask([]);
      await ask([`${chosen}@example.com`]);
      assert.deepEqual(listReaders(await waitForCaptured(1)), [chosen]);
      const { body: team } = await org.client.get(`/api/orgs/${org.orgId}/members`);
      const { membership_id: id } = team.find(({ user_id }) => user_id === chosen)!;
      const left = await startWidget({ handoff_enabled: true, handoff_config: { notify: [chosen] } });
      await parley.database.sql('DELETE FROM memberships WHERE id = $1', [id]);
      await left.visitor.post(`/api/public/sessions/${left.sessionId}/handoff`, {});
      assert.deepEqual(listReaders(await waitForCaptured(3)), [chosen, org.userId, other].toSorted());
    },
  );

  it('is sent to the members once for a lead', async () => {
    const lead_capture_config = { enabled: true, fields: [{ key: 'email', label: 'Email', type: 'email' }] };
    const { sessionId, visitor } = await startWidget({ lead_capture_config });
    for (const email of ['chidi@example.com', 'chidi@example.org']) {
      const { status } = await visitor.post(`/api/public/sessions/${sessionId}/lead`, { fields: { email } });
      assert.equal(status, 200);
    }
    const [row] = await waitForCaptured(1);
    const mail = await parley.runtime.services.mail.capturedMails.find(parley.database, row!.id);
    assert.match(mail!.subject, /^New lead: chidi@example\.(com|org)$/);
    const place = `conversations/${sessionId}?workspace=${org.orgId}`;
    assert.ok(mail!.text.includes(`${parley.runtime.settings.baseUrl}/console#/${place}`), mail!.text);
    const contacts = await org.client.get('/api/contacts');
    assert.equal((await org.client.post(`/api/contacts/${contacts.body.items[0]!.id}/erase`)).status, 202);
    await waitUntil(
      async () => (await parley.database.repository(MailRow).countBy({ id: row!.id })) === 0,
      'the erasure',
    );
  });

  itInSoak('shows the details, the page and the question of a lead', async () => {
    const fields = [
      { key: 'email', label: 'Email', type: 'email' },
      { key: 'phone', label: 'Phone', type: 'phone' },
      { key: 'name', label: 'Name' },
      { key: 'company', label: 'Company' },
    ];
    const { body: bot } = await org.client.post('/api/bots', {
      name: 'Guide',
      lead_capture_config: { enabled: true, fields },
    });
    await org.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { body } = await parley
      .client()
      .post(`/api/public/bots/${bot.public_key}/sessions`, { page_url: 'https://shop.example.com/prices' });
    const visitor = parley.client(body.visitor_token);
    const path = `/api/public/sessions/${body.session_id}` as const;
    await visitor.post(`${path}/messages`, { content: 'What does a day pass cost?' });
    await visitor.post(`${path}/lead`, {
      fields: { email: 'jane@example.com', phone: '+441632960001', name: 'Jane Doe', company: 'Doe Ltd' },
    });
    const [row] = await waitForCaptured(1);
    const mail = await parley.runtime.services.mail.capturedMails.find(parley.database, row!.id);
    assert.equal(mail!.subject, 'New lead: Jane Doe');
    // The lead's email address stays unchanged, so that mail programs make it a link; they make no other text a
    // link.
    assert.ok(mail!.text.includes('Email: jane@example.com\n'), mail!.text);
    const text = mail!.text.replaceAll('\u200C', '');
    assert.ok(
      text.startsWith(
        [
          'Hello,\n\nNew lead from Guide, in the workspace Acme:\n\nName: Jane Doe\nEmail: jane@example.com\nPhone: +441632960001',
          'Page: https://shop.example.com/prices\nQuestion: What does a day pass cost?\n\ncompany: Doe Ltd\n\nView conversation:\nhttp',
        ].join('\n'),
      ),
      text,
    );
  });

  it('is sent to the admins when an endpoint is disabled', async () => {
    const admin = await addPerson('admin');
    await addPerson('member');
    const receiver = await startReceiver((response) => response.writeHead(410).end());
    const { id } = await createEndpoint(org, receiver.url);
    await emitLead(parley, org);
    await waitUntil(
      async () => !(await parley.database.repository(Webhook).findOneByOrFail({ id })).isActive,
      'the endpoint to be disabled',
    );
    const mails = await waitForCaptured(2);
    await receiver.close();
    assert.deepEqual(listReaders(mails), [org.userId, admin].toSorted());
    const mail = await parley.runtime.services.mail.capturedMails.find(parley.database, mails[0]!.id);
    assert.equal(mail!.subject, 'A webhook endpoint of Acme was disabled');
    assert.match(mail!.text, /Last response: .*410/);
  });

  itInSoak('is not queued twice by an activity that runs twice', async () => {
    const { sessionId, visitor } = await startWidget({ handoff_enabled: true });
    await visitor.post(`/api/public/sessions/${sessionId}/handoff`, {});
    await waitForCaptured(1);
    const { teamNotices } = parley.runtime.services.mail;
    const key = newId();
    for (let each = 0; each < 2; each += 1)
      await teamNotices.mailHandoffRequested(
        parley.database,
        { orgId: org.orgId, botId: newId(), conversationId: sessionId },
        key,
      );
    await waitForCaptured(2);
  });

  async function createGuideBot(): Promise<string> {
    const { body } = await org.client.post('/api/bots', { name: 'Guide' });
    return body.id as string;
  }

  it('reports all failed documents of a bot once a day to members who may manage them, once no document is in progress', async () => {
    const member = await addPerson('member');
    await addPerson('viewer');
    const botId = await createGuideBot();
    const documents = parley.database.repository(Document);
    const add = (title: string, status: Document['status']) =>
      documents.insert({
        id: newId(),
        orgId: org.orgId,
        botId,
        title,
        status,
        sourceType: 'url',
        sourceUrl: `https://shop.example.com/${title}`,
        ...(status === 'failed' && {
          errorMessage: `${title} is damaged.`,
          failedAt: () => "clock_timestamp() - interval '11 minutes'",
        }),
      });
    for (const title of ['A', 'B', 'C', 'D', 'E', 'F']) await add(title, 'failed');
    await add('G', 'processing');
    const { teamNotices } = parley.runtime.services.mail;
    const sweep = () => teamNotices.mailFailedContent(parley.database);
    await sweep();
    assert.equal(await parley.database.repository(MailRow).countBy({ orgId: org.orgId }), 0);
    await documents.update({ botId, status: 'processing' }, { status: 'indexed' });
    await Promise.all([sweep(), sweep()]);
    const mails = await waitForCaptured(2);
    assert.deepEqual(listReaders(mails), [org.userId, member].toSorted());
    const mail = await parley.runtime.services.mail.capturedMails.find(parley.database, mails[0]!.id);
    assert.equal(mail!.subject, 'Documents of Guide could not be read');
    assert.match(mail!.text, /Failed documents: 6\.[^]*F: F is damaged\.\nE: E is damaged\./);
    assert.ok(mail!.text.includes(`/console#/bots/${botId}/documents?workspace=${org.orgId}`));
    assert.match(mail!.headers['List-Unsubscribe']!, /unsubscribe/);
    await add('H', 'failed');
    await documents.update({ botId, title: 'H' }, { failedAt: () => 'now()' });
    await sweep();
    assert.equal(await parley.database.repository(MailRow).countBy({ orgId: org.orgId }), 2);
    await parley.database.sql(
      `UPDATE content_notices SET told_at = told_at - interval '25 hours' WHERE bot_id = $1`,
      [botId],
    );
    await documents.update({ botId, title: 'H' }, { failedAt: () => "now() - interval '11 minutes'" });
    await sweep();
    await waitForCaptured(4);
  });

  itInSoak(
    'reports each failure of a document once, whatever changes later, and again after the next failure',
    async () => {
      const botId = await createGuideBot();
      const scope = { orgId: org.orgId, db: parley.database };
      const {
        mail: { teamNotices },
        knowledge: { ingestion },
      } = parley.runtime.services;
      const documents = parley.database.repository(Document);
      const documentId = newId();
      await documents.insert({
        id: documentId,
        orgId: org.orgId,
        botId,
        sourceType: 'url',
        status: 'processing',
      });
      const fail = async (revision: number) => {
        await ingestion.fail(scope, { botId, documentId, revision }, 'It is damaged.');
        await documents.update(documentId, { failedAt: () => "failed_at - interval '11 minutes'" });
      };
      const sweepADayLater = async () => {
        await parley.database.sql(
          `UPDATE content_notices SET told_at = told_at - interval '25 hours' WHERE bot_id = $1`,
          [botId],
        );
        await teamNotices.mailFailedContent(parley.database);
      };
      await fail(1);
      await teamNotices.mailFailedContent(parley.database);
      await waitForCaptured(1);
      await documents.update(documentId, { failedAt: () => "failed_at - interval '26 hours'" });
      const { status } = await org.client.patch(`/api/bots/${botId}/knowledge/${documentId}`, {
        title: 'Shop',
        tags: ['new'],
      });
      assert.equal(status, 200);
      await sweepADayLater();
      // Emails that are still queued count toward the limit, too.
      assert.equal(await parley.database.repository(MailRow).countBy({ orgId: org.orgId }), 1);
      await documents.update(documentId, { status: 'processing', revision: 2 });
      await fail(2);
      await sweepADayLater();
      await waitForCaptured(2);
    },
  );

  itInSoak(
    'reports once a month that a bot has used 80 % of its cap, and all of it, and again after the cap was raised',
    async () => {
      const botId = await createGuideBot();
      await org.client.patch(`/api/bots/${botId}`, { monthly_message_cap: 10 });
      const use = (messages: number) =>
        parley.database.sql(
          `INSERT INTO monthly_usage (bot_id, month, org_id, messages)
         VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC')::date, $2, $3)
         ON CONFLICT (bot_id, month) DO UPDATE SET messages = $3`,
          [botId, org.orgId, messages],
        );
      const sweep = () => parley.runtime.services.mail.teamNotices.mailUsageReached(parley.database);
      await use(7);
      await sweep();
      assert.equal(await parley.database.repository(MailRow).countBy({ orgId: org.orgId }), 0);
      await use(8);
      await Promise.all([sweep(), sweep()]);
      const [row] = await waitForCaptured(1);
      const mail = await parley.runtime.services.mail.capturedMails.find(parley.database, row!.id);
      assert.equal(mail!.subject, 'Guide has used 80% of its monthly responses');
      assert.match(mail!.text, /8 of the 10 answers/);
      await use(10);
      await sweep();
      await sweep();
      await waitForCaptured(2);
      // The bot answers again with a higher monthly cap of messages, until the answers reach that cap, too.
      await org.client.patch(`/api/bots/${botId}`, { monthly_message_cap: 100 });
      for (const [messages, mails] of [
        [79, 2],
        [80, 3],
        [100, 4],
      ] as const) {
        await use(messages);
        await Promise.all([sweep(), sweep()]);
        await waitForCaptured(mails);
      }
      // The scheduled workflow runs the same check, and finds nothing to email.
      const handle = await parley.temporal.workflow.start('sweepNotices', {
        taskQueue: parley.runtime.settings.temporalTaskQueue,
        workflowId: `sweep-notices-of-${org.orgId}`,
      });
      await handle.result();
      await waitForCaptured(4);
    },
  );
});

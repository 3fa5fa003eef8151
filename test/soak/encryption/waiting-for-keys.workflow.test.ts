import assert from 'node:assert/strict';
import { KEY_UNAVAILABLE } from '../../../core/encryption/key-retry.ts';
import { AlertMessage } from '../../../entities/alerts/alert-message.entity.ts';
import { AlertPolicy } from '../../../entities/alerts/alert-policy.entity.ts';
import { MailRow } from '../../../entities/mail/mail.entity.ts';
import { buildExtractionCommand } from '../../../services/conversations/conversation-events.ts';
import type { Mail } from '../../../services/mail/rendering/mail-templates.ts';
import { OutboxService } from '../../../services/outbox/outbox-service.ts';
import { emailWorkflowId } from '../../../core/workflows/commands.ts';
import { mailSamples } from '../../../services/mail/rendering/mail-samples.ts';
import { connectChat, IMPATIENT, readCapturedTexts, savePolicy } from '../../alerts/support.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { waitUntil, waitUntilEqual } from '../../support/wait-until.ts';
import { buildSession } from '../../support/widget.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { createEndpoint, emitLead } from '../../webhooks/support.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const ASKED = 'Do you lease twelve cargo bikes?';

describe('while the key of a workspace is unavailable,', () => {
  let parley: TestParleyWithWorker;
  let keys: OwnKeys;
  before(async () => {
    parley = await startParleyWithWorker({ ...IMPATIENT, webhookRetrySchedule: '1,3600' });
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  afterEach(() => void (keys.front.mode = 'pass'));

  async function build() {
    const org = await parley.buildOrg();
    await keys.seal(org);
    return org;
  }

  /** Waits until the workflow only waits for the workspace's key. */
  const waitUntilKeyIsMissing = (workflowId: string) =>
    waitUntil(async () => {
      const described = await parley.temporal.workflow
        .getHandle(workflowId)
        .describe()
        .catch(() => null);
      return (described?.raw.pendingActivities ?? []).some(
        ({ activityType }) => activityType?.name === 'awaitKey',
      );
    }, `${workflowId} to wait for the key`);

  const buildLeadMail = ({ orgId, userId }: { orgId: string; userId: string }): Mail => ({
    to: 'ada@example.com',
    orgId,
    userId,
    template: 'lead_captured',
    data: { ...mailSamples.lead_captured, contactName: 'Zoë Quist' },
  });
  const send = (mail: Mail) =>
    parley.database.transaction((db) => parley.runtime.services.mail.mail.send(db, mail));
  const findMail = async (orgId: string) => parley.database.repository(MailRow).findOneByOrFail({ orgId });

  it('an email with content waits encrypted without an attempt, and is sent once the key is available', async () => {
    const org = await build();
    await parley.database.transaction(async (db) => {
      await parley.runtime.services.mail.mail.send(db, buildLeadMail(org));
      keys.withdraw(org);
    });
    const [stored] = await parley.database.sql<{ id: string; content: string; key_id: string | null }>(
      'SELECT id, content, key_id FROM mails WHERE org_id = $1',
      [org.orgId],
    );
    assert.ok(stored?.key_id);
    assert.throws(() => parley.runtime.keyring.open(stored.content, `mails.content:${stored.id}`));
    await waitUntilKeyIsMissing(emailWorkflowId(stored.id));
    const { state, attempts } = await findMail(org.orgId);
    assert.deepEqual([state, attempts], ['pending', 0]);
    keys.restore(org);
    await waitUntilEqual(async () => (await findMail(org.orgId)).state, 'kept');
    const kept = await parley.runtime.services.mail.capturedMails.find(parley.database, stored.id);
    assert.match(kept?.text ?? '', /Zoë Quist/);
  });

  it('an email without content is queued and sent', async () => {
    const org = await build();
    keys.withdraw(org);
    await send({
      to: 'grace@example.com',
      orgId: org.orgId,
      template: 'invitation',
      data: {
        orgName: 'Acme',
        inviterName: 'Ada',
        notice: '',
        role: 'member',
        link: 'https://parley.example/i',
        expiresAt: new Date('2027-01-01T00:00:00Z'),
      },
    });
    await waitUntilEqual(async () => (await findMail(org.orgId)).state, 'kept');
  });

  it('an email with content is refused with 423 before it is queued', async () => {
    const org = await build();
    keys.withdraw(org);
    await assert.rejects(send(buildLeadMail(org)), { code: 'key_unavailable' });
    assert.equal((await parley.database.sql('SELECT FROM mails WHERE org_id = $1', [org.orgId])).length, 0);
  });

  it('an alert message waits encrypted without an attempt, longer than other messages, and is sent once the key is available', async () => {
    const org = await build();
    const destination = await connectChat(parley, org);
    const { id } = await savePolicy(org, { channel: 'telegram', destination });
    const policy = await parley.database.repository(AlertPolicy).findOneByOrFail({ id });
    const { alertQueue } = parley.runtime.services.alerts;
    const content = { lines: [[{ text: 'Zoë Quist has written.' }]] };
    const scope = { db: parley.database, orgId: org.orgId };
    const queued = await parley.database.transaction(async (db) => {
      const messageId = await alertQueue.enqueue({ ...scope, db }, policy, { kind: 'summary', content });
      keys.withdraw(org);
      return messageId;
    });
    await waitUntilKeyIsMissing(`alert/${id}`);
    const read = () => parley.database.repository(AlertMessage).findOneByOrFail({ id: queued! });
    const { state, attempts, reason } = await read();
    assert.deepEqual([state, attempts, reason], ['pending', 0, KEY_UNAVAILABLE]);
    await parley.database.sql(
      `UPDATE alert_messages SET created_at = now() - interval '9 days' WHERE id = $1`,
      [queued],
    );
    keys.restore(org);
    await waitUntilEqual(async () => (await read()).state, 'kept');
    assert.deepEqual(await readCapturedTexts(parley, destination), ['Zoë Quist has written.']);
    const [{ content: kept, key_id: keyId } = { content: '', key_id: null }] = await parley.database.sql<{
      content: string;
      key_id: string | null;
    }>('SELECT content, key_id FROM alert_messages WHERE id = $1', [queued]);
    assert.ok(keyId);
    assert.throws(() => parley.runtime.keyring.open(kept, `alert_messages.content:${queued}`));
  });

  it('a delivery’s retry waits without an attempt, and is sent once the key is available', async () => {
    const org = await build();
    let isWithdrawn = false;
    const receiver = await startReceiver((response, _request, count) => {
      response.statusCode = count === 1 ? 503 : 200;
      if (count === 1) keys.withdraw(org);
      isWithdrawn = true;
      response.end();
    });
    await createEndpoint(org, receiver.url, { events: ['lead.captured'] });
    await emitLead(parley, org);
    const read = async () => {
      const [row] = await parley.database.sql<{ id: string; status: string; attempts: number }>(
        'SELECT id, status, attempts FROM webhook_deliveries WHERE org_id = $1',
        [org.orgId],
      );
      return row;
    };
    await waitUntil(
      async () => isWithdrawn && (await read())?.status === 'retrying',
      'the first attempt to fail',
    );
    const { id } = (await read())!;
    await waitUntilKeyIsMissing(`webhook-delivery/${id}`);
    assert.deepEqual(await read(), { id, status: 'retrying', attempts: 1 });
    keys.restore(org);
    await waitUntilEqual(read, { id, status: 'delivered', attempts: 2 });
    assert.equal(receiver.requests[1]!.body, receiver.requests[0]!.body);
    await receiver.close();
  });

  it('extraction from a conversation waits, and runs once the key is available', async () => {
    const org = await buildSession(parley);
    await keys.seal(org);
    const said = await org.visitor.post(`${org.path}/messages`, { content: ASKED });
    assert.equal(said.status, 201, JSON.stringify(said.body));
    keys.withdraw(org);
    const { orgId, bot } = org;
    const id = org.session.session_id as string;
    const command = buildExtractionCommand({ id, orgId, botId: bot.id });
    const scope = { orgId, db: parley.database };
    await new OutboxService().command(scope, command);
    await waitUntilKeyIsMissing(command.workflowId);
    assert.equal(formatOutcome(await org.client.get(`/api/conversations/${id}`)), '423 key_unavailable');
    keys.restore(org);
    await parley.temporal.workflow.getHandle(command.workflowId).result();
    assert.equal((await org.client.get(`/api/conversations/${id}`)).body.title, ASKED);
  });
});

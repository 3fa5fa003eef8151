import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { newId } from '../../../core/ids.ts';
import { AlertDestination } from '../../../entities/alerts/alert-destination.entity.ts';
import { AlertMessage } from '../../../entities/alerts/alert-message.entity.ts';
import { AlertInbound } from '../../../entities/alerts/alert-provider.entity.ts';
import { MailRow } from '../../../entities/mail/mail.entity.ts';
import { startParley, type TestOrg, type TestParley } from '../../support/parley.ts';
import { recordStatements } from '../../support/statements.ts';
import { signWhatsappBody, WHATSAPP } from '../../support/whatsapp.ts';
import { parseLinkCode, connectChat, savePolicy, WITHOUT_WORKER } from '../../alerts/support.ts';

/** Number of messages in about 3 MB, the largest notification that Meta sends. */
const FLOOD = 15_000;
/**
 * Maximum number of SQL statements for 30 batches of messages, a handful for each. Without batches, 30,000
 * statements would be necessary.
 */
const MAX_STATEMENTS = 400;

describe('a WhatsApp notification with thousands of entries', () => {
  let parley: TestParley;
  let org: TestOrg;
  let destination: string;
  let policyId: string;
  before(async () => {
    parley = await startParley({ ...WITHOUT_WORKER, ...WHATSAPP });
  });
  after(() => parley.stop());
  beforeEach(async () => {
    org = await parley.buildOrg();
    destination = await connectChat(parley, org, 'whatsapp');
    ({ id: policyId } = await savePolicy(org, { channel: 'whatsapp', destination }));
    await parley.database.repository(AlertInbound).deleteAll();
  });

  const findStatuses = async () => {
    const rows = await parley.database
      .repository(AlertMessage)
      .find({ where: { policyId }, order: { createdAt: 'ASC', id: 'ASC' } });
    return rows.map(({ state, providerId }) => ({ state, providerId }));
  };
  const findDestination = () =>
    parley.database.repository(AlertDestination).findOneByOrFail({ orgId: org.orgId, destination });
  const countInbound = () => parley.database.repository(AlertInbound).count();

  /**
   * Sends values in one signed notification, as WhatsApp does; returns the number of SQL statements that
   * Parley runs.
   */
  async function sendHook(...values: object[]): Promise<number> {
    const metadata = { phone_number_id: WHATSAPP.PARLEY_WHATSAPP_PHONE_NUMBER_ID };
    const changes = values.map((value) => ({ field: 'messages', value: { metadata, ...value } }));
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] });
    const headers = { 'x-hub-signature-256': signWhatsappBody(body) };
    const statements = await recordStatements(parley, async () => {
      const response = await fetch(`${parley.baseUrl}/hooks/whatsapp`, { method: 'POST', headers, body });
      assert.equal(response.status, 200);
    });
    return statements.length;
  }

  const buildInboundMessage = (from: string, body: string, secondsAgo = 0) => ({
    from: from.replace('+', ''),
    id: `wamid.${newId()}`,
    timestamp: String(Math.floor(Date.now() / 1000) - secondsAgo),
    type: 'text',
    text: { body },
  });
  const buildFlood = <T>(make: (index: number) => T) =>
    Array.from({ length: FLOOD }, (_, index) => make(index));

  it('is refused before its body is read if its signature is not from Meta', async () => {
    for (const signature of ['', 'sha256=', `sha1=${'a'.repeat(40)}`, `sha256=${'g'.repeat(64)}`]) {
      const sent = request(`${parley.baseUrl}/hooks/whatsapp`, {
        method: 'POST',
        headers: { 'x-hub-signature-256': signature, 'content-length': 3_000_000 },
      });
      sent.on('error', () => {});
      sent.flushHeaders();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      assert.equal(response.statusCode, 403);
      sent.destroy();
    }
  });

  it('does not store messages of unknown numbers, and checks them in batches', async () => {
    const messages = buildFlood((index) =>
      buildInboundMessage(`+4915100${String(index).padStart(5, '0')}`, 'Hello'),
    );
    assert.ok((await sendHook({ messages })) < MAX_STATEMENTS);
    assert.equal(await countInbound(), 0);
  });

  it('needs as few statements if each message is in a separate change', async () => {
    // Send half as many: each message is longer in its own change, so 3 MB contain fewer of them.
    const values = buildFlood((index) => ({
      messages: [buildInboundMessage(`+4915100${String(index).padStart(5, '0')}`, 'STOP')],
    }));
    assert.ok((await sendHook(...values.slice(0, FLOOD / 2))) < MAX_STATEMENTS);
  });

  it('records a known number once per batch, and its STOP once', async () => {
    const messages = buildFlood((index) => buildInboundMessage(destination, 'STOP', FLOOD - index));
    await parley.database
      .repository(AlertDestination)
      .update({ orgId: org.orgId, destination }, { verifiedAt: new Date(0) });
    assert.ok((await sendHook({ messages })) < MAX_STATEMENTS);
    const { blockedReason, lastInboundAt } = await findDestination();
    assert.equal(blockedReason, 'This number has opted out by replying STOP.');
    assert.equal(lastInboundAt!.getTime(), Number(messages.at(-1)!.timestamp) * 1000);
    assert.equal(await countInbound(), FLOOD);
    const mails = await parley.database.repository(MailRow).findBy({ orgId: org.orgId });
    assert.deepEqual(
      mails.map(({ template }) => template),
      ['alerts_blocked'],
    );
    await parley.database
      .repository(AlertDestination)
      .update({ orgId: org.orgId, destination }, { blockedAt: null });
    await sendHook({ messages });
    assert.equal((await findDestination()).blockedAt, null);
  });

  it('connects the number whose message has an unused code, whatever codes other numbers send', async () => {
    const { link } = (await org.client.post('/api/alerts/whatsapp/connect', {})).body;
    const code = parseLinkCode(decodeURIComponent(link));
    const messages = buildFlood((index) =>
      buildInboundMessage(
        `+4915200${String(index).padStart(5, '0')}`,
        index === 9000 ? code : 'A'.repeat(43),
      ),
    );
    assert.ok((await sendHook({ messages })) < MAX_STATEMENTS);
    const tied = await parley.database.repository(AlertDestination).findBy({ orgId: org.orgId });
    assert.deepEqual(
      new Set(tied.map((each) => [each.destination, each.verifiedBy].join(' '))),
      new Set([`${destination} link`, '+491520009000 link']),
    );
  });

  it('applies STOP and a new code in the order in which they were written', async () => {
    const connect = async () => {
      const { link } = (await org.client.post('/api/alerts/whatsapp/connect', {})).body;
      return parseLinkCode(decodeURIComponent(link));
    };
    await sendHook({
      messages: [buildInboundMessage(destination, 'STOP'), buildInboundMessage(destination, await connect())],
    });
    assert.equal((await findDestination()).blockedAt, null);
    await sendHook({
      messages: [buildInboundMessage(destination, await connect()), buildInboundMessage(destination, 'STOP')],
    });
    assert.notEqual((await findDestination()).blockedAt, null);
  });

  it('ignores messages dated more than a day ahead', async () => {
    await sendHook({ messages: [buildInboundMessage(destination, 'STOP', -86_500)] });
    assert.deepEqual([(await findDestination()).blockedAt, await countInbound()], [null, 0]);
    await sendHook({ messages: [buildInboundMessage(destination, 'STOP', -86_300)] });
    assert.notEqual((await findDestination()).blockedAt, null);
  });

  it('ignores statuses of unknown messages in batches', async () => {
    const statuses = buildFlood((index) => ({ id: `wamid.unknown${index}`, status: 'delivered' }));
    assert.ok((await sendHook({ statuses })) < MAX_STATEMENTS);
  });

  it('stores the last of thousands of statuses of one message', async () => {
    const [id] = await addMessages(1);
    const names = ['sent', 'delivered', 'read'];
    const statuses = buildFlood((index) => ({ id: `wamid.${id}`, status: names[index % 3] }));
    assert.ok((await sendHook({ statuses })) < MAX_STATEMENTS);
    assert.deepEqual(await findStatuses(), [{ state: 'read', providerId: `wamid.${id}` }]);
  });

  it('stores statuses of a thousand messages in batches, and adds missing provider ids', async () => {
    const ids = await addMessages(1000);
    const statuses = ids.map((id) => ({
      id: `wamid.${id}`,
      status: 'delivered',
      biz_opaque_callback_data: id,
    }));
    assert.ok((await sendHook({ statuses })) < MAX_STATEMENTS);
    const [unsure] = await addMessages(1, { state: 'sending', providerId: null });
    await sendHook({
      statuses: ['sent', 'delivered'].map((status) => ({
        id: 'wamid.late',
        status,
        biz_opaque_callback_data: unsure,
      })),
    });
    const stored = await findStatuses();
    assert.equal(stored.length, 1001);
    assert.deepEqual(new Set(stored.map(({ state }) => state)), new Set(['delivered']));
    assert.deepEqual(stored.at(-1)!.providerId, 'wamid.late');
  });

  it('counts a repeated failure once, after the earlier statuses', async () => {
    const [id] = await addMessages(1);
    const failed = {
      id: `wamid.${id}`,
      status: 'failed',
      errors: [{ code: 131026, title: 'Undeliverable' }],
    };
    const statuses = [{ id: `wamid.${id}`, status: 'delivered' }, ...buildFlood(() => failed)];
    assert.ok((await sendHook({ statuses })) < MAX_STATEMENTS);
    assert.equal((await findDestination()).undeliverable, 1);
    assert.deepEqual(await findStatuses(), [{ state: 'failed', providerId: `wamid.${id}` }]);
  });

  async function addMessages(count: number, changes: Partial<AlertMessage> = {}): Promise<string[]> {
    const rows = Array.from({ length: count }, () => {
      const id = newId();
      return {
        id,
        orgId: org.orgId,
        policyId,
        channel: 'whatsapp' as const,
        destination,
        kind: 'alerts' as const,
        state: 'accepted' as const,
        providerId: `wamid.${id}`,
        ...changes,
      };
    });
    await parley.database.repository(AlertMessage).insert(rows);
    return rows.map(({ id }) => id);
  }
});

import assert from 'node:assert/strict';
import { Alert } from '../../../entities/alerts/alert.entity.ts';
import { OutboxService } from '../../../services/outbox/outbox-service.ts';
import type { TestOrg } from '../../support/parley.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { buildBot, startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { connectChat, IMPATIENT, readCapturedTexts, savePolicy } from '../../alerts/support.ts';

const outbox = new OutboxService();

describe('alerts of events', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let botId: string;

  before(async () => (parley = await startParleyWithWorker(IMPATIENT)));
  after(() => parley.stop());
  beforeEach(async () => {
    org = await parley.buildOrg();
    botId = await buildBot(org);
  });

  /** Creates a visitor who waits for a team member; returns the id of the conversation. */
  async function handOff(): Promise<string> {
    await org.client.patch(`/api/bots/${botId}`, {
      handoff_enabled: true,
      status: 'active',
      name: 'Help *_[desk',
    });
    const { body: bot } = await org.client.get(`/api/bots/${botId}`);
    const visit = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const { session_id: id, visitor_token: token } = visit.body as {
      session_id: string;
      visitor_token: string;
    };
    const { status } = await parley
      .client(token)
      .post(`/api/public/sessions/${id}/handoff`, { reason: 'My order *_[ is late' });
    assert.equal(status, 200);
    return id;
  }

  it('report a handoff at once, with names verbatim', async () => {
    const destination = await connectChat(parley, org);
    await savePolicy(org, { channel: 'telegram', destination, intensity: 'critical' });
    await handOff();
    await waitUntil(async () => (await readCapturedTexts(parley, destination)).length > 0, 'the alert');
    const [text] = await readCapturedTexts(parley, destination);
    assert.equal(text, 'A visitor asks for a person: Help *_[desk · “My order *_[ is late” Open');
  });

  it('reach each policy that subscribes to them, of the bot and of the workspace, and no other policy', async () => {
    const other = await buildBot(org);
    const wants = async (policy: object) => {
      const destination = await connectChat(parley, org);
      return (await savePolicy(org, { channel: 'telegram', destination, ...policy })).id;
    };
    const ofBot = await wants({ bot_id: botId });
    const ofAll = await wants({});
    const named = await wants({ intensity: 'critical', events: ['booking.created'] });
    await wants({ bot_id: other });
    await wants({ intensity: 'critical' });
    await wants({ intensity: 'off' });
    await wants({ intensity: 'digest' });
    await savePolicy(org, { channel: 'telegram', destination: '5', intensity: 'all' });
    const data = { booking_id: org.orgId, conversation_id: null, contact_id: null };
    await outbox.event({ orgId: org.orgId, db: parley.database }, 'booking.created', data, botId);
    const read = () => parley.database.repository(Alert).findBy({ orgId: org.orgId });
    await waitUntil(async () => (await read()).length >= 3, 'all alerts');
    const rows = await read();
    assert.deepEqual(rows.map(({ policyId }) => policyId).toSorted(), [ofBot, ofAll, named].toSorted());
    assert.deepEqual(rows[0]!.ids, { booking_id: org.orgId });
  });
});

import assert from 'node:assert/strict';
import type { TestOrg } from '../../support/parley.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { connectChat, IMPATIENT, readCapturedTexts, savePolicy } from '../../alerts/support.ts';

describe('alerts without a provider:', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;

  before(async () => (parley = await startParleyWithWorker(IMPATIENT)));
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  it('connectTelegram and pollTelegram connect a chat to the workspace once', async () => {
    const { body: link } = await org.client.post('/api/alerts/telegram/connect', {});
    const pending = await org.client.post('/api/alerts/telegram/poll', { attempt_id: link.attempt_id });
    assert.deepEqual(pending.body, {
      attempt_id: link.attempt_id,
      status: 'pending',
      destination: null,
      name: null,
    });
    const code = link.link.split('code=')[1]!;
    const opened = { code, destination: '4711', name: 'Ada Lovelace', consent: '1' };
    const { alertConnections } = parley.runtime.services.alerts;
    assert.notEqual(await alertConnections.connect(parley.database, 'telegram', opened), null);
    assert.equal(await alertConnections.connect(parley.database, 'telegram', opened), null);
    const connected = await org.client.post('/api/alerts/telegram/poll', { attempt_id: link.attempt_id });
    assert.deepEqual(connected.body, {
      attempt_id: link.attempt_id,
      status: 'connected',
      destination: '4711',
      name: 'Ada Lovelace',
    });
    const policy = await savePolicy(org, { channel: 'telegram', destination: '4711' });
    assert.deepEqual([policy.status, policy.destination_name], ['active', 'Ada Lovelace']);
  });

  it('connectWhatsapp and pollWhatsapp connect a number', async () => {
    const destination = await connectChat(parley, org, 'whatsapp');
    const { status } = await savePolicy(org, { channel: 'whatsapp', destination });
    assert.equal(status, 'active');
  });

  it('testAlertPolicy sends a sample and returns its result', async () => {
    const destination = await connectChat(parley, org);
    const { id } = await savePolicy(org, { channel: 'telegram', destination, label: 'Reception' });
    const { status, body } = await org.client.post(`/api/alerts/${id}/test`, {});
    assert.deepEqual([status, body.ok, body.error], [200, true, null]);
    assert.deepEqual(await readCapturedTexts(parley, destination), [
      'Test: Reception\nAlerts will arrive here. This is only a test that a member of your team sent.',
    ]);
  });

  it('startAlertVerification sends a code with which finishAlertVerification verifies the destination', async () => {
    const { id } = await savePolicy(org, { channel: 'whatsapp', destination: '+351 910 000 000' });
    const started = await org.client.post(`/api/alerts/${id}/verify/start`, {});
    assert.deepEqual([started.status, started.body.ok, started.body.error], [200, true, null]);
    const [text] = await readCapturedTexts(parley, '+351910000000');
    const [code] = /\d{6}/.exec(text!)!;
    const { status, body } = await org.client.post(`/api/alerts/${id}/verify`, { code });
    assert.deepEqual([status, body.verified, body.status], [200, true, 'active']);
  });

  it('deleteAlertPolicy removes a policy, and listAlertPolicies no longer returns it', async () => {
    const destination = await connectChat(parley, org);
    const { id } = await savePolicy(org, { channel: 'telegram', destination });
    await org.client.post(`/api/alerts/${id}/test`, {});
    assert.equal((await org.client.delete(`/api/alerts/${id}`)).status, 200);
    assert.deepEqual((await org.client.get('/api/alerts')).body, []);
    assert.equal(await parley.temporal.workflow.getHandle(`alert/${id}`).result(), 'deleted');
  });
});

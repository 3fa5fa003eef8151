import assert from 'node:assert/strict';
import { AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { FakeWhatsapp, signWhatsappBody, WHATSAPP } from '../support/whatsapp.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { connectChat, IMPATIENT, savePolicy } from './support.ts';

describe('the WhatsApp hook', () => {
  const whatsapp = new FakeWhatsapp();
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let destination: string;
  let id: string;

  before(async () => {
    const apiUrl = await whatsapp.start();
    parley = await startParleyWithWorker({ ...IMPATIENT, ...WHATSAPP, whatsappApiUrl: apiUrl });
  });
  after(async () => {
    await parley.stop();
    await whatsapp.stop();
  });
  beforeEach(async () => {
    org = await parley.buildOrg();
    destination = await connectChat(parley, org, 'whatsapp');
    ({ id } = await savePolicy(org, { channel: 'whatsapp', destination }));
  });

  const hook = async (body: string, headers: object = { 'x-hub-signature-256': signWhatsappBody(body) }) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    return (await fetch(`${parley.baseUrl}/hooks/whatsapp`, init)).status;
  };
  const test = async () => (await org.client.post(`/api/alerts/${id}/test`, {})).body;
  const policy = async () => (await org.client.get('/api/alerts')).body[0]!;
  const message = async () =>
    (await parley.database.repository(AlertMessage).findOneByOrFail({ policyId: id }))!;

  it('returns the challenge only for the right token', async () => {
    const ask = async (token: string, mode = 'subscribe') => {
      const query = `hub.mode=${mode}&hub.verify_token=${token}&hub.challenge=1158201444`;
      const response = await fetch(`${parley.baseUrl}/hooks/whatsapp?${query}`);
      return [response.status, response.status === 200 ? await response.text() : ''];
    };
    assert.deepEqual(await ask(WHATSAPP.PARLEY_WHATSAPP_VERIFY_TOKEN), [200, '1158201444']);
    assert.deepEqual(await ask(WHATSAPP.PARLEY_WHATSAPP_VERIFY_TOKEN, 'none'), [403, '']);
    assert.deepEqual(await ask('another-token-of-tests'), [403, '']);
  });

  it('accepts only signed bodies, and ignores bodies of an unexpected shape', async () => {
    const stop = whatsapp.buildInboundHook(destination, 'STOP');
    assert.equal(await hook(stop, {}), 403);
    assert.equal(await hook(stop, { 'x-hub-signature-256': 'sha256=' }), 403);
    assert.equal(
      await hook(stop, { 'x-hub-signature-256': signWhatsappBody(stop.replace('STOP', 'Stop')) }),
      403,
    );
    assert.equal((await policy()).status, 'active');
    assert.equal(await hook('{'), 400);
    assert.equal(await hook(JSON.stringify('x'.repeat(3 * 1024 * 1024))), 413);
    const shapes = [null, [], 1, { entry: null }, { entry: [null] }, { entry: [{ changes: [null] }] }];
    const field = 'messages';
    const metadata = { phone_number_id: WHATSAPP.PARLEY_WHATSAPP_PHONE_NUMBER_ID };
    for (const value of [
      null,
      1,
      { metadata, messages: [null], statuses: [null] },
      { metadata, messages: 1 },
    ])
      shapes.push({ entry: [{ changes: [{ field, value }] }] } as never);
    for (const shape of shapes) {
      const body = JSON.stringify(
        shape && !Array.isArray(shape) && typeof shape === 'object'
          ? { object: 'whatsapp_business_account', ...shape }
          : shape,
      );
      assert.equal(await hook(body), 200, body);
    }
  });

  itInSoak('stops messages to a number that refuses them, with one email', async () => {
    whatsapp.refusals.set(destination.slice(1), [131050]);
    assert.equal((await test()).error, 'This number does not accept messages.');
    assert.equal((await policy()).status, 'blocked');
    assert.equal(await hook(whatsapp.buildInboundHook(destination, 'STOP')), 200);
    const mails = await parley.database.repository(MailRow).find({ where: { orgId: org.orgId } });
    assert.equal(mails.filter(({ template }) => template === 'alerts_blocked').length, 1);
  });

  itInSoak('ignores a STOP that is older than the person’s consent', async () => {
    const buildStopMessage = (minutesAgo: number) =>
      whatsapp.buildInboundHook(destination, 'STOP', undefined, Date.now() - minutesAgo * 60_000);
    await hook(buildStopMessage(5));
    assert.equal((await policy()).status, 'active');
    await hook(buildStopMessage(0));
    assert.equal((await policy()).status, 'blocked');
  });

  itInSoak('connects a number whose person has a name that cannot be stored', async () => {
    const { link } = (await org.client.post('/api/alerts/whatsapp/connect', {})).body;
    const said = new URL(link).searchParams.get('text')!;
    const inbound = whatsapp.buildInboundHook('+351920000007', said).replace('Ada', 'A\\u0000da\\ud800');
    assert.equal(await hook(inbound), 200);
    const verified = await savePolicy(org, { channel: 'whatsapp', destination: '+351920000007' });
    assert.deepEqual([verified.verified, verified.destination_name], [true, 'Ada\ufffd Lovelace']);
  });

  itInSoak('blocks a number after three messages in a row have failed', async () => {
    whatsapp.refusals.set(destination.slice(1), [131026, 131026, 131026]);
    const statuses: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      assert.equal((await test()).error, 'WhatsApp cannot reach this number.');
      statuses.push((await policy()).status);
    }
    assert.deepEqual(statuses, ['active', 'active', 'blocked']);
  });

  for (const [code, error] of [
    [130429, 'WhatsApp is not accepting more messages at the moment.'],
    [131049, 'WhatsApp has chosen not to deliver this message.'],
    [190, 'WhatsApp rejects the account or its template: 190 (details).'],
    [132001, 'WhatsApp rejects the account or its template: 132001 (details).'],
  ] as const) {
    itInSoak(`does not count ${code} against the number`, async () => {
      whatsapp.refusals.set(destination.slice(1), [code]);
      assert.deepEqual(
        { ...(await test()), alert_id: '', duration_ms: 0 },
        { alert_id: '', duration_ms: 0, ok: false, error },
      );
      const { status, last_error } = await policy();
      assert.deepEqual([status, last_error], ['active', error]);
    });
  }

  itInSoak(
    'does not resend undelivered messages at once, and resends only once after two reports',
    async () => {
      await test();
      const [sent] = whatsapp.getSentTo(destination);
      const failed = whatsapp.buildStatusHook(sent!, 'failed', 131042);
      assert.deepEqual([await hook(failed), await hook(failed)], [200, 200]);
      assert.equal((await message()).state, 'pending');
      await waitUntil(
        async () =>
          (await parley.temporal.workflow.getHandle(`alert/${id}`).describe()).status.name === 'RUNNING',
        'the workflow',
      );
      assert.equal((await policy()).status, 'active');
      assert.equal(whatsapp.getSentTo(destination).length, 1);
    },
  );

  itInSoak('resends with the template at once if a later report says that the window is closed', async () => {
    await hook(whatsapp.buildInboundHook(destination, 'Hello'));
    await test();
    const [sent] = whatsapp.getSentTo(destination);
    const failed = whatsapp.buildStatusHook(sent!, 'failed', 131047);
    await hook(failed);
    await waitUntil(() => whatsapp.getSentTo(destination).length === 2, 'the template');
    await waitUntil(async () => (await message()).state === 'accepted', 'its record');
    assert.equal(await hook(failed), 200);
    assert.equal((await message()).state, 'accepted');
    assert.deepEqual(
      whatsapp.getSentTo(destination).map(({ type }) => type),
      ['text', 'template'],
    );
  });

  itInSoak('updates the status of a message from reports in any order', async () => {
    await test();
    const [sent] = whatsapp.getSentTo(destination);
    for (const [status, state] of [
      ['delivered', 'delivered'],
      ['sent', 'delivered'],
      ['read', 'read'],
      ['failed', 'read'],
    ] as const) {
      await hook(whatsapp.buildStatusHook(sent!, status, status === 'failed' ? 131026 : undefined));
      assert.equal((await message()).state, state);
    }
  });

  it('sends the code for a manually entered number with the template for codes', async () => {
    const typed = await savePolicy(org, { channel: 'whatsapp', destination: '+351 920 000 001' });
    const started = await org.client.post(`/api/alerts/${typed.id}/verify/start`, {});
    assert.equal(started.body.ok, true);
    const [sent] = whatsapp.getSentTo('+351920000001');
    assert.equal(sent!.type, 'template');
    assert.match(sent!.text, /^\d{6}$/);
    const finished = await org.client.post(`/api/alerts/${typed.id}/verify`, { code: sent!.text });
    assert.equal(finished.body.status, 'active');
    const stored = await parley.database.repository(AlertDestination).findBy({ orgId: org.orgId });
    assert.ok(!JSON.stringify(stored).includes(`"${sent!.text}"`));
  });
});

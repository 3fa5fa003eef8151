import assert from 'node:assert/strict';
import { verifyWebhook } from '../../sdk/typescript/src/index.ts';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { createSecretHint } from '../../sdk/typescript/src/cli/webhooks/secret-hint.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { terminal } from './command-line.ts';

describe('`parley webhooks`', () => {
  let parley: SharedParleyWithWorker;
  const receivers: Receiver[] = [];
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

  async function buildTerminal() {
    const { key, ...org } = await parley.buildOrg();
    const shell = terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key });
    const receive = async (...answer: Parameters<typeof startReceiver>) => {
      const receiver = await startReceiver(...answer);
      receivers.push(receiver);
      return receiver;
    };
    const create = async (url: string, ...options: string[]) => {
      const { out, err } = await shell.run(['webhooks', 'create', url, ...options]);
      const [id = '', secret = ''] = out.split('\n');
      assert.match(secret, /^whsec_/, err);
      return { id, secret };
    };
    return { ...org, ...shell, receive, create };
  }

  it('create registers an endpoint with events, which list shows', async () => {
    const { run, create } = await buildTerminal();
    const url = 'http://127.0.0.1:9/hook';
    const { id } = await create(url, '--event', 'lead.captured', '--event', 'document.failed');
    assert.deepEqual(await run(['webhooks', 'list']), {
      code: exitCodes.done,
      out: `${id}  unknown  ${url}  lead.captured,document.failed\n`,
      err: '',
    });
  });

  it('test sends a sample of the first event, and fails if the endpoint refuses the sample', async () => {
    const { run, receive, create } = await buildTerminal();
    const receiver = await receive();
    const { id, secret } = await create(receiver.url, '--event', 'document.failed');
    const tested = await run(['webhooks', 'test', id]);
    assert.equal(tested.code, exitCodes.done);
    assert.match(tested.out, /^[-0-9a-f]{36} {2}200 {2}\d+ ms {2}delivered\n$/);
    const [{ body, headers } = assert.fail()] = receiver.requests;
    const { event, data } = verifyWebhook(body, headers, secret);
    assert.deepEqual([event, data['test']], ['document.failed', true]);
    const goneReceiver = await receive((response) => response.writeHead(410).end());
    const refusing = await create(goneReceiver.url);
    const refused = await run(['webhooks', 'test', refusing.id]);
    assert.equal(refused.code, exitCodes.refused);
    assert.match(refused.out, / {2}410 {2}\d+ ms {2}http_410: The receiver responded with 410 Gone/);
  });

  it('trigger sends a signed sample of the event to each endpoint that gets it', async () => {
    const { run, json, receive, create } = await buildTerminal();
    const [leads, others] = [await receive(), await receive()];
    const { id, secret } = await create(leads.url, '--event', 'document.indexed', '--event', 'lead.captured');
    await create(others.url, '--event', 'document.indexed');
    const sent = await run(['webhooks', 'trigger', 'lead.captured']);
    assert.equal(sent.code, exitCodes.done, sent.err);
    assert.match(
      sent.out,
      new RegExp(`^${id} {2}${leads.url} {2}[-0-9a-f]{36} {2}200 {2}\\d+ ms {2}delivered\n$`),
    );
    assert.equal(others.requests.length, 0);
    const [{ body, headers } = assert.fail()] = leads.requests;
    const { event, data } = verifyWebhook(body, headers, secret);
    assert.deepEqual(
      [event, data['test'], headers['x-webhook-event']],
      ['lead.captured', true, 'lead.captured'],
    );
    const both = (await json(['webhooks', 'trigger', 'document.indexed'])) as { ok: boolean }[];
    assert.deepEqual(
      both.map(({ ok }) => ok),
      [true, true],
    );
    await run(['webhooks', 'trigger', 'document.indexed', '--endpoint', id]);
    assert.deepEqual([leads.requests.length, others.requests.length], [3, 1]);
  });

  it('create accepts comma-separated events', async () => {
    const { run, client } = await buildTerminal();
    const events = ['--event', 'document.indexed, lead.captured', '--event', 'message.created'];
    const created = await run(['webhooks', 'create', 'http://127.0.0.1:9/hook', ...events]);
    assert.equal(created.code, exitCodes.done, created.err);
    const [webhook] = (await client.get('/api/webhooks')).body;
    assert.deepEqual(webhook?.events.toSorted(), ['document.indexed', 'lead.captured', 'message.created']);
  });

  it('test refuses a URL, with an error that suggests create', async () => {
    const { run } = await buildTerminal();
    assert.deepEqual(await run(['webhooks', 'test', 'http://127.0.0.1:9/hook']), {
      code: exitCodes.usage,
      out: '',
      err: 'parley webhooks test takes the id of an endpoint, not a URL: see parley webhooks list. To register the URL: parley webhooks create http://127.0.0.1:9/hook\n',
    });
  });

  it('trigger refuses an unknown event, and an event that no endpoint gets', async () => {
    const { run, create } = await buildTerminal();
    const { id } = await create('http://127.0.0.1:9/hook', '--event', 'lead.captured');
    assert.deepEqual(await run(['webhooks', 'trigger', 'document.index']), {
      code: exitCodes.usage,
      out: '',
      err: 'There is no event document.index. Did you mean document.indexed?\n',
    });
    assert.match(
      (await run(['webhooks', 'trigger', 'x'])).err,
      /^There is no event x\. Events: conversation\.started, .+, handoff\.requested\.\n$/,
    );
    assert.deepEqual(await run(['webhooks', 'trigger', 'message.created']), {
      code: exitCodes.refused,
      out: '',
      err: 'No active endpoint receives message.created: see parley webhooks list.\n',
    });
    const other = await run(['webhooks', 'trigger', 'message.created', '--endpoint', id]);
    assert.equal(other.code, exitCodes.refused);
    assert.match(other.err, /^event must be an event that the endpoint receives: \S.* \(validation_error, /);
    const list = await run([
      'webhooks',
      'create',
      'http://127.0.0.1:9/',
      '--event',
      'lead.captured,lead.capture',
    ]);
    assert.equal(list.err, 'There is no event lead.capture. Did you mean lead.captured?\n');
    const misspelt = await run(['webhooks', 'create', 'http://127.0.0.1:9/', '--event', 'lead.capture']);
    assert.equal(misspelt.err, 'There is no event lead.capture. Did you mean lead.captured?\n');
  });

  itInSoak(
    'tail warns if no active endpoint gets the event, and prints deliveries once an endpoint gets it',
    async () => {
      const { run, client } = await buildTerminal();
      await client.post('/api/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['lead.captured'] });
      const deliver = async () => {
        const webhook = { url: 'http://127.0.0.1:9/hook', events: ['document.indexed'] };
        const { body } = await client.post('/api/webhooks', webhook);
        await client.post(`/api/webhooks/${body.id}/test`);
      };
      let delivered: Promise<void> | undefined;
      const heard = (text: string) => {
        if (text.includes('Waiting')) delivered = deliver();
      };
      const { out, err } = await run(['webhooks', 'tail', '--event', 'document.indexed', '--limit', '1'], {
        heard,
      });
      await delivered;
      assert.match(out, /^\S+Z {2}document\.indexed {2}/);
      assert.equal(
        err,
        'No active endpoint receives document.indexed, so nothing is delivered. Create an endpoint with a public URL:\n' +
          '  parley webhooks create https://hooks.example.com/parley --event document.indexed\n' +
          'Waiting for deliveries.\n',
      );
    },
  );

  itInSoak('tail --endpoint prints only the deliveries to this endpoint', async () => {
    const { run, receive, create } = await buildTerminal();
    const [first, second] = [await receive(), await receive()];
    const other = await create(first.url, '--event', 'lead.captured');
    const own = await create(second.url, '--event', 'lead.captured');
    let tested: Promise<unknown> | undefined;
    const heard = (text: string) => {
      if (text.includes('Waiting'))
        tested = run(['webhooks', 'test', other.id]).then(() => run(['webhooks', 'test', own.id]));
    };
    const tail = ['webhooks', 'tail', '--endpoint', own.id, '--limit', '1', '--json'];
    const { code, out } = await run(tail, { heard });
    await tested;
    assert.equal(code, exitCodes.done);
    assert.equal((JSON.parse(out) as { webhook_id: string }).webhook_id, own.id);
  });

  it('tail refuses an unknown event, and an unknown endpoint', async () => {
    const { run } = await buildTerminal();
    assert.deepEqual(await run(['webhooks', 'tail', '--event', 'lead.capture']), {
      code: exitCodes.usage,
      out: '',
      err: 'There is no event lead.capture. Did you mean lead.captured?\n',
    });
    const unknown = await run(['webhooks', 'tail', '--endpoint', '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b']);
    assert.equal(unknown.code, exitCodes.notFound);
  });

  itInSoak('deliveries lists what was sent, and replay sends it again', async () => {
    const { run, receive, create } = await buildTerminal();
    const receiver = await receive((response, _request, count) =>
      response.writeHead(count === 1 ? 400 : 204).end(),
    );
    const { id } = await create(receiver.url, '--event', 'lead.captured');
    await run(['webhooks', 'test', id]);
    const listed = await run(['webhooks', 'deliveries', '--status', 'failed', '--endpoint', id]);
    const [, deliveryId = ''] =
      /^([-0-9a-f]{36}) {2}\S+Z {2}lead\.captured {2}failed {2}http_400: .+\n$/.exec(listed.out) ?? [];
    const replayed = await run(['webhooks', 'replay', deliveryId]);
    const [, replayId = ''] = /^([-0-9a-f]{36}) {2}lead\.captured {2}pending\n$/.exec(replayed.out) ?? [];
    assert.notEqual(replayId, deliveryId);
    const tail = await run(['webhooks', 'replay', '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b']);
    assert.equal(tail.code, exitCodes.notFound);
  });

  it('tail --forward says once which secret a receiver needs, if the receiver refuses a request with 400 or 401', () => {
    for (const [isNew, advice] of [
      [true, 'pass the secret of your receiver as --secret, or set the secret above in the receiver'],
      [false, 'the receiver must use the value of --secret, not the secret of an endpoint'],
    ] as const) {
      const written: string[] = [];
      const hint = createSecretHint(isNew, (text) => written.push(text));
      for (const status of [null, '204', '500', '401', '400']) hint(status);
      assert.deepEqual(written, [
        `The receiver responded with 401. If it could not verify the signature, ${advice}.\n`,
      ]);
    }
  });
});

import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { readEvents } from '../support/event-stream.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startModelServer, type ModelScript, type ModelServer } from '../support/model-server.ts';
import { startParley, type ApiClient, type TestParley, type TestProcess } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { ask, buildActiveBot, buildSession } from '../support/widget.ts';

describe('a model’s answer that is requested again with the same Idempotency-Key', () => {
  let model: ModelServer;
  let parley: TestParley;
  let other: TestProcess;
  let key: Record<string, string>;
  let pause: ModelScript['pause'];
  before(async () => {
    model = await startModelServer({
      answer: () => ({ text: 'Twelve euros a day.', ...(pause && { pause }) }),
    });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
    other = await parley.startAnother();
  });
  beforeEach(() => {
    model.requests.length = 0;
    pause = undefined;
    key = { 'idempotency-key': newId() };
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  /** Delays the model's answers after their first word. Returns a function that lets them continue. */
  function holdAnswers(): () => void {
    let goOn = (): void => undefined;
    pause = { after: 1, until: new Promise<void>((resolve) => (goOn = resolve)) };
    return goOn;
  }

  const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replay') === 'true';

  it('is the last event of the stream, for a visitor', async () => {
    const { visitor, path } = await buildSession(parley);
    const first = await ask(visitor, path, { content: 'How much is it?' }, key);
    const events = await readEvents(first);
    const second = await ask(visitor, path, { content: 'How much is it?' }, key);
    assert.deepEqual([isReplay(first), isReplay(second)], [false, true]);
    assert.deepEqual((await readEvents(second)).at(-1), events.at(-1));
    assert.equal(model.requests.length, 1);
    assert.equal((await visitor.get(`${path}/messages`)).body.length, 2);
  });

  describe('in the playground', () => {
    let client: ApiClient;
    let second: ApiClient;
    let path: string;
    beforeEach(async () => {
      const org = await buildActiveBot(parley);
      client = org.client;
      second = other.client(org.key);
      path = `/api/bots/${org.bot.id}/playground`;
    });

    const tryStream = (
      message: string,
      { signal, at = client }: { signal?: AbortSignal; at?: ApiClient } = {},
    ) =>
      at.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...key },
        body: JSON.stringify({ message }),
        ...(signal && { signal }),
      });

    it('is the same as the first answer', async () => {
      const first = await client.post(path, { message: 'How much is it?' }, key);
      const second = await client.post(path, { message: 'How much is it?' }, key);
      assert.deepEqual([isReplay(first), isReplay(second)], [false, true]);
      assert.deepEqual(second.body, first.body);
      assert.equal(model.requests.length, 1);
    });

    it('is the last event of the stream, which contains the whole answer', async () => {
      const first = await tryStream('How much is it?');
      const events = await readEvents(first);
      const second = await tryStream('How much is it?');
      assert.deepEqual([isReplay(first), isReplay(second)], [false, true]);
      assert.equal(second.headers.get('content-type'), 'text/event-stream; charset=utf-8');
      assert.deepEqual(await readEvents(second), events.slice(-1));
      assert.equal(model.requests.length, 1);
      assert.equal((await tryStream('What is it?')).status, 422);
      assert.equal((await client.post(path, { message: 'How much is it?' }, key)).status, 422);
    });

    it('is refused with 409 at every process while the stream of the first request runs', async () => {
      const goOn = holdAnswers();
      const first = await tryStream('How much is it?');
      for (const at of [client, second]) {
        const { status, headers } = await tryStream('How much is it?', { at });
        assert.deepEqual([status, headers.get('retry-after')], [409, '1']);
        assert.equal((await tryStream('What is it?', { at })).status, 422);
      }
      goOn();
      const events = await readEvents(first);
      assert.deepEqual(
        await readEvents(await tryStream('How much is it?', { at: second })),
        events.slice(-1),
      );
      assert.equal(model.requests.length, 1);
    });

    itInSoak('is generated again if the process of the stream has died', async () => {
      const goOn = holdAnswers();
      const first = await tryStream('How much is it?');
      await parley.database.sql(
        "UPDATE idempotency_keys SET created_at = now() - interval '181 seconds' WHERE key = $1",
        [key['idempotency-key']],
      );
      const again = await tryStream('How much is it?', { at: second });
      assert.deepEqual([again.status, isReplay(again)], [200, false]);
      goOn();
      await Promise.all([first, again].map((stream) => readEvents(stream)));
      assert.equal(model.requests.length, 2);
    });

    itInSoak('is generated again if the stream was not read to its end', async () => {
      const connection = new AbortController();
      await readEvents(await tryStream('How much is it?', { signal: connection.signal }), 1);
      connection.abort();
      let retry: Response | undefined;
      await waitUntil(async () => {
        retry = await tryStream('How much is it?');
        return retry.status !== 409;
      }, 'the server to notice the lost connection');
      const again = await readEvents(retry!);
      assert.equal(again.at(-1)!.data.reply.content, 'Twelve euros a day.');
    });
  });
});

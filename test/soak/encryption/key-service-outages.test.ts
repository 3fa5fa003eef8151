import assert from 'node:assert/strict';
import { formatOutcome } from '../../support/outcome.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { ask, buildSession } from '../../support/widget.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const KEPT_SECONDS = 300;
/** Milliseconds after which a process without a cached workspace key stops waiting for the key. */
const MAX_REFUSAL_MS = 5000;

describe('a key service that stops decrypting the key', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  let passedMs = 0;
  const clock = { now: () => new Date(Date.now() + passedMs) };
  before(async () => {
    parley = await startParley({}, { clock });
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });
  afterEach(() => void (keys.front.mode = 'pass'));

  async function build() {
    const org = await buildSession(parley);
    await keys.seal(org);
    const sendQuestion = async (content: string) => {
      const response = await ask(org.visitor, org.path, { content });
      return [response.status, (await response.text()).includes('event: done')];
    };
    assert.deepEqual(await sendQuestion('Where is my bike?'), [200, true]);
    const messages = `/api/conversations/${org.session.session_id}/messages` as const;
    return { ...org, sendQuestion, messages };
  }

  for (const mode of ['hang', 'fail', 'cut'] as const)
    it(`in mode ${mode}: turns use the cached key for an hour, another process refuses within 5 seconds, and nothing is lost`, async () => {
      const { sendQuestion, messages, key, client } = await build();
      keys.front.mode = mode;
      passedMs += (KEPT_SECONDS + 1) * 1000;
      assert.deepEqual(await sendQuestion('And my helmet?'), [200, true]);
      const another = await parley.startAnother();
      const startedAt = performance.now();
      assert.equal(formatOutcome(await another.client(key).get(messages)), '423 key_unavailable');
      assert.ok(performance.now() - startedAt < MAX_REFUSAL_MS);

      passedMs += 3600 * 1000;
      assert.deepEqual(await sendQuestion('Anybody?'), [423, false]);
      keys.front.mode = 'pass';
      passedMs += 5000;
      const { body } = await client.get(messages);
      assert.deepEqual(
        body.filter(({ role }) => role === 'user').map(({ content }) => content),
        ['Where is my bike?', 'And my helmet?'],
      );
    });

  it('between requests: a request with the key available is stored completely, and each other request returns 423', async () => {
    const { sendQuestion, messages, client, orgId } = await build();
    const { contentKeys } = parley.runtime.services.encryption;
    const outcomes = [];
    for (const [index, mode] of (['pass', 'cut', 'pass', 'refuse', 'pass'] as const).entries()) {
      keys.front.mode = mode;
      contentKeys.forget(orgId);
      outcomes.push((await sendQuestion(`Question ${index}?`))[0]);
    }
    assert.deepEqual(outcomes, [200, 423, 200, 423, 200]);
    const { body } = await client.get(messages);
    assert.deepEqual(
      body.map(({ role }) => role),
      Array(4).fill(['user', 'assistant']).flat(),
    );
  });
});

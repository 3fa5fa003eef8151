import assert from 'node:assert/strict';
import { KeyServiceError, type KeyServiceFailure } from '../../adapters/keys/services/key-service.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { UnwrappedKeyCache } from '../../services/encryption/unwrapped-key-cache.ts';

const ORG = 'org';
const KEEP_SECONDS = 300;

/**
 * Builds a cache of decrypted workspace keys on a manual clock. The value of each key is the number of the
 * request that decrypted it.
 */
function buildCache() {
  let now = 1_800_000_000_000;
  let answer: KeyServiceFailure | 'unwraps' = 'unwraps';
  let asked = 0;
  let held: Promise<void> | undefined;
  const kept = new UnwrappedKeyCache<number>({
    clock: { now: () => new Date(now) },
    cacheSeconds: KEEP_SECONDS,
    unwrap: async (_orgId, known) => {
      asked += 1;
      const unwrapped = asked;
      await held;
      if (answer !== 'unwraps') throw new KeyServiceError(answer, 'No.');
      return known ?? unwrapped;
    },
  });
  return {
    kept,
    get: () => kept.get(ORG).catch((error: Error & { code?: string }) => error.code),
    /** Waits until the cache has refreshed keys in the background. */
    waitForRefresh: () => new Promise((resolve) => setImmediate(resolve)),
    pass: (seconds: number) => void (now += seconds * 1000),
    setAnswer: (next: KeyServiceFailure | 'unwraps') => void (answer = next),
    asked: () => asked,
    /** Delays responses of the key service from now on until the returned function is called. */
    hold: () => {
      const released = createOneTimeSignal();
      held = released.happened;
      return () => {
        held = undefined;
        released.happen();
      };
    },
  };
}

describe('UnwrappedKeyCache', () => {
  it('unwraps a key once for concurrent callers', async () => {
    const { get, asked } = buildCache();
    assert.deepEqual(await Promise.all([get(), get(), get()]), [1, 1, 1]);
    assert.equal(asked(), 1);
  });

  it('returns a cached key until 80 % of its lifetime, then refreshes it in the background, and waits for the refresh at its end', async () => {
    const { get, pass, waitForRefresh, asked } = buildCache();
    await get();
    pass(239);
    assert.equal(await get(), 1);
    assert.equal(asked(), 1);
    pass(1);
    assert.equal(await get(), 1);
    await waitForRefresh();
    assert.equal(await get(), 2);
    pass(KEEP_SECONDS);
    assert.equal(await get(), 3);
  });

  it('drops a key at once if it is refused', async () => {
    const { get, pass, setAnswer, waitForRefresh } = buildCache();
    await get();
    setAnswer('refused');
    pass(240);
    assert.equal(await get(), 1);
    await waitForRefresh();
    assert.equal(await get(), 'key_unavailable');
  });

  it('keeps a key for an hour if the service does not respond, without blocking callers', async () => {
    const { get, pass, setAnswer, waitForRefresh, asked } = buildCache();
    await get();
    setAnswer('unreachable');
    pass(240);
    await get();
    await waitForRefresh();
    pass(3359);
    assert.equal(await get(), 1);
    await waitForRefresh();
    const before = asked();
    pass(1);
    assert.equal(await get(), 'key_unavailable');
    assert.equal(asked(), before);
  });

  it('drops a key that is refused after an outage', async () => {
    const { get, pass, setAnswer, waitForRefresh } = buildCache();
    await get();
    setAnswer('unreachable');
    pass(600);
    assert.equal(await get(), 1);
    setAnswer('refused');
    pass(5);
    assert.equal(await get(), 1);
    await waitForRefresh();
    assert.equal(await get(), 'key_unavailable');
  });

  it('does not call the service again within five seconds of a failure, and returns the key once it is available', async () => {
    const { get, pass, setAnswer, asked } = buildCache();
    setAnswer('refused');
    assert.deepEqual([await get(), await get()], ['key_unavailable', 'key_unavailable']);
    assert.equal(asked(), 1);
    setAnswer('unwraps');
    pass(4.999);
    assert.equal(await get(), 'key_unavailable');
    pass(0.001);
    assert.equal(await get(), 2);
  });

  it('does not cache a key that is dropped while it is being unwrapped: later callers unwrap it again', async () => {
    const { kept, get, hold, asked } = buildCache();
    const release = hold();
    const former = get();
    kept.forget(ORG);
    const present = get();
    release();
    assert.deepEqual(await Promise.all([former, present]), [1, 2]);
    assert.deepEqual([kept.peek(ORG), asked()], [2, 2]);
  });

  it('requests again a key that is dropped while it is being refused', async () => {
    const { kept, get, hold, setAnswer, waitForRefresh } = buildCache();
    const release = hold();
    const former = get();
    kept.forget(ORG);
    setAnswer('refused');
    release();
    assert.equal(await former, 'key_unavailable');
    await waitForRefresh();
    setAnswer('unwraps');
    assert.equal(await get(), 2);
  });

  it('throws an error with a Retry-After of five seconds if the key service cannot be reached', async () => {
    const { kept, setAnswer } = buildCache();
    setAnswer('unreachable');
    const error = await kept.get(ORG).catch((reason: unknown) => reason);
    assert.deepEqual((error as { headers: object }).headers, { 'Retry-After': '5' });
  });

  it('does not extend the lifetime of a key that is read again', async () => {
    const { kept, get, pass } = buildCache();
    await get();
    pass(200);
    assert.equal(await kept.reread(ORG), 1);
    pass(100);
    assert.equal(await get(), 3);
  });
});

import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { decodeInTurn } from '../../../adapters/images/image-turns.ts';

describe('decodeInTurn', () => {
  const { signal } = new AbortController();

  it('decodes the image of a sender without use before the images of another sender', async () => {
    const log: string[] = [];
    const decode = (id: string, milliseconds: number): Promise<void> =>
      decodeInTurn({ id, signal }, async () => {
        await setTimeout(milliseconds);
        log.push(id);
      });
    const costly = Array.from({ length: 8 }, () => decode('costly', 30));
    await Promise.all([...costly, decode('honest', 1)]);
    assert.ok(log.indexOf('honest') <= 2, log.join(' '));
  });

  it('decodes at most two images at once, and refuses images of a sender with too many waiting ones', async () => {
    let running = 0;
    let maxRunning = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, () =>
        decodeInTurn({ id: 'many', signal }, async () => {
          running += 1;
          maxRunning = Math.max(maxRunning, running);
          await setTimeout(1);
          running -= 1;
        }),
      ),
    );
    assert.ok(maxRunning >= 1 && maxRunning <= 2);
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    );
    assert.ok(reasons.length >= 34, String(reasons.length));
    assert.deepEqual(new Set(reasons), new Set(['rate_limited']));
  });
});

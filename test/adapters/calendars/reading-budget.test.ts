import assert from 'node:assert/strict';
import { ReadingBudget } from '../../../adapters/calendars/caldav/bounded-expansion.ts';
import { UnreadableEvent } from '../../../adapters/calendars/caldav/events/expand-events.ts';

describe('ReadingBudget', () => {
  /** Starts reading an endless calendar event, and returns the milliseconds after which it was interrupted. */
  async function interruptEndless(payerId: string): Promise<number> {
    const budget = new ReadingBudget(payerId);
    await budget.waitForTurn();
    const startedAt = performance.now();
    const endless = budget.run(() => {
      for (;;);
    });
    await assert.rejects(endless, UnreadableEvent);
    return performance.now() - startedAt;
  }

  it('run interrupts a payer’s second endless event sooner than its first, and no sooner for another payer', async () => {
    const firstMs = await interruptEndless('first');
    const secondMs = await interruptEndless('first');
    assert.ok(firstMs >= 490 && secondMs >= 49, `${firstMs} ms, ${secondMs} ms`);
    assert.ok(secondMs < firstMs / 2, `${firstMs} ms, ${secondMs} ms`);
    assert.ok((await interruptEndless('other')) >= 490);
  });

  it('run does not shorten the limit for a payer whose events fail without reaching it', async () => {
    const damaged = new ReadingBudget('damaged').run(() => {
      throw new Error('The event has no start.');
    });
    await assert.rejects(damaged, UnreadableEvent);
    assert.ok((await interruptEndless('damaged')) >= 490);
  });
});

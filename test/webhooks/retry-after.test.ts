import assert from 'node:assert/strict';
import { useWebhooks } from './suite.ts';

/** Shortest and longest pause in milliseconds before the first retry, which varies at random. */
const USUAL: [number, number] = [5000, 5500];

describe('the Retry-After header of a response', () => {
  const suite = useWebhooks();
  const dateIn = (ms: number) => new Date(Date.now() + ms).toUTCString();
  const exactly = (ms: number): [number, number] => [ms, ms];

  const cases: [status: number, header: () => string, pauseMs: [number, number]][] = [
    [503, () => '120', exactly(120_000)],
    [429, () => dateIn(600_000), [598_000, 600_000]],
    [500, () => '120', USUAL],
    [408, () => '120', USUAL],
  ];
  for (const [status, header, [leastMs, mostMs]] of cases) {
    it(`of ${status} with "${header()}" delays the retry by ${leastMs / 1000} to ${mostMs / 1000} s`, async () => {
      let answeredAt = 0;
      const { url } = await suite.receiver((response) => {
        answeredAt = Date.now();
        response.writeHead(status, { 'retry-after': header() }).end();
      });
      const delivery = await suite.attemptAt(url);
      const recordedAt = (await suite.endpoint(delivery.webhookId)).lastFailureAt!;
      const pauseMs = delivery.dueAt.getTime() - recordedAt.getTime();
      assert.equal(delivery.status, 'retrying');
      // Subtract the delay: with a date in the header, the pause is shorter if the response is recorded late.
      const lateMs = Number.isNaN(Date.parse(header())) ? 0 : recordedAt.getTime() - answeredAt;
      assert.ok(pauseMs >= leastMs - lateMs - 1 && pauseMs <= mostMs + 1, `${pauseMs} ms`);
    });
  }

  it('does not cause a retry after a final response', async () => {
    const { url } = await suite.receiver((response) => response.writeHead(404, { 'retry-after': '1' }).end());
    assert.equal((await suite.attemptAt(url)).status, 'failed');
  });

  it('does not lengthen a schedule without retries', async () => {
    const { url } = await suite.receiver((response) => response.writeHead(503, { 'retry-after': '1' }).end());
    const { status, attempts } = await suite.attemptAt(url, { webhookRetrySchedule: 'none' });
    assert.deepEqual([status, attempts], ['failed', 1]);
  });
});

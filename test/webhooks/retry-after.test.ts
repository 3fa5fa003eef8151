import assert from 'node:assert/strict';
import { useWebhooks } from './suite.ts';

const DAY_MS = 86_400_000;
/** The first pause with its jitter. */
const USUAL: [number, number] = [5000, 5500];

describe('Retry-After of an answer', () => {
  const suite = useWebhooks();
  const inMs = (ms: number) => new Date(Date.now() + ms).toUTCString();
  const exactly = (ms: number): [number, number] => [ms, ms];

  const cases: [status: number, header: () => string, pauseMs: [number, number]][] = [
    [503, () => '120', exactly(120_000)],
    [429, () => '120', exactly(120_000)],
    [503, () => '60.25', exactly(60_250)],
    [429, () => inMs(600_000), [598_000, 600_000]],
    [503, () => '1', USUAL],
    [503, () => inMs(-600_000), USUAL],
    [503, () => 'after lunch', USUAL],
    [503, () => '', USUAL],
    [429, () => '90000', exactly(DAY_MS)],
    [429, () => '99999999999999999999', exactly(DAY_MS)],
    [503, () => inMs(40 * DAY_MS), exactly(DAY_MS)],
    [500, () => '120', USUAL],
    [502, () => '120', USUAL],
    [408, () => '120', USUAL],
  ];
  for (const [status, header, [leastMs, mostMs]] of cases) {
    it(`${status} with "${header()}" is tried again in ${leastMs / 1000} to ${mostMs / 1000} s`, async () => {
      let answeredAt = 0;
      const { url } = await suite.receiver((response) => {
        answeredAt = Date.now();
        response.writeHead(status, { 'retry-after': header() }).end();
      });
      const delivery = await suite.attemptAt(url);
      const recordedAt = (await suite.endpoint(delivery.webhookId)).lastFailureAt!;
      const pauseMs = delivery.dueAt.getTime() - recordedAt.getTime();
      assert.equal(delivery.status, 'retrying');
      // What is told as a time comes no later when the answer is read late.
      const lateMs = Number.isNaN(Date.parse(header())) ? 0 : recordedAt.getTime() - answeredAt;
      assert.ok(pauseMs >= leastMs - lateMs - 1 && pauseMs <= mostMs + 1, `${pauseMs} ms`);
    });
  }

  it('does not make an answer be tried again that is final', async () => {
    const { url } = await suite.receiver((response) => response.writeHead(404, { 'retry-after': '1' }).end());
    assert.equal((await suite.attemptAt(url)).status, 'failed');
  });

  for (const [schedule, status] of [
    ['none', 'failed'],
    ['60', 'retrying'],
  ] as const) {
    it(`does not lengthen the schedule "${schedule}"`, async () => {
      const { url } = await suite.receiver((response) =>
        response.writeHead(503, { 'retry-after': '1' }).end(),
      );
      const delivery = await suite.attemptAt(url, { webhookRetrySchedule: schedule });
      assert.deepEqual([delivery.status, delivery.attempts], [status, 1]);
    });
  }
});

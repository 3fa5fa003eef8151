import assert from 'node:assert/strict';
import { ModelPauses } from '../../services/knowledge/search/model-pauses.ts';

const STEP_MS = 50;
const HOUR_MS = 3_600_000;

describe('ModelPauses', () => {
  /**
   * Simulates an hour of calls to an embedding model. One payer calls an endpoint that refuses every call,
   * unless Parley has paused this payer. Another payer embeds a text every ten seconds, unless paused.
   * @returns number of refused calls, and the share of the time in which each payer was paused
   */
  function runHour(embedsBetween: boolean) {
    let now = 1000;
    const pauses = new ModelPauses(() => now);
    let calls = 0;
    let attackerMs = 0;
    let victimMs = 0;
    for (; now < HOUR_MS; now += STEP_MS) {
      if (pauses.isPaused('victim')) victimMs += STEP_MS;
      else if (now % 10_000 === 0) pauses.end('victim');
      if (pauses.isPaused('attacker')) {
        attackerMs += STEP_MS;
        continue;
      }
      calls += 1;
      if (embedsBetween) pauses.end('attacker');
      pauses.pauseForAll('attacker');
    }
    return { calls, attacker: attackerMs / HOUR_MS, victim: victimMs / HOUR_MS };
  }

  for (const embedsBetween of [false, true])
    it(`pauseForAll charges the payer whose calls the endpoint refuses${embedsBetween ? ', although it accepts some of them' : ''}`, () => {
      const { calls, attacker, victim } = runHour(embedsBetween);
      assert.ok(calls < 130, `the endpoint got ${calls} calls`);
      assert.ok(attacker > 0.99, `the attacker was paused for ${attacker} of the time`);
      assert.ok(victim < 0.02, `the other payer was paused for ${victim} of the time`);
    });

  it('pauseForAll pauses all payers briefly, and a payer again as briefly after half a minute without a failure', () => {
    let now = 1000;
    const pauses = new ModelPauses(() => now);
    const isPausedAfter = (ms: number) => {
      now += ms;
      return [pauses.isPaused('payer'), pauses.isPaused('other')];
    };
    pauses.pauseForAll('payer');
    assert.deepEqual(
      [isPausedAfter(499), isPausedAfter(1)],
      [
        [true, true],
        [false, false],
      ],
    );
    pauses.pauseForAll('payer');
    assert.deepEqual(
      [isPausedAfter(500), isPausedAfter(500)],
      [
        [true, false],
        [false, false],
      ],
    );
    now += 30_001;
    pauses.pauseForAll('payer');
    assert.deepEqual(isPausedAfter(500), [false, false]);
  });

  it('pauseForAll pauses a payer briefly after 20 calls without a failure, and not after 19', () => {
    for (const [calls, isPaused] of [
      [19, true],
      [20, false],
    ] as const) {
      let now = 1000;
      const pauses = new ModelPauses(() => now);
      for (let failures = 0; failures < 4; failures += 1) {
        pauses.pauseForAll('payer');
        now += 5000;
      }
      for (let call = 0; call < calls; call += 1) pauses.end('payer');
      pauses.pauseForAll('payer');
      now += 600;
      assert.equal(pauses.isPaused('payer'), isPaused, `${calls} calls`);
    }
  });

  it('pauseFor pauses one payer, until the model embeds a text of the payer', () => {
    const pauses = new ModelPauses(() => 1000);
    pauses.pauseFor('payer');
    assert.deepEqual([pauses.isPaused('payer'), pauses.isPaused('other')], [true, false]);
    pauses.end('payer');
    assert.equal(pauses.isPaused('payer'), false);
  });
});

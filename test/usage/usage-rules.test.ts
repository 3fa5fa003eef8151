import assert from 'node:assert/strict';
import { toDayRange } from '../../core/day-range.ts';
import { AppError } from '../../core/errors/errors.ts';
import { toMonthRange } from '../../core/months.ts';
import {
  toAdmission,
  countRemainingAllowance,
  countRemainingMessages,
} from '../../services/usage/message-allowance.ts';
import { toAnswerUsage, toTurnUsage } from '../../services/usage/turn-usage.ts';
import { listDays, MAX_SERIES_DAYS, resolveMonth } from '../../services/usage/usage-ranges.ts';

const of = { orgId: 'workspace', botId: 'bot', day: '2026-03-31' };
const NOTHING = { messages: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
const answer = {
  ...of,
  day: '2026-04-01',
  turnDay: '2026-03-31',
  model: 'a',
  inputTokens: 30,
  outputTokens: 4,
  costUsd: 0.5,
};

describe('rules of usage:', () => {
  it('toTurnUsage creates one delta for all turns of a bot and day', () => {
    assert.deepEqual(toTurnUsage([of, { ...of, botId: 'other' }, of]), [
      { ...of, ...NOTHING, model: null, messages: 2 },
      { ...of, ...NOTHING, botId: 'other', model: null, messages: 1 },
    ]);
  });

  it('toAnswerUsage assigns a turn to its model on the turn’s own day, and counts tokens on the day of the answer', () => {
    assert.deepEqual(toAnswerUsage([answer]), [
      { ...of, ...NOTHING, model: null, messages: -1 },
      { ...of, ...NOTHING, model: 'a', messages: 1 },
      {
        ...of,
        day: '2026-04-01',
        model: 'a',
        messages: 0,
        inputTokens: 30,
        outputTokens: 4,
        costUsd: 0.5,
      },
    ]);
  });

  it('toAnswerUsage does not change turns without a model, and adds no empty delta', () => {
    const silent = { ...answer, model: null, inputTokens: null, outputTokens: null, costUsd: null };
    assert.deepEqual(toAnswerUsage([silent]), []);
    assert.deepEqual(toAnswerUsage([{ ...silent, inputTokens: 3 }]), [
      { ...of, ...NOTHING, day: '2026-04-01', model: null, inputTokens: 3 },
    ]);
    assert.deepEqual(toAnswerUsage([{ ...answer, turnDay: null }]).length, 1);
  });

  const cases: [title: string, limit: number, used: number, credits: number, left: number, taken: number][] =
    [
      ['of the month first', 10, 4, 5, 11, 0],
      ['of top-ups next', 10, 9, 5, 6, 2],
      ['of top-ups alone if more was used than the plan has', 10, 40, 5, 5, 3],
      ['of neither if no message is left', 10, 10, 0, 0, 3],
    ];
  for (const [title, limit, used, creditsLeft, left, credits] of cases)
    it(`toAdmission takes messages ${title}`, () => {
      const allowance = { limit, used, creditsLeft };
      assert.deepEqual(
        [countRemainingMessages(allowance), countRemainingAllowance(allowance)],
        [left, Math.max(0, limit - used)],
      );
      const asked = { payerId: 'payer', day: '2026-03-31', messages: 3 };
      assert.deepEqual(toAdmission(allowance, asked), { ...asked, credits });
    });

  it('toMonthRange and resolveMonth parse months', () => {
    assert.deepEqual(toMonthRange('2026-12-31'), { from: '2026-12-01', to: '2027-01-01' });
    assert.deepEqual(resolveMonth('2024-02', '2026-03-31'), {
      from: '2024-02-01',
      to: '2024-03-01',
    });
    assert.deepEqual(resolveMonth(undefined, '2026-03-31'), {
      from: '2026-03-01',
      to: '2026-04-01',
    });
    assert.throws(() => resolveMonth('1999-12', '2026-03-31'), AppError);
  });

  it('toDayRange and listDays parse ranges of days', () => {
    assert.deepEqual(toDayRange({}, '2026-03-31', MAX_SERIES_DAYS), { from: '2026-03-02', to: '2026-04-01' });
    assert.deepEqual(toDayRange({ to: '2000-01-15' }, '2026-03-31', MAX_SERIES_DAYS), {
      from: '2000-01-01',
      to: '2000-01-16',
    });
    assert.deepEqual(toDayRange({ from: '2026-04-05' }, '2026-03-31', MAX_SERIES_DAYS), {
      from: '2026-04-05',
      to: '2026-04-06',
    });
    assert.deepEqual(listDays({ from: '2024-02-28', to: '2024-03-01' }), ['2024-02-28', '2024-02-29']);
  });
});

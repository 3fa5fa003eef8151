import assert from 'node:assert/strict';
import type { UsageDay } from '../../console/client/types.ts';
import { getPlanRole } from '../../console/usage/limit-uses.ts';
import { toUsageSeries } from '../../console/usage/usage-series.ts';

const [FIRST, SECOND, THIRD] = [
  '00000000-0000-7000-8000-000000aaaaaa',
  '00000000-0000-7000-8000-000000bbbbbb',
  'c',
];
const DAY = '2026-03-01';

const row = (changes: Partial<UsageDay>): UsageDay => ({
  date: DAY,
  bot_id: null,
  model: null,
  messages: 1,
  input_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
  ...changes,
});

function buildSeries(rows: UsageDay[], groupBy: 'bot' | 'model', names: [string, string][] = []) {
  const options = { measure: 'messages', groupBy, from: DAY, to: DAY, names: new Map(names) } as const;
  return toUsageSeries(rows, options).series.map(({ name, values }) => [name, ...values]);
}

describe('daily usage as series', () => {
  it('distinguishes bots with the same name by the ends of their ids', () => {
    const rows = [
      row({ bot_id: FIRST, messages: 5 }),
      row({ bot_id: SECOND, messages: 3 }),
      row({ bot_id: THIRD }),
    ];
    assert.deepEqual(
      buildSeries(rows, 'bot', [
        [FIRST, 'Guide'],
        [SECOND, 'Guide'],
        [THIRD, 'Other'],
      ]),
      [
        ['Guide …aaaaaa', 5],
        ['Guide …bbbbbb', 3],
        ['Other', 1],
      ],
    );
  });

  it('separates usage without a bot from bots of any name', () => {
    const rows = [row({ bot_id: FIRST, messages: 5 }), row({ messages: 3 })];
    assert.deepEqual(buildSeries(rows, 'bot', [[FIRST, 'No bot']]), [
      ['No bot …aaaaaa', 5],
      ['No bot', 3],
    ]);
  });

  it('adds up usage by model, including usage without a model', () => {
    const rows = [row({ model: 'gpt-4o-mini', messages: 2 }), row({}), row({ model: 'gpt-4o-mini' })];
    assert.deepEqual(buildSeries(rows, 'model'), [
      ['gpt-4o-mini', 3],
      ['No model', 1],
    ]);
  });
});

describe('the limits shown with usage:', () => {
  const open = { messages_per_month: null, documents: null, bots: null, seats: null, alerts_per_month: null };
  const cases = [
    [open, null, 'unlimited'],
    [{ ...open, messages_per_month: 200 }, 0, 'payer'],
    [{ ...open, messages_per_month: 200 }, null, 'sharer'],
    [{ ...open, bots: 3 }, null, 'sharer'],
  ] as const;
  for (const [limits, credits, expected] of cases)
    it(`getUsage shows ${JSON.stringify(limits)} with top-ups of ${credits} as ${expected}`, () =>
      assert.equal(getPlanRole({ limits, topup_credits_left: credits }), expected));
});

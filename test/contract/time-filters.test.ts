import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';

const LATER: Record<string, string> = { date: '2026-09-04', 'date-time': '2026-09-04T00:00:00Z' };
const EARLIER: Record<string, string> = { date: '2026-09-03', 'date-time': '2026-09-03T00:00:00Z' };

function getProperties(query: TSchema | undefined): Record<string, TSchema> {
  return (query?.['properties'] ?? {}) as Record<string, TSchema>;
}

const hasTimeFilter = ({ query }: Operation): boolean => {
  const { from, to } = getProperties(query);
  return from !== undefined && to !== undefined;
};

describe('operations that filter by time', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  for (const { id, path, query } of operations.filter(hasTimeFilter))
    it(`${id} names the field if to is before from`, async () => {
      const { bot, client } = await buildActiveBot(parley);
      await client.patch('/api/calendar/settings', {});
      const { format } = getProperties(query)['from']!;
      const range = new URLSearchParams({ from: LATER[format]!, to: EARLIER[format]! });
      const { status, problem } = await client.get(
        `${path.replace('{public_key}', bot.public_key)}?${range.toString()}`,
      );
      assert.equal(status, 422);
      const [detail, ...others] = problem.details;
      assert.deepEqual(others, []);
      assert.match(`${detail!.field} ${detail!.message}`, /^(from must .*\bto|to must .*\bfrom)$/);
    });
});

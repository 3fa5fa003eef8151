import { startOfHour, HOUR_MS } from '../../core/hours.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';

export interface CountedRange {
  /** Bot whose events are counted; null for the whole workspace. */
  botId: string | null;
  names: readonly string[];
  /** Start of the range in which events are counted. The hour that contains it is counted as a whole. */
  from: Date;
  to: Date;
}

/** Number of occurrences of an event in a range, and in the later part of that range. */
export interface CountedTotal {
  botId: string | null;
  name: string;
  total: number;
  recent: number;
}

/** Reads the hourly counts of a workspace's events. */
export class EventCountRepository {
  readonly #counts = new ScopedRepository(EventCount, 'count');

  /** Returns the number of a workspace's events by hour and name. */
  listHours(
    scope: OrgScope,
    { names, ...range }: CountedRange,
  ): Promise<{ hour: Date; name: string; count: number }[]> {
    return this.#queryRange(scope, range)
      .andWhere('row.name = ANY(:names)', { names })
      .select('row.hour', 'hour')
      .addSelect('row.name', 'name')
      .addSelect('sum(row.count)::int', 'count')
      .groupBy('row.hour')
      .addGroupBy('row.name')
      .getRawMany();
  }

  /**
   * Returns the number of all events of a workspace by bot and name, from one snapshot.
   * @param since start of the later part of the range
   */
  listTotals(
    scope: OrgScope,
    { since, ...range }: Omit<CountedRange, 'names'> & { since: Date },
  ): Promise<CountedTotal[]> {
    return this.#queryRange(scope, range)
      .select('row.botId', 'botId')
      .addSelect('row.name', 'name')
      .addSelect('sum(row.count)::int', 'total')
      .addSelect('coalesce(sum(row.count) FILTER (WHERE row.hour >= :since), 0)::int', 'recent')
      .setParameter('since', startOfHour(since))
      .groupBy('row.botId')
      .addGroupBy('row.name')
      .getRawMany();
  }

  /**
   * Builds a query on the range of event counts that lists each hour, since the index begins with the hour.
   */
  #queryRange(scope: OrgScope, { botId, from, to }: Omit<CountedRange, 'names'>) {
    const counts = this.#counts
      .query(scope)
      .andWhere('row.hour = ANY(:hours)', { hours: listHoursBetween(from, to) });
    return botId === null ? counts : counts.andWhere('row.botId = :botId', { botId });
  }
}

function listHoursBetween(from: Date, to: Date): Date[] {
  const first = Math.floor(from.getTime() / HOUR_MS) * HOUR_MS;
  const count = Math.max(0, Math.floor((to.getTime() - first) / HOUR_MS) + 1);
  return Array.from({ length: count }, (_hour, index) => new Date(first + index * HOUR_MS));
}

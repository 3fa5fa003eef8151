import { In } from 'typeorm';
import { newId } from '../../core/ids.ts';
import type { DayRange } from '../../core/months.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { FOLD_USAGE_DELTAS } from './usage-delta.sql.ts';
import {
  TODAY,
  USED,
  USED_BY_DAY,
  USED_BY_HIERARCHY,
  type UsageFigures,
  type UsageRow,
} from './usage.sql.ts';

export interface SeriesOptions extends DayRange {
  botId: string | null;
  groupBy: 'bot' | 'model' | null;
  limit: number;
}

type NewDelta = Partial<UsageFigures> & Pick<UsageDelta, 'botId' | 'model'> & { day?: string };

/** What is used: sums of days and of deltas that are not folded yet. */
export class UsageRepository {
  /** @param delta of today, unless it names its day */
  async insert({ db, orgId }: OrgScope, { day, ...delta }: NewDelta): Promise<void> {
    const row = { ...delta, orgId, id: newId(), day: day ?? (() => "(now() AT TIME ZONE 'UTC')::date") };
    await db.repository(UsageDelta).createQueryBuilder().insert().values(row).execute();
  }

  async sum(db: Database, orgIds: readonly string[], { from, to }: DayRange): Promise<UsageFigures> {
    const [sums] = await db.run(USED, [orgIds, from, to]);
    return sums!;
  }

  async sumOfHierarchy(db: Database, payerId: string, { from, to }: DayRange): Promise<UsageFigures> {
    const [sums] = await db.run(USED_BY_HIERARCHY, [payerId, from, to]);
    return sums!;
  }

  /** The day (UTC) that it is for the database. */
  async today(db: Database): Promise<string> {
    const [row] = await db.run(TODAY);
    return row!.day;
  }

  /** Whether a bot has used anything in one of the workspaces. */
  async hasBot(db: Database, orgIds: readonly string[], botId: string): Promise<boolean> {
    const where = { orgId: In(orgIds), botId };
    return (
      (await db.repository(UsageDay).existsBy(where)) || (await db.repository(UsageDelta).existsBy(where))
    );
  }

  /** Days with anything, one by one. */
  listDays(db: Database, orgIds: readonly string[], options: SeriesOptions): Promise<UsageRow[]> {
    const { from, to, botId, groupBy, limit } = options;
    return db.run(USED_BY_DAY, [orgIds, from, to, botId, groupBy === 'bot', groupBy === 'model', limit]);
  }

  /** Returns how many deltas there were among the next ones, `limit` at most. */
  async fold(database: Database, limit: number): Promise<number> {
    const [row] = await database.run(FOLD_USAGE_DELTAS, [limit]);
    return row!.folded;
  }
}

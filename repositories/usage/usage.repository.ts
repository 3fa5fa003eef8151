import { In } from 'typeorm';
import type { DayRange } from '../../core/months.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { FOLD_USAGE_DELTAS, INSERT_USAGE, DELTA_COLUMNS, type NewUsage } from './usage-delta.sql.ts';
import {
  TODAY,
  SUM_USAGE,
  LIST_USAGE_BY_BOT_AND_DAY,
  LIST_USAGE_BY_DAY,
  type UsageFigures,
  type UsageRow,
  type UsageScope,
} from './usage.sql.ts';

export interface SeriesOptions extends DayRange {
  botId: string | null;
  groupBy: 'bot' | 'model' | null;
  limit: number;
}

/** Reads the usage of models: sums by day, plus deltas that are not rolled up yet. */
export class UsageRepository {
  async insert({ db, orgId }: OrgScope, used: Omit<NewUsage, 'orgId'>): Promise<void> {
    const delta = { ...used, orgId };
    await db.run(
      INSERT_USAGE,
      DELTA_COLUMNS.map((key) => [delta[key]]),
    );
  }

  async sum(db: Database, { payerId, orgIds }: UsageScope, { from, to }: DayRange): Promise<UsageFigures> {
    const [sums] = await db.run(SUM_USAGE, [payerId, orgIds, from, to]);
    return sums!;
  }

  /** Sums the usage of all workspaces that the payer pays for. */
  sumForPayer(db: Database, payerId: string, range: DayRange): Promise<UsageFigures> {
    return this.sum(db, { payerId, orgIds: null }, range);
  }

  /** Returns the current date (UTC) by the database's clock. */
  async getToday(db: Database): Promise<string> {
    const [row] = await db.run(TODAY);
    return row!.day;
  }

  /** Returns whether any usage of the bot is stored. */
  async hasBot(db: Database, { payerId, orgIds }: UsageScope, botId: string): Promise<boolean> {
    const where = { payerId, botId, ...(orgIds && { orgId: In(orgIds) }) };
    // Read deltas before days: a delta that is rolled up between the two queries is then found by the second
    // query.
    return (
      (await db.repository(UsageDelta).existsBy(where)) || (await db.repository(UsageDay).existsBy(where))
    );
  }

  /** Lists the usage of models by day, without days that have no usage. */
  listDays(db: Database, { payerId, orgIds }: UsageScope, options: SeriesOptions): Promise<UsageRow[]> {
    const { from, to, botId, groupBy, limit } = options;
    const [isByBot, isByModel] = [groupBy === 'bot', groupBy === 'model'];
    const within = [payerId, orgIds, from, to];
    return botId === null && !isByBot
      ? db.run(LIST_USAGE_BY_DAY, [...within, isByModel, limit])
      : db.run(LIST_USAGE_BY_BOT_AND_DAY, [...within, botId, isByBot, isByModel, limit]);
  }

  /** Rolls up at most `limit` usage deltas into sums by day. Returns how many were rolled up. */
  async fold(database: Database, limit: number): Promise<number> {
    const [row] = await database.run(FOLD_USAGE_DELTAS, [limit]);
    return row!.folded;
  }
}

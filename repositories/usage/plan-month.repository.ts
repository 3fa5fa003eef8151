import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { PlanMonth } from '../../entities/usage/plan-month.entity.ts';

/** Messages of hierarchies whose plans limit them. */
export class PlanMonthRepository {
  isCounted(db: Database, payerId: string, month: string): Promise<boolean> {
    return db.repository(PlanMonth).existsBy({ payerId, month });
  }

  async insert(db: Database, month: Pick<PlanMonth, 'payerId' | 'month' | 'messages'>): Promise<void> {
    await insertOrIgnore(db.repository(PlanMonth), month);
  }
}

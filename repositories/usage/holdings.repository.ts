import { IsNull } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { HOLDINGS, holdingKinds, type HoldingKind, type Holdings } from './holdings.sql.ts';

/** Counts resources that a plan limits. */
export class HoldingsRepository {
  async count(db: Database, orgIds: readonly string[]): Promise<Holdings> {
    const [holdings] = await db.run(HOLDINGS, [orgIds, holdingKinds]);
    return holdings as Holdings;
  }

  /** Counts one kind in all workspaces of a payer. */
  async countPaidFor(db: Database, payerId: string, kind: HoldingKind): Promise<number> {
    const [holdings] = await db.run(HOLDINGS, [await this.listPaidFor(db, payerId), [kind]]);
    return holdings![kind] ?? 0;
  }

  /** Lists the workspaces of a payer. */
  async listPaidFor(db: Database, payerId: string): Promise<string[]> {
    const where = { payerId, deletedAt: IsNull() };
    const orgs = await db.repository(Org).find({ where, select: { id: true } });
    return orgs.map(({ id }) => id);
  }
}

import { IsNull } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { HOLDINGS, holdingKinds, type HoldingKind, type Holdings } from './holdings.sql.ts';

/** What workspaces have that plans limit. */
export class HoldingsRepository {
  async count(db: Database, orgIds: readonly string[]): Promise<Holdings> {
    const [holdings] = await db.run(HOLDINGS, [orgIds, holdingKinds]);
    return holdings as Holdings;
  }

  /** Of one kind, by all that a payer pays for. */
  async countPaidFor(db: Database, payerId: string, kind: HoldingKind): Promise<number> {
    const [holdings] = await db.run(HOLDINGS, [await this.listPaidFor(db, payerId), [kind]]);
    return holdings![kind] ?? 0;
  }

  /** All workspaces that a payer pays for. */
  async listPaidFor(db: Database, payerId: string): Promise<string[]> {
    const where = { payerId, deletedAt: IsNull() };
    const orgs = await db.repository(Org).find({ where, select: { id: true } });
    return orgs.map(({ id }) => id);
  }
}

import { IsNull } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { COUNT_QUOTAS, quotaKinds, type QuotaKind, type QuotaCounts } from './quota-usage.sql.ts';

/** Counts the resources that plans limit. */
export class QuotaUsageRepository {
  async count(db: Database, orgIds: readonly string[]): Promise<QuotaCounts> {
    const [quotaUsage] = await db.run(COUNT_QUOTAS, [orgIds, quotaKinds]);
    return quotaUsage as QuotaCounts;
  }

  /** Counts the resources of one kind, such as bots, in all workspaces of a payer. */
  async countForPayer(db: Database, payerId: string, kind: QuotaKind): Promise<number> {
    const [quotaUsage] = await db.run(COUNT_QUOTAS, [await this.listPaidOrgIds(db, payerId), [kind]]);
    return quotaUsage![kind] ?? 0;
  }

  /** Lists the ids of a payer's workspaces that are not deleted. */
  async listPaidOrgIds(db: Database, payerId: string): Promise<string[]> {
    const where = { payerId, deletedAt: IsNull() };
    const orgs = await db.repository(Org).find({ where, select: { id: true } });
    return orgs.map(({ id }) => id);
  }
}

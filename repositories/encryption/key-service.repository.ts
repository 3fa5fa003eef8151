import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { KeyServiceRow } from '../../entities/encryption/key-service.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

export class KeyServiceRepository {
  find({ db, orgId }: OrgScope): Promise<KeyServiceRow | null> {
    return db.repository(KeyServiceRow).findOneBy({ orgId });
  }

  /** Lists the workspaces that use their own key service, sorted by id. Skips deleted workspaces. */
  async listOrgIds(db: Database, after: string | null, limit: number): Promise<string[]> {
    const query = db
      .repository(KeyServiceRow)
      .createQueryBuilder('service')
      .select('service.orgId')
      .innerJoin(Org, 'org', 'org.id = service.orgId AND org.deletedAt IS NULL')
      .orderBy('service.orgId')
      .limit(limit);
    if (after !== null) query.where('service.orgId > :after', { after });
    return (await query.getMany()).map(({ orgId }) => orgId);
  }

  async save(
    { db, orgId }: OrgScope,
    row: Pick<KeyServiceRow, 'config' | 'sealedCredentials'>,
  ): Promise<void> {
    const next = { ...row, orgId, updatedAt: () => 'now()' };
    await db.repository(KeyServiceRow).upsert(next, { conflictPaths: ['orgId'] });
  }

  async delete({ db, orgId }: OrgScope): Promise<void> {
    await db.repository(KeyServiceRow).delete({ orgId });
  }
}

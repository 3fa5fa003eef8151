import type { OrgScope } from '../../database/org-scope.ts';
import { KeyServiceRow } from '../../entities/encryption/key-service.entity.ts';

export class KeyServiceRepository {
  find({ db, orgId }: OrgScope): Promise<KeyServiceRow | null> {
    return db.repository(KeyServiceRow).findOneBy({ orgId });
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

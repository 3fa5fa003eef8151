import { ApiKey } from '../../entities/team/api-key.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** The keys of a workspace, as its admins see them; those that were revoked are gone. */
export class IssuedKeyRepository extends ScopedRepository<ApiKey> {
  constructor() {
    super(ApiKey, 'API key');
  }

  /** Newest first. */
  list(scope: OrgScope): Promise<ApiKey[]> {
    return this.query(scope)
      .andWhere('row.revoked_at IS NULL')
      .orderBy({ 'row.created_at': 'DESC', 'row.id': 'DESC' })
      .getMany();
  }

  /** Locks the key until the transaction ends. @throws AppError `forbidden` for another workspace's, `not_found` */
  async getPresent(scope: OrgScope, id: string): Promise<ApiKey> {
    const key = await this.query(scope)
      .andWhere('row.id = :id AND row.revoked_at IS NULL', { id })
      .setLock('pessimistic_write')
      .getOne();
    return key ?? this.refuse(scope, id);
  }

  /** From now on it opens nothing. */
  async revoke(scope: OrgScope, id: string): Promise<void> {
    await this.update(scope, id, { revokedAt: () => 'now()' });
  }

  /** It has a successor, and opens nothing after that time, if it does so long. */
  async replaceIn({ db, orgId }: OrgScope, id: string, hours: number): Promise<void> {
    await db.sql(
      `UPDATE api_keys SET replaced_at = now(), expires_at = least(expires_at, now() + make_interval(hours => $3))
       WHERE id = $1 AND org_id = $2`,
      [id, orgId, hours],
    );
  }
}

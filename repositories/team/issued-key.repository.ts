import { IsNull } from 'typeorm';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { listNewestFirst } from '../../database/list-in-batches.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** Reads and changes the API keys of a workspace that are not revoked. */
export class IssuedKeyRepository extends ScopedRepository<ApiKey> {
  constructor() {
    super(ApiKey, 'API key');
  }

  /** Lists a workspace's API keys, newest first. */
  list(scope: OrgScope): Promise<ApiKey[]> {
    return listNewestFirst(() => this.query(scope).andWhere({ revokedAt: IsNull() }));
  }

  /**
   * Returns an API key and locks it until the transaction ends.
   * @throws AppError `forbidden` for a key of another workspace, `not_found`
   */
  async lockActive(scope: OrgScope, id: string): Promise<ApiKey> {
    const key = await this.query(scope)
      .andWhere({ id, revokedAt: IsNull() })
      .setLock('pessimistic_write')
      .getOne();
    return key ?? this.throwMissing(scope, id);
  }

  async markRevoked(scope: OrgScope, id: string): Promise<void> {
    await this.update(scope, id, { revokedAt: () => 'now()' });
  }

  /**
   * Marks an API key as replaced. The key expires after this number of hours, or at its own expiry if its
   * expiry is earlier.
   */
  async markReplaced(scope: OrgScope, id: string, hours: number): Promise<void> {
    await this.update(scope, id, {
      replacedAt: () => 'now()',
      expiresAt: () => `least(expiresAt, now() + make_interval(hours => ${hours}))`,
    });
  }
}

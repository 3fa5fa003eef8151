import type { SelectQueryBuilder } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository, type TenantRow } from '../../database/scoped.repository.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';

/**
 * A row of a log of calls with the current name of its API key; null if the key was deleted, or if the call
 * used no key.
 */
export type WithKeyName<T> = T & { key: Pick<ApiKey, 'name'> | null };

/** Reads a log of calls with API keys. Keys may have been deleted since. */
export class KeyLogRepository<T extends TenantRow & { apiKeyId: string | null }> extends ScopedRepository<T> {
  /** Returns whether the log contains a call with this API key. */
  hasKey(scope: OrgScope, apiKeyId: string): Promise<boolean> {
    return this.query(scope).andWhere({ apiKeyId }).getExists();
  }

  /** Returns a query for the log's rows with these values; undefined matches any. */
  protected queryNamed(
    scope: OrgScope,
    filter: { [K in keyof T]?: T[K] | undefined },
  ): SelectQueryBuilder<WithKeyName<T>> {
    const query = this.query(scope)
      .leftJoinAndMapOne('row.key', ApiKey, 'key', 'key.id = row.apiKeyId AND key.orgId = row.orgId')
      .select(['row', 'key.id', 'key.name']);
    for (const [property, value] of Object.entries(filter))
      if (value !== undefined) query.andWhere({ [property]: value });
    return query as SelectQueryBuilder<WithKeyName<T>>;
  }
}

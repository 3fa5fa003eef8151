import type { SelectQueryBuilder } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { LoggedRequest } from '../../entities/requests/logged-request.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { INSERT_LOGGED_REQUESTS, LOGGED_COLUMNS } from './request-log.sql.ts';

/** A logged request with the current name of its API key; null if the key was deleted, or a person called. */
export interface NamedRequest extends LoggedRequest {
  key: Pick<ApiKey, 'name'> | null;
}

export interface LoggedRequestFilter {
  id?: string | undefined;
  apiKeyId?: string | undefined;
  operation?: string | undefined;
  status?: number | undefined;
}

export interface RequestKinds {
  outcome?: 'succeeded' | 'failed' | undefined;
  caller?: 'key' | 'person' | undefined;
}

export class RequestLogRepository extends ScopedRepository<LoggedRequest> {
  constructor() {
    super(LoggedRequest, 'request');
  }

  /** Stores requests of several workspaces. Ignores workspaces that were deleted, and requests stored before. */
  async insertAll(db: Database, requests: readonly LoggedRequest[]): Promise<void> {
    await db.run(
      INSERT_LOGGED_REQUESTS,
      LOGGED_COLUMNS.map((column) => requests.map((request) => request[column])),
    );
  }

  /** True if the log contains a request with this API key. */
  hasKey(scope: OrgScope, apiKeyId: string): Promise<boolean> {
    return this.query(scope).andWhere({ apiKeyId }).getExists();
  }

  queryRequests(
    scope: OrgScope,
    filter: LoggedRequestFilter,
    { outcome, caller }: RequestKinds,
  ): SelectQueryBuilder<NamedRequest> {
    const query = this.query(scope)
      .leftJoinAndMapOne('row.key', ApiKey, 'key', 'key.id = row.apiKeyId AND key.orgId = row.orgId')
      .select(['row', 'key.id', 'key.name']);
    for (const [property, value] of Object.entries(filter))
      if (value !== undefined) query.andWhere({ [property]: value });
    if (outcome === 'succeeded') query.andWhere('row.status < 400');
    if (outcome === 'failed') query.andWhere('(row.status >= 400 OR row.status IS NULL)');
    if (caller) query.andWhere(`row.api_key_id IS ${caller === 'key' ? 'NOT ' : ''}NULL`);
    return query as SelectQueryBuilder<NamedRequest>;
  }
}

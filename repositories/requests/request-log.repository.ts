import type { SelectQueryBuilder } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { LoggedRequest } from '../../entities/requests/logged-request.entity.ts';
import { KeyLogRepository, type WithKeyName } from '../team/key-log.repository.ts';
import { INSERT_LOGGED_REQUESTS, LOGGED_COLUMNS } from './request-log.sql.ts';

/** A logged request with the name of the API key that made it. */
export type NamedRequest = WithKeyName<LoggedRequest>;

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

export class RequestLogRepository extends KeyLogRepository<LoggedRequest> {
  constructor() {
    super(LoggedRequest, 'request');
  }

  /**
   * Stores logged API requests of several workspaces. Ignores workspaces that were deleted, and requests
   * stored before.
   */
  async insertAll(db: Database, requests: readonly LoggedRequest[]): Promise<void> {
    await db.run(
      INSERT_LOGGED_REQUESTS,
      LOGGED_COLUMNS.map((column) => requests.map((request) => request[column])),
    );
  }

  queryRequests(
    scope: OrgScope,
    filter: LoggedRequestFilter,
    { outcome, caller }: RequestKinds,
  ): SelectQueryBuilder<NamedRequest> {
    const query = this.queryNamed(scope, filter);
    if (outcome === 'succeeded') query.andWhere('row.status < 400');
    if (outcome === 'failed') query.andWhere('(row.status >= 400 OR row.status IS NULL)');
    if (caller) query.andWhere(`row.api_key_id IS ${caller === 'key' ? 'NOT ' : ''}NULL`);
    return query;
  }
}

import { createHash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import type { FailedSignIn } from '../../repositories/team/audit.repository.ts';
import type { RateLimiter } from '../requests/rate-limiter.ts';
import type { AuditService } from '../team/audit-service.ts';

const HOUR_SECONDS = 3600;

export interface FailedSignInDeps {
  database: Database;
  limiter: RateLimiter;
  audit: AuditService;
  /** Maximum number of failed sign-ins to one account that are recorded in an hour. */
  limit: number;
}

/**
 * Records failed sign-ins in the audit logs of the account's workspaces. Limits the number of records,
 * because strangers can cause failed sign-ins.
 */
export class FailedSignIns {
  readonly #deps: FailedSignInDeps;

  constructor(deps: FailedSignInDeps) {
    this.#deps = deps;
  }

  /** Records a failed sign-in in a separate transaction, because the request's transaction is rolled back. */
  async record(email: string, { operation, ip, userAgent, requestId }: FailedSignIn): Promise<void> {
    const { database, limiter, audit, limit } = this.#deps;
    const key = `noted-failure:${createHash('sha256').update(email).digest('base64url')}`;
    const { isAdmitted } = await limiter.consume({ shared: { key, limit, windowSeconds: HOUR_SECONDS } });
    if (isAdmitted) await audit.recordFailedSignIn(database, email, { operation, ip, userAgent, requestId });
  }
}

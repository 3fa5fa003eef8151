import type { IdempotencyGuard } from './idempotency.ts';
import type { LongReads } from './limits/long-reads.ts';
import type { UnreadResponses } from './response/unread-responses.ts';
import type { Authenticator } from './access/authenticate.ts';
import type { Services } from '../../services/services.ts';
import type { RateLimiter } from '../../services/requests/rate-limiter.ts';
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { ApiVersions } from '../../core/api-versions.ts';

export interface EngineDeps {
  settings: Settings;
  database: Database;
  services: Services;
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  idempotency: IdempotencyGuard;
  longReads: LongReads;
  unreadResponses: UnreadResponses;
  versions: ApiVersions;
  log: Logger;
}

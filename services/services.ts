import type { OutboundClient } from '../adapters/http/outbound-client.ts';
import type { Keyring } from '../adapters/keys/keyring.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Settings } from '../core/settings.ts';
import { Bot } from '../entities/bot.entity.ts';
import type { Database } from '../entities/database.ts';
import { ScopedRepository } from '../repositories/scoped.repository.ts';
import { BotService } from './bots.service.ts';
import { databaseCheck, HealthService, type HealthCheck } from './health.service.ts';
import { OutboxService } from './outbox.service.ts';
import { RateLimiter } from './rate-limiter.ts';

/** The outside world and the process's own means, as both processes assemble them. */
export interface ServiceDeps {
  settings: Settings;
  database: Database;
  keyring: Keyring;
  outbound: OutboundClient;
  clock: Clock;
  log: Logger;
  /** Parts besides the database that readiness asks. */
  checks: Record<string, HealthCheck>;
}

/** All use cases, wired once per process. */
export function createServices(deps: ServiceDeps) {
  const { settings, database, keyring, outbound } = deps;
  const outbox = new OutboxService();
  const botRows = new ScopedRepository(Bot, 'bot');
  return {
    settings,
    rateLimiter: new RateLimiter(database),
    health: new HealthService({ database: databaseCheck(database), ...deps.checks }),
    bots: new BotService({ bots: botRows, outbox, keyring, outbound }),
  };
}

export type Services = ReturnType<typeof createServices>;

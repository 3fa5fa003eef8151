import type { OutboundClient } from '../adapters/http/outbound-client.ts';
import type { Keyring } from '../adapters/keys/keyring.ts';
import type { ModelFactory } from '../adapters/llm/model-factory.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Settings } from '../core/settings.ts';
import { Bot } from '../entities/bot.entity.ts';
import { Conversation } from '../entities/conversation.entity.ts';
import type { Database } from '../entities/database.ts';
import { MessageRepository } from '../repositories/message.repository.ts';
import { ScopedRepository } from '../repositories/scoped.repository.ts';
import { UsageRepository } from '../repositories/usage.repository.ts';
import { Answerer } from './answering/answerer.ts';
import { PlaygroundService } from './answering/playground.service.ts';
import { TurnService } from './answering/turns.service.ts';
import { BotService } from './bots.service.ts';
import { ConversationService } from './conversations/conversations.service.ts';
import { WidgetService } from './conversations/widget.service.ts';
import { databaseCheck, HealthService, type HealthCheck } from './health.service.ts';
import { SearchService } from './knowledge/search.service.ts';
import { OutboxService } from './outbox.service.ts';
import { RateLimiter } from './rate-limiter.ts';

/** The outside world and the process's own means, as both processes assemble them. */
export interface ServiceDeps {
  settings: Settings;
  database: Database;
  keyring: Keyring;
  outbound: OutboundClient;
  models: ModelFactory;
  clock: Clock;
  log: Logger;
  /** Parts besides the database that readiness asks. */
  checks: Record<string, HealthCheck>;
}

/** All use cases, wired once per process. */
export function createServices(deps: ServiceDeps) {
  const { settings, database, keyring, outbound, models, log } = deps;
  const outbox = new OutboxService();
  const botRows = new ScopedRepository(Bot, 'bot');
  const conversationRows = new ScopedRepository(Conversation, 'conversation');
  const messages = new MessageRepository();
  const search = new SearchService();
  const answerer = new Answerer({ settings, keyring, models, search, log });
  return {
    settings,
    rateLimiter: new RateLimiter(database),
    health: new HealthService({ database: databaseCheck(database), ...deps.checks }),
    bots: new BotService({ bots: botRows, outbox, keyring, outbound }),
    playground: new PlaygroundService({ bots: botRows, answerer, models, keyring }),
    conversations: new ConversationService({ conversations: conversationRows, messages, keyring }),
    widget: new WidgetService({ bots: botRows, conversations: conversationRows, outbox, keyring }),
    turns: new TurnService({
      database,
      bots: botRows,
      conversations: conversationRows,
      messages,
      usage: new UsageRepository(),
      outbox,
      answerer,
      log,
    }),
  };
}

export type Services = ReturnType<typeof createServices>;

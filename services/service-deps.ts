import type { OutboxService } from './outbox/outbox-service.ts';
import type { BotRepository } from '../repositories/bots/bot.repository.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../core/settings/settings.ts';
import type { Logger } from '../core/logger.ts';
import type { Clock } from '../core/clock.ts';
import type { ApiVersions } from '../core/api-versions.ts';
import type { Tracing } from '../adapters/telemetry/tracing.ts';
import type { ObjectStorage } from '../adapters/storage/object-storage.ts';
import type { WorkflowProbe } from '../adapters/temporal/workflow-probe.ts';
import type { PaymentProvider } from '../adapters/billing/payment-provider.ts';
import type { Messaging } from './alerts/channels/create-messaging.ts';
import type { MailTransport } from '../adapters/mail/mail-transport.ts';
import type { Embedder } from '../adapters/embedding/embedder.ts';
import type { Reranker } from '../adapters/reranking/reranker.ts';
import type { ModelFactory } from '../adapters/llm/model-factory.ts';
import type { Keyring } from '../adapters/keys/keyring.ts';
import type { OutboundClient } from '../adapters/http/outbound-client.ts';

/** The outside world and the process's own means, as both processes assemble them. */
export interface ServiceDeps {
  settings: Settings;
  database: Database;
  queues: Database;
  /** From `createKeyDataSource`. */
  keyReads: Database;
  keyring: Keyring;
  outbound: OutboundClient;
  /** Sends secrets by https alone, but to addresses that the operator allowed. */
  secretOutbound: OutboundClient;
  /** From `createWebhookClient`. */
  webhookOutbound: OutboundClient;
  models: ModelFactory;
  /** From `createEmbedder`; none where passages are found by their words alone. */
  embedder: Embedder | undefined;
  /** From `createReranker`. */
  reranker: Reranker | undefined;
  storage: ObjectStorage;
  /** From `createPaymentProvider`; none where nothing is sold. */
  payments: PaymentProvider | undefined;
  /** From `createMessaging`. */
  messaging: Messaging;
  /** From `createMailTransport`. */
  mailTransport: MailTransport | undefined;
  versions: ApiVersions;
  clock: Clock;
  log: Logger;
  tracing?: Tracing | undefined;
  workflows: WorkflowProbe;
}

/** What use cases of all kinds work with. */
export interface Shared {
  bots: BotRepository;
  outbox: OutboxService;
}

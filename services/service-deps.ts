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

/** Dependencies of the services. The API and the worker create them at their start. */
export interface ServiceDeps {
  settings: Settings;
  database: Database;
  queues: Database;
  /** Database connections for reading encryption keys, from `createKeyDataSource`. */
  keyReads: Database;
  keyring: Keyring;
  outbound: OutboundClient;
  /**
   * HTTP client for requests that contain secrets. This client requires HTTPS, except for addresses that the
   * operator has allowed.
   */
  secretOutbound: OutboundClient;
  /** HTTP client for customers' webhook endpoints, from `createWebhookClient`. */
  webhookOutbound: OutboundClient;
  models: ModelFactory;
  /** Embedding model, from `createEmbedder`; undefined if searches use full text only. */
  embedder: Embedder | undefined;
  /** Model that reranks search results, from `createReranker`; undefined if no such model is configured. */
  reranker: Reranker | undefined;
  storage: ObjectStorage;
  /**
   * Client of the payment provider, from `createPaymentProvider`; undefined if the installation has no
   * billing.
   */
  payments: PaymentProvider | undefined;
  /** Clients of the messaging apps, from `createMessaging`. */
  messaging: Messaging;
  /** Client of the mail server, from `createMailTransport`. */
  mailTransport: MailTransport | undefined;
  versions: ApiVersions;
  clock: Clock;
  log: Logger;
  tracing?: Tracing | undefined;
  workflows: WorkflowProbe;
}

/** Dependencies that the services of all features share. */
export interface SharedDeps {
  bots: BotRepository;
  outbox: OutboxService;
}

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

/** Dependencies of the services, which the API and the worker create. */
export interface ServiceDeps {
  settings: Settings;
  database: Database;
  queues: Database;
  /** Connections for reading keys, from `createKeyDataSource`. */
  keyReads: Database;
  keyring: Keyring;
  outbound: OutboundClient;
  /** Client for requests with secrets: requires HTTPS, except for addresses that the operator has allowed. */
  secretOutbound: OutboundClient;
  /** Created by `createWebhookClient`. */
  webhookOutbound: OutboundClient;
  models: ModelFactory;
  /** Created by `createEmbedder`; undefined for full-text search only. */
  embedder: Embedder | undefined;
  /** Created by `createReranker`. */
  reranker: Reranker | undefined;
  storage: ObjectStorage;
  /** Created by `createPaymentProvider`; undefined without billing. */
  payments: PaymentProvider | undefined;
  /** Created by `createMessaging`. */
  messaging: Messaging;
  /** Created by `createMailTransport`. */
  mailTransport: MailTransport | undefined;
  versions: ApiVersions;
  clock: Clock;
  log: Logger;
  tracing?: Tracing | undefined;
  workflows: WorkflowProbe;
}

/** Dependencies that services of all rooms share. */
export interface Shared {
  bots: BotRepository;
  outbox: OutboxService;
}

import { OutboundClient } from '../adapters/http/outbound-client.ts';
import { createEmbedder } from '../adapters/embedding/create-embedder.ts';
import { Keyring } from '../adapters/keys/keyring.ts';
import { createModelFactory } from '../adapters/llm/model-factory.ts';
import { createMailTransport } from '../adapters/mail/create-mail-transport.ts';
import { createReranker } from '../adapters/reranking/reranker.ts';
import { createPaymentProvider } from '../adapters/billing/create-payment-provider.ts';
import { createStorage } from '../adapters/storage/create-storage.ts';
import type { ObjectStorage } from '../adapters/storage/object-storage.ts';
import type { Tracing } from '../adapters/telemetry/tracing.ts';
import { WorkflowProbe } from '../adapters/temporal/workflow-probe.ts';
import { shippedVersions, type ApiVersions } from '../core/api-versions.ts';
import { systemClock, type Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { SettingsError, splitList, type Settings } from '../core/settings/settings.ts';
import { createDataSource, createKeyDataSource, createQueueDataSource } from '../entities/data-source.ts';
import { Database } from '../database/database.ts';
import { createMessaging } from './alerts/channels/create-messaging.ts';
import { countTextTokens } from './knowledge/ingestion/token-count.ts';
import { createServices, type Services } from './services.ts';
import { createWebhookClient } from './webhooks/webhook-client.ts';

const USER_AGENT = 'Parley/1.0';
const FLUSH_TIMEOUT_MS = 2000;

export interface RuntimeOptions {
  settings: Settings;
  log: Logger;
  tracing?: Tracing | undefined;
  clock?: Clock;
  /** Storage of documents and other files; by default, the storage that the settings select. */
  storage?: ObjectStorage;
  versions?: ApiVersions;
}

/** Shared runtime of the API and the worker: database, clients and all services. */
export interface Runtime {
  settings: Settings;
  log: Logger;
  database: Database;
  /** Database connections for code that polls queues, from `createQueueDataSource`. */
  queues: Database;
  keyring: Keyring;
  /** HTTP client for customers' webhook endpoints, from `createWebhookClient`. */
  webhookOutbound: OutboundClient;
  services: Services;
  tracing: Tracing | undefined;
  /**
   * Closes everything.
   * @param graceMs time for exporting the remaining traces
   */
  close(graceMs?: number): Promise<void>;
}

/** @throws SettingsError without a master key or a database */
export async function openRuntime({
  settings,
  log,
  tracing,
  clock = systemClock,
  storage: givenStorage,
  versions = shippedVersions,
}: RuntimeOptions): Promise<Runtime> {
  if (!settings.masterKey) throw new SettingsError(['PARLEY_MASTER_KEY must be set.']);
  if (!settings.databaseUrl) throw new SettingsError(['DATABASE_URL must be set.']);
  const dataSources = await Promise.all(
    [createDataSource(settings), createQueueDataSource(settings), createKeyDataSource(settings)].map(
      (source) => source.initialize(),
    ),
  );
  const [database, queues, keyReads] = dataSources.map((source) => new Database(source)) as [
    Database,
    Database,
    Database,
  ];
  const keyring = new Keyring(settings.masterKey);
  const outbound = new OutboundClient({ allow: splitList(settings.outboundAllow), userAgent: USER_AGENT });
  const secretOutbound = new OutboundClient({
    allow: splitList(settings.outboundAllow),
    requireHttpsUnlessAllowed: true,
    userAgent: USER_AGENT,
  });
  const webhookOutbound = createWebhookClient(settings);
  const trusted = OutboundClient.createTrusted({ userAgent: USER_AGENT });
  const models = createModelFactory({
    settings,
    guardedFetch: outbound.fetch,
    secretFetch: secretOutbound.fetch,
    trustedFetch: trusted.fetch,
  });
  const embedder = await createEmbedder({ settings, client: trusted, count: countTextTokens });
  const storage = givenStorage ?? (await createStorage(settings));
  const workflows = new WorkflowProbe(settings.temporalAddress);
  const services = createServices({
    settings,
    database,
    queues,
    keyReads,
    keyring,
    outbound,
    secretOutbound,
    webhookOutbound,
    models,
    embedder,
    reranker: createReranker({ settings, client: trusted }),
    storage,
    payments: await createPaymentProvider(settings, { trusted, guarded: outbound }),
    messaging: createMessaging(settings, trusted),
    mailTransport: createMailTransport(settings),
    versions,
    clock,
    log,
    tracing,
    workflows,
  });
  return {
    settings,
    log,
    database,
    queues,
    keyring,
    webhookOutbound,
    services,
    tracing,
    close: async (graceMs = FLUSH_TIMEOUT_MS) => {
      await Promise.all([
        outbound.close(),
        secretOutbound.close(),
        webhookOutbound.close(),
        trusted.close(),
        embedder?.close(),
        tracing?.close(Math.min(graceMs, FLUSH_TIMEOUT_MS)),
      ]);
      await Promise.all(dataSources.map((source) => source.destroy()));
    },
  };
}

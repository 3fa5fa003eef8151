import { Client, Connection } from '@temporalio/client';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { createKeyWaitActivities } from '../activities/encryption/key-wait.activities.ts';
import { createResealActivities } from '../activities/encryption/reseal.activities.ts';
import { createArchiveActivities } from '../activities/archive/archive.activities.ts';
import { createKeyCheckActivities } from '../activities/encryption/key-check.activities.ts';
import { createQuestionActivities } from '../activities/analytics/question.activities.ts';
import { createAccountActivities } from '../activities/accounts/account.activities.ts';
import { createBillingActivities } from '../activities/billing/billing.activities.ts';
import { createBookingActivities } from '../activities/bookings/booking.activities.ts';
import { CalendarConcurrency } from '../activities/bookings/calendar-concurrency.ts';
import { createCalendarActivities } from '../activities/bookings/calendar.activities.ts';
import { createCrawlActivities } from '../activities/knowledge/crawl.activities.ts';
import { createEmbeddingActivities } from '../activities/knowledge/embedding.activities.ts';
import { createRefreshActivities } from '../activities/knowledge/refresh.activities.ts';
import { createFlowActivities } from '../activities/flows/flow.activities.ts';
import { createErasureActivities } from '../activities/contacts/erasure.activities.ts';
import { createEnrichmentActivities } from '../activities/conversations/enrichment.activities.ts';
import { createFoldActivities } from '../activities/installation/fold.activities.ts';
import { createExpiryActivities } from '../activities/installation/expiry.activities.ts';
import { createGenerationActivities } from '../activities/bots/generation.activities.ts';
import { createIngestionActivities } from '../activities/knowledge/ingestion.activities.ts';
import { createInvitationActivities } from '../activities/team/invitation.activities.ts';
import { createOrgPurgeActivities } from '../activities/team/org-purge.activities.ts';
import { createMailActivities } from '../activities/mail/mail.activities.ts';
import { createDigestActivities } from '../activities/alerts/digest.activities.ts';
import { createNoticeActivities } from '../activities/mail/notice.activities.ts';
import { createPurgeActivities } from '../activities/bots/purge.activities.ts';
import { createSweepActivities } from '../activities/installation/sweep.activities.ts';
import { createSharedQueues } from '../activities/shared-queues.ts';
import { createTestRunActivities } from '../activities/test-sets/test-run.activities.ts';
import { createUsageActivities } from '../activities/usage/usage.activities.ts';
import { createAlertActivities } from '../activities/alerts/alert.activities.ts';
import { createWebhookActivities } from '../activities/webhooks/webhook.activities.ts';
import { mergeUnique } from '../core/merge-unique.ts';
import type { Settings } from '../core/settings/settings.ts';
import { readWorkerRoles } from '../core/settings/worker-roles.ts';
import type { Runtime } from '../services/runtime.ts';
import { WebhookFanOut, type Reserve } from '../services/webhooks/fan-out.ts';
import { CommandRelay } from './outbox/command-relay.ts';
import { createDispatcher } from './webhooks/dispatcher.ts';
import { EventRelay } from './outbox/event-relay.ts';
import { VectorMaintenance } from './knowledge/vector-maintenance.ts';
import { EmbeddingLane } from './knowledge/embedding-lane.ts';
import { createIsWorkflowOpen } from './temporal/is-workflow-open.ts';
import { createRefreshSchedules } from './temporal/refresh-schedules.ts';
import { Relay } from './outbox/relay.ts';
import { reportRoles } from './role-reports.ts';
import { maintainSchedules } from './temporal/schedules.ts';
import { TemporalWorkers } from './temporal/temporal-workers.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

/**
 * Time limit for connecting to Temporal. Together with the time limit of starting a workflow, it must be
 * shorter than the lease of a command in the outbox.
 */
const CONNECT_TIMEOUT = '3s';

export interface RunningWorker {
  /** Makes the worker accept no more work. Waits for running work, up to the grace period of the settings. */
  stop(): Promise<void>;
}

/**
 * Starts the background work that `PARLEY_WORKER_QUEUES` selects, by default all of it. Temporal need not be
 * available yet.
 */
export async function startWorker(
  runtime: Runtime,
  workflowBundle: WorkflowBundleOption,
): Promise<RunningWorker> {
  const { settings, log, tracing } = runtime;
  const roles = readWorkerRoles(settings.workerQueues);
  const connection = createLazyConnection(settings);
  const client = new Client({
    connection,
    namespace: settings.temporalNamespace,
    ...(tracing && { interceptors: { workflow: [tracing.temporal.client] } }),
  });
  const metrics = await openWorkerMetrics(runtime, connection);
  const stopping = new AbortController();
  const dispatcher = roles.has('dispatcher')
    ? createDispatcher({
        sender: runtime.services.webhooks.deliverySender,
        databaseUrl: settings.databaseUrl ?? '',
        log,
        metrics,
        tracing,
      })
    : undefined;
  // Reserve no webhook deliveries without a dispatcher in this process, since another process claims them.
  const relay = roles.has('outbox')
    ? createRelay(runtime, client, dispatcher?.reserve ?? (() => undefined))
    : undefined;
  const workers = new TemporalWorkers({
    settings,
    activities: createActivities(runtime, client, metrics),
    workflowBundle,
    log,
    metrics,
    tracing: tracing?.temporal,
  });
  const embedding = roles.has('embeddings') ? createEmbeddingLane(runtime) : undefined;
  const vectors = roles.has('embeddings') ? createVectorMaintenance(runtime) : undefined;
  dispatcher?.start();
  const running = Promise.all([
    relay?.run(),
    embedding?.run(),
    vectors?.run(),
    workers.run(),
    reportRoles(runtime.services.installation.servedRoles, roles, { log, signal: stopping.signal }),
    roles.has('default') ? keepSchedules(runtime, client, stopping.signal) : undefined,
  ]);
  return {
    stop: async () => {
      stopping.abort();
      relay?.stop();
      embedding?.stop();
      vectors?.stop();
      workers.stop();
      await Promise.all([running, dispatcher?.stop(settings.shutdownGraceMs)]);
      await Promise.all([connection.close(), metrics?.close()]);
    },
  };
}

function keepSchedules(
  { settings, database, services, log }: Runtime,
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const { temporalTaskQueue: taskQueue } = settings;
  return maintainSchedules({
    client,
    taskQueue,
    log,
    signal,
    restoreRefreshes: () =>
      services.knowledge.refreshes.restoreSchedules(database, createRefreshSchedules(client, taskQueue)),
  });
}

async function openWorkerMetrics(
  runtime: Runtime,
  connection: Connection,
): Promise<WorkerMetrics | undefined> {
  const { workerMetricsPort } = runtime.settings;
  if (workerMetricsPort === undefined) return undefined;
  const { startWorkerMetrics } = await import('./worker-metrics.ts');
  return startWorkerMetrics(runtime, connection, workerMetricsPort);
}

function createLazyConnection({ temporalAddress }: Settings): Connection {
  return Connection.lazy({
    ...(temporalAddress !== undefined && { address: temporalAddress }),
    connectTimeout: CONNECT_TIMEOUT,
    // Retry a lost connection to Temporal after at most 2 seconds; the default is two minutes.
    channelArgs: { 'grpc.max_reconnect_backoff_ms': 2000 },
  });
}

function createRelay(runtime: Runtime, client: Client, reserve: Reserve): Relay {
  const { settings, queues: database, services, log, tracing } = runtime;
  const { databaseUrl = '', temporalTaskQueue: taskQueue } = settings;
  return new Relay({
    databaseUrl,
    events: new EventRelay({ database, sink: new WebhookFanOut(services.versions, reserve), log, tracing }),
    commands: new CommandRelay({ database, client, taskQueue, log, tracing }),
    log,
  });
}

/**
 * Creates the background work that computes the embeddings of documents; undefined without an embedding
 * model.
 */
function createEmbeddingLane({ queues, services, log }: Runtime): EmbeddingLane | undefined {
  const { embedding } = services.knowledge;
  return embedding && new EmbeddingLane({ embedding, database: queues, log });
}

function createVectorMaintenance({
  settings,
  database,
  services,
  log,
}: Runtime): VectorMaintenance | undefined {
  const { embedding, vectorIndexes } = services.knowledge;
  return embedding && new VectorMaintenance({ embedding, vectorIndexes, database, settings, log });
}

function createActivities(
  { settings, database, queues, services }: Runtime,
  client: Client,
  metrics: Pick<WorkerMetrics, 'recordAttempt' | 'recordMail'> | undefined,
): object {
  const calendarConcurrency = new CalendarConcurrency();
  const { fetches, modelCalls } = createSharedQueues();
  return mergeUnique(
    createIngestionActivities({ database, ingestion: services.knowledge.ingestion, fetches, settings }),
    createCrawlActivities({ database, ...services.knowledge, fetches }),
    createRefreshActivities({
      database,
      refreshes: services.knowledge.refreshes,
      schedules: createRefreshSchedules(client, settings.temporalTaskQueue),
    }),
    createEmbeddingActivities({ database, embedding: services.knowledge.embedding, modelCalls }),
    createGenerationActivities({ database, drafting: services.bots.drafting, fetches, modelCalls }),
    createPurgeActivities({ database, purge: services.knowledge.purge }),
    createOrgPurgeActivities({ database, ...services.team }),
    createInvitationActivities({ database, ...services.team }),
    createAccountActivities({ database, ...services.accounts }),
    createErasureActivities({ database, erasure: services.conversations.erasure }),
    createSweepActivities({
      database,
      isWorkflowOpen: createIsWorkflowOpen(client),
      stalledDocuments: services.knowledge.stalledDocuments,
      idleConversations: services.conversations.idleConversations,
      stalledBookings: services.bookings.stalledBookings,
    }),
    createWebhookActivities({
      database,
      queues,
      ...services.webhooks,
      onOutcome: (outcome) => metrics?.recordAttempt(outcome),
    }),
    createEnrichmentActivities({ database, enrichment: services.conversations.enrichment, modelCalls }),
    createBookingActivities({
      database,
      bookingLifecycle: services.bookings.bookingLifecycle,
      calendarConcurrency,
    }),
    createCalendarActivities({ database, calendarSync: services.bookings.calendarSync, calendarConcurrency }),
    createFlowActivities({ database, flowWaits: services.conversations.flowWaits }),
    createBillingActivities({ database, ...services.billing }),
    createKeyWaitActivities(services.encryption),
    createResealActivities({ database, ...services.encryption }),
    createKeyCheckActivities({ database, ...services.encryption }),
    createMailActivities({
      database,
      mailDelivery: services.mail.mailDelivery,
      onAttempt: (state) => metrics?.recordMail(state),
    }),
    createAlertActivities({ database, settings, ...services.alerts }),
    createNoticeActivities({ database, ...services.mail, accessNotices: services.team.accessNotices }),
    createUsageActivities({ database, ...services.usage }),
    createDigestActivities({ database, ...services.alerts, weeklyMails: services.mail.weeklyMails }),
    createQuestionActivities({ database, ...services.analytics }),
    createArchiveActivities({ database, ...services.archive }),
    createTestRunActivities({ database, ...services.testSets, modelCalls }),
    createFoldActivities({ database, ...services.analytics }),
    createExpiryActivities({
      database,
      expiry: services.installation.expiry,
      fileRemoval: services.conversations.fileRemoval,
    }),
  );
}

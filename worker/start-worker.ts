import { Client, Connection } from '@temporalio/client';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { createCrawlActivities } from '../activities/crawl.activities.ts';
import { createIngestionActivities } from '../activities/ingestion.activities.ts';
import { createPurgeActivities } from '../activities/purge.activities.ts';
import { createSweepActivities } from '../activities/sweep.activities.ts';
import { StalledDocumentRepository } from '../repositories/stalled-document.repository.ts';
import { StalledDocuments } from '../services/knowledge/stalled-documents.service.ts';
import { OutboxService } from '../services/outbox.service.ts';
import type { Runtime } from '../services/runtime.ts';
import { systemClock } from '../core/clock.ts';
import { WebhookFanOut } from '../services/webhooks/fan-out.ts';
import { createWebhookClient } from '../services/webhooks/webhook-client.ts';
import { CommandRelay } from './command-relay.ts';
import { createDispatcher } from './dispatcher.ts';
import { EventRelay } from './event-relay.ts';
import { asksTemporal } from './is-workflow-open.ts';
import { Relay } from './relay.ts';
import { keepSchedules } from './schedules.ts';
import { TemporalWorkers } from './temporal-workers.ts';

export interface RunningWorker {
  /** Takes nothing new and waits for what runs, at most as long as the grace in the settings. */
  stop(): Promise<void>;
}

/** Starts everything that happens behind the API; Temporal may come up later. */
export function startWorker(
  { settings, database, keyring, services, log }: Runtime,
  workflowBundle: WorkflowBundleOption,
): RunningWorker {
  const {
    databaseUrl = '',
    temporalAddress,
    temporalNamespace: namespace,
    temporalTaskQueue: taskQueue,
  } = settings;
  const connection = Connection.lazy({
    ...(temporalAddress !== undefined && { address: temporalAddress }),
    // By default a connection that was lost is tried again after up to two minutes.
    channelArgs: { 'grpc.max_reconnect_backoff_ms': 2000 },
  });
  const client = new Client({ connection, namespace });
  const stopping = new AbortController();
  const relay = new Relay({
    databaseUrl,
    events: new EventRelay({ database, sink: new WebhookFanOut(), log }),
    commands: new CommandRelay({ database, client, taskQueue, log }),
    log,
  });
  const webhookClient = createWebhookClient(settings);
  const dispatcher = createDispatcher({
    database,
    databaseUrl,
    keyring,
    outbound: webhookClient,
    clock: systemClock,
    log,
    settings,
  });
  dispatcher.start();
  const stalledDocuments = new StalledDocuments({
    documents: new StalledDocumentRepository(),
    outbox: new OutboxService(),
    isWorkflowOpen: asksTemporal(client),
    log,
  });
  const workers = new TemporalWorkers({
    settings,
    activities: {
      ...createIngestionActivities({ database, ingestion: services.ingestion }),
      ...createCrawlActivities({ database, crawl: services.crawl }),
      ...createPurgeActivities({ database, purge: services.purge }),
      ...createSweepActivities({ database, stalledDocuments }),
    },
    workflowBundle,
    log,
  });
  const scheduling = keepSchedules({ client, taskQueue, log, signal: stopping.signal });
  const running = Promise.all([relay.run(), workers.run(), scheduling]);
  return {
    stop: async () => {
      stopping.abort();
      relay.stop();
      workers.stop();
      await Promise.all([running, dispatcher.stop(settings.shutdownGraceMs)]);
      await Promise.all([connection.close(), webhookClient.close()]);
    },
  };
}

import type { Connection } from '@temporalio/client';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { serveMetrics } from '../adapters/telemetry/metrics-server.ts';
import { createProcessRegistry } from '../adapters/telemetry/process-metrics.ts';
import type { BacklogRepository } from '../repositories/installation/backlog.repository.ts';
import type { Runtime } from '../services/runtime.ts';
import type { Services } from '../services/services.ts';
import { readQueueBacklogs, type RoleBacklog } from './temporal/queue-backlogs.ts';
import type { BillingNumbers } from '../services/billing/billing-figures.ts';
import type { MailProgress } from '../services/mail/mail-delivery.ts';
import type { AttemptOutcome } from '../services/webhooks/send-delivery.ts';

const ATTEMPT_BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const ACTIVITY_BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300];

export type ActivityOutcome = 'done' | 'failed' | 'cancelled';

export interface WorkerMetrics {
  port: number;
  recordAttempt(outcome: AttemptOutcome): void;
  recordMail(state: MailProgress['state']): void;
  recordActivity(activity: string, outcome: ActivityOutcome, durationMs: number): void;
  close(): Promise<void>;
}

export async function startWorkerMetrics(
  { settings, database, services, log }: Runtime,
  connection: Connection,
  port: number,
): Promise<WorkerMetrics> {
  const registry = createProcessRegistry({
    pool: () => database.poolUsage,
    undecryptableValues: () => services.encryption.undecryptableValues.count,
    flaggedMails: () => services.mail.senderChecks.flagged,
  });
  const registers = [registry];
  const attempts = new Histogram({
    name: 'parley_webhook_attempt_duration_seconds',
    help: 'Attempts to deliver a webhook, by result; transient failures are retried.',
    labelNames: ['outcome'],
    buckets: ATTEMPT_BUCKETS_SECONDS,
    registers,
  });
  const skipped = new Counter({
    name: 'parley_webhook_deliveries_skipped_total',
    help: 'Deliveries that ended without an attempt, because their endpoint is disabled.',
    registers,
  });
  const postponed = new Counter({
    name: 'parley_webhook_deliveries_postponed_total',
    help: 'Deliveries postponed because PARLEY_MASTER_KEY cannot decrypt the signing secret of their endpoint.',
    registers,
  });
  const mails = new Counter({
    name: 'parley_mail_attempts_total',
    help: 'Attempts to send an email, by the state of the email afterwards; pending emails are retried.',
    labelNames: ['state'],
    registers,
  });
  const activities = new Histogram({
    name: 'parley_activity_duration_seconds',
    help: 'Attempts to run activities, by result.',
    labelNames: ['activity', 'outcome'],
    buckets: ACTIVITY_BUCKETS_SECONDS,
    registers,
  });
  const backlog = createBacklogGauges(registry, services.installation.backlog);
  const billing = createBillingGauges(registry, () => services.billing.billingFigures.read(database));
  const encryption = createEncryptionGauges(registry, () =>
    services.encryption.encryptionStates.count(database),
  );
  const queues = createQueueGauges(registry, () =>
    Promise.allSettled([readQueueBacklogs(connection, settings), readLoopBacklogs(services)]),
  );
  const refreshGauges = async () => void (await Promise.all([backlog(), billing(), encryption(), queues()]));
  const server = await serveMetrics({
    host: settings.metricsHost,
    port,
    registry,
    log,
    refresh: refreshGauges,
  });
  return {
    port: server.port,
    recordAttempt: ({ result, isAttempt, durationMs }) => {
      if (isAttempt) attempts.observe({ outcome: result }, (durationMs ?? 0) / 1000);
      else (result === 'postponed' ? postponed : skipped).inc();
    },
    recordMail: (state) => mails.inc({ state }),
    recordActivity: (activity, outcome, durationMs) =>
      activities.observe({ activity, outcome }, durationMs / 1000),
    close: () => server.close(),
  };
}

function createBillingGauges(registry: Registry, read: () => Promise<BillingNumbers>): () => Promise<void> {
  const registers = [registry];
  const syncAge = new Gauge({
    name: 'parley_billing_sync_age_seconds',
    help: 'Longest time since Parley read the state of a payer with a subscription.',
    registers,
  });
  const events = new Gauge({
    name: 'parley_billing_events',
    help: 'Events of the payment provider in the last 90 days, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  return async () => {
    try {
      const { syncAgeSeconds, outcomes } = await read();
      syncAge.set(syncAgeSeconds);
      for (const [outcome, count] of Object.entries(outcomes)) events.set({ outcome }, count);
    } catch (error) {
      for (const each of [syncAge, events]) each.reset(); // Export no metrics rather than outdated ones.
      throw error;
    }
  };
}

function createEncryptionGauges(
  registry: Registry,
  read: () => Promise<{ sealing: number; failing: number }>,
): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const workspacesSealing = gauge(
    'parley_workspaces_sealing',
    'Workspaces whose content is being encrypted or decrypted.',
  );
  const servicesFailing = gauge(
    'parley_key_services_failing',
    'Workspaces whose key service failed to decrypt their key at the last check.',
  );
  return async () => {
    try {
      const { sealing, failing } = await read();
      workspacesSealing.set(sealing);
      servicesFailing.set(failing);
    } catch (error) {
      for (const each of [workspacesSealing, servicesFailing]) each.reset();
      throw error;
    }
  };
}

/** Reads how much work waits in the queues of the database, by the worker role that takes it. */
async function readLoopBacklogs({ installation, knowledge }: Services): Promise<RoleBacklog[]> {
  const [outbox, deliveries, embeddings] = await Promise.all([
    installation.backlog.listOutbox(),
    installation.backlog.listDeliveries(),
    knowledge.embedding && installation.backlog.countEmbeddings(),
  ]);
  const firstAttempts = deliveries.find(({ status }) => status === 'pending');
  return [
    {
      role: 'outbox',
      waiting: outbox.reduce((sum, { pending }) => sum + pending, 0),
      oldestSeconds: Math.max(...outbox.map(({ oldestSeconds }) => oldestSeconds)),
    },
    {
      role: 'dispatcher',
      waiting: firstAttempts?.waiting ?? 0,
      oldestSeconds: firstAttempts?.overdueSeconds ?? 0,
    },
    { role: 'embeddings', ...(embeddings ?? { waiting: 0, oldestSeconds: 0 }) },
  ];
}

function createQueueGauges(
  registry: Registry,
  read: () => Promise<PromiseSettledResult<RoleBacklog[]>[]>,
): () => Promise<void> {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['queue'], registers: [registry] });
  const backlog = gauge(
    'parley_queue_backlog',
    'Amount of waiting work, by the name in PARLEY_WORKER_QUEUES.',
  );
  const oldest = gauge('parley_queue_oldest_seconds', 'Age of the oldest waiting work.');
  return async () => {
    const outcomes = await read();
    for (const each of [backlog, oldest]) each.reset(); // Export no metrics rather than outdated ones.
    for (const outcome of outcomes)
      for (const { role, waiting, oldestSeconds } of outcome.status === 'fulfilled' ? outcome.value : []) {
        backlog.set({ queue: role }, waiting);
        oldest.set({ queue: role }, oldestSeconds);
      }
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  };
}

/** Creates gauges of the work that waits in the whole installation. Every worker exports the same values. */
function createBacklogGauges(registry: Registry, backlog: BacklogRepository): () => Promise<void> {
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const outboxRows = gauge(
    'parley_outbox_rows',
    'Rows of the outbox: pending, or parked because they can never succeed.',
    ['kind', 'state'],
  );
  const outboxAge = gauge('parley_outbox_oldest_seconds', 'Age of the oldest pending row of the outbox.', [
    'kind',
  ]);
  const waiting = gauge(
    'parley_webhook_deliveries_waiting',
    'Deliveries that are neither delivered nor failed.',
    ['status'],
  );
  const overdue = gauge(
    'parley_webhook_deliveries_overdue_seconds',
    'Seconds by which the most overdue delivery is late.',
    ['status'],
  );
  return async () => {
    const gauges = [outboxRows, outboxAge, waiting, overdue];
    try {
      const [outbox, deliveries] = await Promise.all([backlog.listOutbox(), backlog.listDeliveries()]);
      for (const { kind, pending, parked, oldestSeconds } of outbox) {
        outboxRows.set({ kind, state: 'pending' }, pending);
        outboxRows.set({ kind, state: 'parked' }, parked);
        outboxAge.set({ kind }, oldestSeconds);
      }
      for (const { status, waiting: count, overdueSeconds } of deliveries) {
        waiting.set({ status }, count);
        overdue.set({ status }, overdueSeconds);
      }
    } catch (error) {
      for (const each of gauges) each.reset(); // Export no metrics rather than outdated ones.
      throw error;
    }
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { TemporalTracing } from '../../adapters/telemetry/tracing.ts';
import type { Logger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { createActivityInterceptor } from './interceptors.ts';
import { listenForAbort } from '../../adapters/http/deadline.ts';
import { listQueueOptions } from './task-queues.ts';
import { retryUntilSuccess } from '../../core/concurrency/retry-until-success.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface TemporalWorkersOptions {
  settings: Pick<
    Settings,
    | 'temporalAddress'
    | 'temporalNamespace'
    | 'temporalTaskQueue'
    | 'shutdownGraceMs'
    | 'readingSlots'
    | 'workerQueues'
  >;
  activities: object;
  workflowBundle: WorkflowBundleOption;
  log: Logger;
  metrics?: WorkerMetrics | undefined;
  tracing?: TemporalTracing | undefined;
}

/**
 * Time in milliseconds at the end of the grace period in which canceled activities can end before the process
 * exits.
 */
const CANCELLED_MARGIN_MS = 1500;
const RESTART_PAUSE_MS = 1000;
/**
 * Time for which a workflow task waits for the worker that has the workflow in its cache. After this time,
 * another worker takes the task, because the first worker may have crashed.
 */
const STICKY_TIMEOUT = '3s';

/** Temporal workers of all task queues. They start once Temporal is available, and restart after failures. */
export class TemporalWorkers {
  readonly #options: TemporalWorkersOptions;
  readonly #stopping = new AbortController();
  #workers: Worker[] = [];

  constructor(options: TemporalWorkersOptions) {
    this.#options = options;
  }

  /**
   * Runs the Temporal workers until `stop` is called and all activities have ended, or until the grace period
   * is over. Returns at once if this process serves no task queue.
   */
  async run(): Promise<void> {
    const { log, settings } = this.#options;
    const { signal } = this.#stopping;
    if (listQueueOptions(settings).length === 0) return;
    while (!signal.aborted) {
      try {
        await this.#runOnce();
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, 'Temporal workers failed; restarting them');
        await sleep(RESTART_PAUSE_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  stop(): void {
    this.#stopping.abort();
    this.#shutDown();
  }

  async #runOnce(): Promise<void> {
    const { log, settings } = this.#options;
    const { signal } = this.#stopping;
    const address = settings.temporalAddress;
    const connection = await retryUntilSuccess(
      `Connecting to Temporal at ${address}`,
      () => NativeConnection.connect(address === undefined ? {} : { address }),
      { log, signal },
    );
    try {
      this.#workers = await this.#createWorkers(connection);
      log.info(
        { address, taskQueues: this.#workers.map(({ options }) => options.taskQueue) },
        'Temporal workers are polling',
      );
      await this.#runWorkers();
    } finally {
      this.#workers = [];
      await connection.close();
    }
  }

  /**
   * Runs all Temporal workers. If one worker fails, all other workers finish their work, and all workers are
   * started again.
   */
  async #runWorkers(): Promise<void> {
    const running = this.#workers.map((worker) =>
      worker.run().catch((error: unknown) => {
        this.#shutDown();
        throw error;
      }),
    );
    // Shut the Temporal workers down before their connection closes. A worker can only be shut down while it
    // runs.
    if (this.#stopping.signal.aborted) this.#shutDown();
    const outcomes = await Promise.race([Promise.allSettled(running), this.#waitForGrace()]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /**
   * Resolves when the grace period is over; the process then ends with any remaining work. The SDK's own
   * `shutdownForceTime` is not used: it discards results of activities, yet still waits for their timeouts.
   */
  async #waitForGrace(): Promise<PromiseSettledResult<void>[]> {
    const { log, settings } = this.#options;
    await new Promise<void>((resolve) => listenForAbort(this.#stopping.signal, resolve));
    await sleep(settings.shutdownGraceMs, undefined, { ref: false });
    if (this.#workers.length > 0) log.warn('grace period is over; running activities will be retried');
    return [];
  }

  #shutDown(): void {
    for (const worker of this.#workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  }

  #createWorkers(connection: NativeConnection): Promise<Worker[]> {
    const { settings, activities, workflowBundle, log, metrics, tracing } = this.#options;
    const { shutdownGraceMs, temporalNamespace: namespace } = settings;
    return Promise.all(
      listQueueOptions(settings).map(({ runsWorkflows, ...queue }) =>
        Worker.create({
          ...queue,
          ...(runsWorkflows && { workflowBundle }),
          connection,
          namespace,
          activities,
          interceptors: {
            activity: [...(tracing ? [tracing.activity] : []), createActivityInterceptor(log, metrics)],
          },
          ...(tracing && { sinks: tracing.sinks }),
          stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
          shutdownGraceTime: Math.max(0, shutdownGraceMs - CANCELLED_MARGIN_MS),
        }),
      ),
    );
  }
}

import assert from 'node:assert/strict';
import pg from 'pg';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type { ProgramOptions } from '../support/program.ts';
import {
  startParley,
  type StartOptions,
  type TestOrg,
  type TestParley,
  type TestProcess,
} from '../support/parley.ts';
import { BLOCKED } from '../support/wait-until-blocked.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startWorker, type RunningWorker } from '../../worker/start-worker.ts';
import { buildTemporalEnv, loadTestBundle, WorkerProcess } from '../support/worker.ts';
import { startReceiver, type ReceivedRequest, type Receiver } from './receiver.ts';
import type { TestSettings } from '../support/test-settings.ts';
import { findOpened } from '../support/find-opened.ts';

/**
 * Settings with an address at which no Temporal server listens, for tests that do not need it: connecting a
 * worker to Temporal costs time.
 */
export const NOWHERE = { TEMPORAL_ADDRESS: '127.0.0.1:9' };

/** Settings with long timeouts, for workers whose requests a test delays, or which a busy machine delays. */
const WORKER_ENV = {
  webhookTimeoutMs: 120000,
  webhookRetrySchedule: '1,1,1,1,1',
  PARLEY_SHUTDOWN_GRACE_MS: '4000',
};

/**
 * Starts a Parley whose workers tests may kill. Everything that a test starts through it ends with
 * the test.
 */
export function useWorkerProcesses(
  env: () => TestSettings = () => ({}),
  options: StartOptions = {},
): WorkerSuite {
  const suite = new WorkerSuite();
  before(async () => {
    suite.parley = await startParley({ ...buildTemporalEnv(), ...WORKER_ENV, ...env() }, options);
  });
  after(() => suite.parley.stop());
  beforeEach(async () => {
    suite.org = await suite.parley.buildOrg();
  });
  afterEach(() => suite.endTest());
  return suite;
}

export class WorkerSuite {
  parley!: TestParley;
  org!: TestOrg;
  readonly #workers: WorkerProcess[] = [];
  readonly #workersHere: RunningWorker[] = [];
  readonly #processesHere: TestProcess[] = [];
  readonly #receivers: Receiver[] = [];
  readonly #locks: HeldLock[] = [];

  async endTest(): Promise<void> {
    await Promise.all(this.#locks.splice(0).map((lock) => lock.release()));
    await Promise.all(this.#workers.splice(0).map((worker) => worker.end('SIGKILL')));
    await Promise.all(this.#workersHere.splice(0).map((worker) => worker.stop()));
    await Promise.all(this.#processesHere.splice(0).map((process) => process.stop()));
    await Promise.all(this.#receivers.splice(0).map((receiver) => receiver.close()));
    for (const table of ['webhooks', 'outbox']) await this.parley.database.sql(`DELETE FROM ${table}`);
  }

  /** Starts a worker in its own process. Resolves once the worker's relay runs. */
  async worker(env: TestSettings = {}, program: ProgramOptions = {}): Promise<WorkerProcess> {
    const worker = await this.lastingWorker(env, program);
    this.#workers.push(worker);
    return worker;
  }

  /** Starts a worker that continues to run after its test. */
  async lastingWorker(env: TestSettings = {}, program: ProgramOptions = {}): Promise<WorkerProcess> {
    const worker = new WorkerProcess(this.parley.runtime.settings, { ...WORKER_ENV, ...env }, program);
    await worker.waitForLog('worker is running');
    return worker;
  }

  /**
   * Starts a worker in this process, which costs a fifth of the time of a separate process. No test kills it.
   */
  async workerHere(): Promise<void> {
    this.#workersHere.push(await startWorker(this.parley.runtime, loadTestBundle()));
  }

  /** Starts another worker in this process that shares only the database and Temporal with the first worker. */
  async anotherHere(changes: Partial<Settings> = {}): Promise<RunningWorker> {
    const process = await this.parley.startAnother(changes);
    this.#processesHere.push(process);
    const worker = await startWorker(process.runtime, loadTestBundle());
    this.#workersHere.push(worker);
    return worker;
  }

  /** Expires all leases of deliveries, which dead workers may hold, and starts another worker. */
  async successor(): Promise<void> {
    await this.parley.database.sql('UPDATE webhook_deliveries SET lease_expires_at = now()');
    await this.workerHere();
  }

  async receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
    const started = await startReceiver(...args);
    this.#receivers.push(started);
    return started;
  }

  deliveries({ orgId } = this.org): Promise<Opened<WebhookDelivery>[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return findOpened(this.parley.database, WebhookDelivery, { where: { orgId }, order });
  }

  /** Waits until exactly this many webhook deliveries are delivered or have failed. */
  async waitUntilSettled(count: number): Promise<Opened<WebhookDelivery>[]> {
    const isOver = ({ status }: Pick<WebhookDelivery, 'status'>) =>
      status === 'delivered' || status === 'failed';
    let rows: Opened<WebhookDelivery>[] = [];
    await waitUntil(
      async () => (rows = await this.deliveries()).length === count && rows.every(isOver),
      `the end of ${count} deliveries`,
    );
    return rows;
  }

  /** Takes a database lock in a separate transaction, and keeps it until the test releases it. */
  async lock(statement: string, values: unknown[] = []): Promise<HeldLock> {
    const lock = await HeldLock.of(this.parley, statement, values);
    this.#locks.push(lock);
    return lock;
  }
}

export class HeldLock {
  readonly #client: pg.Client;
  readonly #database: Database;
  #ending: Promise<void> | undefined;

  private constructor(client: pg.Client, database: Database) {
    this.#client = client;
    this.#database = database;
  }

  static async of(
    { database, runtime }: Pick<TestParley, 'database' | 'runtime'>,
    statement: string,
    values: unknown[] = [],
  ): Promise<HeldLock> {
    const client = new pg.Client({ connectionString: runtime.settings.databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query(statement, values);
    return new HeldLock(client, database);
  }

  /** Waits until an SQL statement that contains the text is blocked by the lock. */
  async isWaitedForBy(text: string): Promise<void> {
    const find = () => this.#database.sql(`SELECT 1 ${BLOCKED} AND strpos(query, $1) > 0`, [text]);
    await waitUntil(async () => (await find()).length > 0, `"${text}" to wait for the lock`);
  }

  /** Terminates the SQL statements that wait for the lock, whose client is dead, before it releases the lock. */
  async releaseAfterEndingWaiters(): Promise<void> {
    await this.#database.sql(`SELECT pg_terminate_backend(pid) ${BLOCKED}`);
    await waitUntil(async () => (await this.#database.sql(`SELECT 1 ${BLOCKED}`)).length === 0, 'their end');
    await this.release();
  }

  async release(): Promise<void> {
    this.#ending ??= this.#client.end();
    await this.#ending;
  }
}

export const readDeliveryId = ({ headers }: ReceivedRequest) => String(headers['x-webhook-delivery']);

/** Asserts that each webhook delivery arrived this many times, and that no other delivery arrived. */
export function assertReceived(
  { requests }: Receiver,
  deliveries: readonly Pick<WebhookDelivery, 'id'>[],
  times = 1,
): void {
  const received = requests.map(readDeliveryId).sort();
  const expected = deliveries.flatMap(({ id }) => Array<string>(times).fill(id)).sort();
  assert.deepEqual(received, expected);
}

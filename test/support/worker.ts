import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client, Connection } from '@temporalio/client';
import {
  DefaultLogger,
  Runtime as TemporalRuntime,
  type ReplayWorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Document } from '../../entities/knowledge/document.entity.ts';
import { loadWorkflowBundle } from '../../worker/temporal/bundle.ts';
import { startWorker, type RunningWorker } from '../../worker/start-worker.ts';
import { readTestTemporalAddress } from './database.ts';
import { buildProgramArguments, type ProgramOptions } from './program.ts';
import { splitSettings, type TestSettings } from './test-settings.ts';
import { waitUntil } from './wait-until.ts';
import { shareWorkflowThreads } from './workflow-threads.ts';
import {
  startParley,
  type SharedParley,
  type StartOptions,
  type TestOrg,
  type TestParley,
} from './parley.ts';

let isRuntimeInstalled = false;

/** Loads the bundle of the built workflows. */
export function loadTestBundle(isTraced = false): WorkflowBundleOption {
  if (!isRuntimeInstalled) {
    TemporalRuntime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
    shareWorkflowThreads();
  }
  isRuntimeInstalled = true;
  return loadWorkflowBundle({ isTraced });
}

/**
 * Returns options for replaying workflows without debug mode. In debug mode, the stack of every later error
 * of this process would include the bundle.
 */
export function buildReplayOptions(isTraced: boolean): ReplayWorkerOptions & { debugMode: false } {
  const sinks = { exporter: { export: { fn: () => undefined } } };
  return { workflowBundle: loadTestBundle(isTraced), sinks, debugMode: false };
}

export interface TestParleyWithWorker extends TestParley {
  worker: RunningWorker;
  temporal: Client;
}

export type SharedParleyWithWorker = SharedParley & Pick<TestParleyWithWorker, 'temporal'>;

/** Returns settings that isolate a test's workflows on the shared Temporal server. */
export function buildTemporalEnv(): Record<string, string> {
  return { TEMPORAL_ADDRESS: readTestTemporalAddress(), PARLEY_TASK_QUEUE_PREFIX: `test-${newId()}` };
}

/** Starts the API and the worker in this process. */
export async function startParleyWithWorker(
  changes: TestSettings = {},
  options: StartOptions = {},
): Promise<TestParleyWithWorker> {
  const workflowBundle = loadTestBundle(options.tracing !== undefined);
  const parley = await startParley(
    {
      ...buildTemporalEnv(),
      PARLEY_SHUTDOWN_GRACE_MS: '4000',
      webhookTimeoutMs: 15000,
      generationTimeoutMs: 90000,
      readingBaseMs: 60000,
      ...changes,
    },
    options,
  );
  const worker = await startWorker(parley.runtime, workflowBundle);
  const { client: temporal, close } = createTemporalClient(parley.runtime.settings);
  return {
    ...parley,
    worker,
    temporal,
    stop: async () => {
      await worker.stop();
      await close();
      await parley.stop();
    },
  };
}

let shared: Promise<TestParleyWithWorker> | undefined;

/** Returns a Parley like `startSharedParley`, with a worker in this process. */
export function startSharedParleyWithWorker(): Promise<SharedParleyWithWorker> {
  return (shared ??= startParleyWithWorker());
}

/**
 * Returns a function that starts a worker in this process, and stops it after the test. The worker succeeds a
 * killed worker, and is not killed itself: a separate process costs five times as much.
 */
export function useSuccessor(parley: () => TestParley): () => Promise<void> {
  let successor: RunningWorker | undefined;
  afterEach(async () => {
    await successor?.stop();
    successor = undefined;
  });
  return async () => {
    successor = await startWorker(parley().runtime, loadTestBundle());
  };
}

export function createTemporalClient(settings: Pick<Settings, 'temporalAddress' | 'temporalNamespace'>) {
  const connection = Connection.lazy({ address: settings.temporalAddress ?? '' });
  const client = new Client({ connection, namespace: settings.temporalNamespace });
  return { client, close: () => connection.close() };
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A worker in a separate process, which ends with this process. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  #log = '';

  constructor(settings: Settings, changes: TestSettings = {}, program: ProgramOptions = {}) {
    const { env, values } = splitSettings(changes);
    this.#child = spawn(process.execPath, buildProgramArguments('worker', { ...program, values }), {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: settings.databaseUrl,
        TEMPORAL_ADDRESS: settings.temporalAddress,
        PARLEY_TASK_QUEUE_PREFIX: settings.temporalTaskQueue,
        PARLEY_HOME: settings.home,
        PARLEY_MASTER_KEY: settings.masterKey,
        PARLEY_OUTBOUND_ALLOW: settings.outboundAllow,
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children.add(this.#child);
    this.#child.once('exit', () => children.delete(this.#child));
    this.#child.stderr?.on('data', (chunk) => (this.#log += chunk));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get log(): string {
    return this.#log;
  }

  /** Resolves when the worker process has logged `text`. */
  async waitForLog(text: string): Promise<void> {
    await waitUntil(() => this.#log.includes(text) || this.#hasEnded, `the worker to log "${text}"`);
    if (!this.#log.includes(text)) throw new Error(`The worker ended early:\n${this.#log}`);
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const exited = this.#hasEnded ? undefined : once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
    return this.#child.exitCode;
  }
}

/** Creates a bot in the workspace; returns its id. */
export async function buildBot({ client }: TestOrg): Promise<string> {
  const { body, status } = await client.post('/api/bots', { name: 'Guide' });
  if (status !== 201) throw new Error(`The bot was not made: ${JSON.stringify(body)}`);
  return body.id as string;
}

/** Waits until a document is `indexed` or `failed`. */
export async function waitForTerminalState(
  { runtime }: Pick<TestParley, 'runtime'>,
  documentId: string,
): Promise<Document> {
  const { database } = runtime;
  let row: Document | null = null;
  await waitUntil(async () => {
    row = await database.manager.findOneBy<Document>('Document', { id: documentId });
    return row !== null && (row.status === 'indexed' || row.status === 'failed');
  }, `document ${documentId} to become indexed or failed`);
  return row!;
}

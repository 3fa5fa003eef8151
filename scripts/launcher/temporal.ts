import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { GuardedProcess, type StopStep } from './guarded-process.ts';
import type { Service } from './supervisor.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface TemporalOptions {
  /** Path of the `temporal` program. */
  binary: string;
  /** Folder for Temporal's log (`logs`) and its process id (`run`). */
  folder: string;
  port: number;
  /** Port of Temporal's HTTP API, with which the launcher checks whether the server is ready. */
  httpPort: number;
  /** Address of the web UI, which does not check the `Host` header. Undefined disables the web UI. */
  ui?: { host: string; port: number };
  /** Port of Temporal's metrics, which do not check the `Host` header. By default, any free port. */
  metricsPort?: number;
  namespace?: string;
  /** File of Temporal's database. By default, all its data is in memory. */
  databaseFile?: string;
  extraArgs?: string[];
}

/**
 * Search attributes that operators use to find workflows; every namespace has them. Temporal allows ten of
 * type Keyword, three of type KeywordList and three of type Text. Queries are the same for all types.
 */
export const searchAttributes = {
  OrgId: 'Keyword',
  BotId: 'Keyword',
  EndpointId: 'Keyword',
  DocumentId: 'Keyword',
  ConversationId: 'Keyword',
  DeliveryState: 'Keyword',
  IngestState: 'Keyword',
  InvitationState: 'Keyword',
  MailState: 'Keyword',
  EventName: 'Keyword',
  GenerationState: 'KeywordList',
  BookingState: 'KeywordList',
  AlertState: 'KeywordList',
  CalendarState: 'Text',
  PolicyId: 'Text',
} as const;

const STOP_STEPS: StopStep[] = [{ signal: 'SIGTERM', waitMs: 1000 }];

/**
 * Setting of Temporal that enables fairness of task queues. The fairness key of a workflow is its workspace.
 * Workspaces are served in turn; within a workspace, tasks are served first in, first out.
 */
export const TEMPORAL_FAIRNESS = ['matching.useNewMatcher=true', 'matching.enableFairness=true'];

/**
 * Settings of Temporal that reduce polling by its internal workers, which are nearly idle here, and disable
 * metrics of single queues, which no program reads.
 */
const FRUGAL_CONFIG = [
  'worker.ScannerMaxConcurrentActivityTaskPollers=1',
  'worker.ScannerMaxConcurrentWorkflowTaskPollers=2',
  'worker.ParentCloseMaxConcurrentActivityTaskPollers=1',
  'worker.ParentCloseMaxConcurrentWorkflowTaskPollers=2',
  'metrics.breakdownByTaskQueue=false',
  'metrics.breakdownByPartition=false',
];

/**
 * Settings that change defaults of Temporal's development server, which polls slowly and reloads the search
 * attributes on each use. It also splits a task queue into four partitions; three of them only forward tasks,
 * and retry forever if no worker runs.
 */
const DYNAMIC_CONFIG = [
  ...FRUGAL_CONFIG,
  'matching.numTaskqueueWritePartitions=1',
  'history.transferProcessorMaxPollRPS=500',
  'history.timerProcessorMaxPollRPS=500',
  'system.forceSearchAttributesCacheRefreshOnRead=false',
  ...TEMPORAL_FAIRNESS,
];

/**
 * Settings for Temporal servers that start empty, such as those of tests. Timers fire within 10 ms instead of
 * one second, which would cost a long-running server too much. Task queues have one partition to read,
 * because all tasks are written to the first partition.
 */
export const TEST_FLAGS = repeatFlag('--dynamic-config-value', [
  'history.timerProcessorMaxTimeShift="10ms"',
  'matching.numTaskqueueReadPartitions=1',
]);

export class TemporalService implements Service {
  readonly name = 'temporal';
  readonly label = 'Temporal';
  readonly address: string;
  /**
   * The only `Host` header that Temporal's HTTP API accepts, and therefore a secret. The API has no
   * authentication and would accept signals from any web page in a local browser. A web page cannot set the
   * header.
   */
  readonly #httpHost = `${randomBytes(16).toString('hex')}.invalid`;
  readonly #options: TemporalOptions;

  constructor(options: TemporalOptions) {
    this.#options = options;
    this.address = `127.0.0.1:${options.port}`;
  }

  spawn(): GuardedProcess {
    const { binary, folder } = this.#options;
    return new GuardedProcess({
      name: this.name,
      command: binary,
      args: this.#args(),
      env: process.env,
      stopSteps: STOP_STEPS,
      folder,
    });
  }

  async ready(process: GuardedProcess): Promise<void> {
    const { httpPort, namespace = 'default' } = this.#options;
    const path = `/api/v1/namespaces/${namespace}/search-attributes`;
    await waitUntilReady(process, this.label, 60_000, async () => {
      // Send the request with Node's `get`, because `fetch` does not allow setting the `Host` header.
      const request = get({
        host: '127.0.0.1',
        port: httpPort,
        path,
        headers: { host: this.#httpHost },
        timeout: 2000,
      });
      request.once('timeout', () => request.destroy(new Error('it does not respond')));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      if (response.statusCode !== 200) throw new Error(`it responds with status ${response.statusCode}`);
    });
  }

  #args(): string[] {
    const { port, httpPort, ui, metricsPort, namespace, databaseFile, extraArgs = [] } = this.#options;
    const args = ['server', 'start-dev', '--log-level', 'warn', '--ip', '127.0.0.1'];
    args.push('--port', String(port), '--http-port', String(httpPort));
    args.push(...(ui ? ['--ui-ip', ui.host, '--ui-port', String(ui.port)] : ['--headless']));
    if (metricsPort !== undefined) args.push('--metrics-port', String(metricsPort));
    if (namespace !== undefined) args.push('--namespace', namespace);
    if (databaseFile !== undefined) {
      args.push('--db-filename', databaseFile);
      args.push(...repeatFlag('--sqlite-pragma', ['journal_mode=wal', 'synchronous=normal']));
    }
    const onlyHost = `frontend.httpAllowedHosts=["${this.#httpHost}"]`;
    args.push(...repeatFlag('--dynamic-config-value', [...DYNAMIC_CONFIG, onlyHost]));
    args.push(
      ...repeatFlag(
        '--search-attribute',
        Object.entries(searchAttributes).map((attribute) => attribute.join('=')),
      ),
    );
    return [...args, ...extraArgs];
  }
}

function repeatFlag(flag: string, values: string[]): string[] {
  return values.flatMap((value) => [flag, value]);
}

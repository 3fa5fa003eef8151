import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { GuardedProcess, type StopStep } from './guarded-process.ts';
import type { Service } from './supervisor.ts';
import { untilReady } from './until-ready.ts';

export interface TemporalOptions {
  /** Path of the `temporal` command line program. */
  binary: string;
  /** Holds `logs` and `run`. */
  folder: string;
  port: number;
  /** Port of its HTTP API, which tells when it is ready. */
  httpPort: number;
  /** Where its web UI listens, which answers requests for any `Host`. No web UI without it. */
  ui?: { host: string; port: number };
  namespace?: string;
  /** Without a file everything is kept in memory. */
  databaseFile?: string;
  extraArgs?: string[];
}

/**
 * Registered on every namespace of Parley; operators find workflows by them. Temporal has room for ten of the type Keyword, for three
 * lists of them and for three texts, which are searched in the same way.
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

/** Workspaces, the fairness keys of their workflows, take turns; otherwise tasks go out in the order in which they came. */
export const TEMPORAL_FAIRNESS = ['matching.useNewMatcher=true', 'matching.enableFairness=true'];

/**
 * Temporal's own workers, which have next to nothing to do here, poll as little as they may; and nobody looks at its metrics,
 * which otherwise are kept for each queue.
 */
const FRUGAL = [
  'worker.ScannerMaxConcurrentActivityTaskPollers=1',
  'worker.ScannerMaxConcurrentWorkflowTaskPollers=2',
  'worker.ParentCloseMaxConcurrentActivityTaskPollers=1',
  'worker.ParentCloseMaxConcurrentWorkflowTaskPollers=2',
  'metrics.breakdownByTaskQueue=false',
  'metrics.breakdownByPartition=false',
];

/**
 * The defaults of the development server poll slowly and reread the attributes on each use. They spread a queue over four
 * partitions, of which three forward what they get to the first; for queues without a worker they try that without end.
 */
const DYNAMIC_CONFIG = [
  ...FRUGAL,
  'matching.numTaskqueueWritePartitions=1',
  'history.transferProcessorMaxPollRPS=500',
  'history.timerProcessorMaxPollRPS=500',
  'system.forceSearchAttributesCacheRefreshOnRead=false',
  ...TEMPORAL_FAIRNESS,
];

/**
 * For servers that have no history yet. Timers keep to 10 ms instead of a second, which is too much work for a long one. Queues
 * have one partition: what waits in others would not be read again.
 */
export const FOR_TESTS = repeat('--dynamic-config-value', [
  'history.timerProcessorMaxTimeShift="10ms"',
  'matching.numTaskqueueReadPartitions=1',
]);

export class TemporalService implements Service {
  readonly name = 'temporal';
  readonly label = 'Temporal';
  readonly address: string;
  /**
   * The only one that Temporal's HTTP API takes, and a secret. That API asks nobody who they are, and takes signals from any
   * page that a browser on this machine shows; a page cannot choose the name.
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
    await untilReady(process, this.label, 60_000, async () => {
      // fetch does not let anybody choose the host.
      const asked = get({
        host: '127.0.0.1',
        port: httpPort,
        path,
        headers: { host: this.#httpHost },
        timeout: 2000,
      });
      asked.once('timeout', () => asked.destroy(new Error('it does not answer')));
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      response.resume();
      if (response.statusCode !== 200) throw new Error(`it answers ${response.statusCode}`);
    });
  }

  #args(): string[] {
    const { port, httpPort, ui, namespace, databaseFile, extraArgs = [] } = this.#options;
    const args = ['server', 'start-dev', '--log-level', 'warn', '--ip', '127.0.0.1'];
    args.push('--port', String(port), '--http-port', String(httpPort));
    args.push(...(ui ? ['--ui-ip', ui.host, '--ui-port', String(ui.port)] : ['--headless']));
    if (namespace !== undefined) args.push('--namespace', namespace);
    if (databaseFile !== undefined) {
      args.push('--db-filename', databaseFile);
      args.push(...repeat('--sqlite-pragma', ['journal_mode=wal', 'synchronous=normal']));
    }
    const onlyHost = `frontend.httpAllowedHosts=["${this.#httpHost}"]`;
    args.push(...repeat('--dynamic-config-value', [...DYNAMIC_CONFIG, onlyHost]));
    args.push(
      ...repeat(
        '--search-attribute',
        Object.entries(searchAttributes).map((attribute) => attribute.join('=')),
      ),
    );
    return [...args, ...extraArgs];
  }
}

function repeat(flag: string, values: string[]): string[] {
  return values.flatMap((value) => [flag, value]);
}

import { DEMO_PAGE } from '../../api/browser/demo-page.ts';
import { mailPagesLink } from '../../api/mail/mail-pages-access.ts';
import { NO_MODEL } from '../../core/settings/embedding-settings.ts';
import { loadSettings, type Settings } from '../../core/settings/settings.ts';
import { ApplicationService } from './application.ts';
import { databaseProblem, inspectDatabase } from './database-check.ts';
import { fetchedModel } from './embedding-model.ts';
import { Home } from './home.ts';
import { LaunchError, reasonOf } from './launch-error.ts';
import { claimPorts } from './ports.ts';
import { PostgresService } from './postgres.ts';
import { Preparation } from './preparation.ts';
import { ownerScreen, runningScreen } from './screen.ts';
import { Supervisor } from './supervisor.ts';
import { resolveTemporalBinary } from './temporal-binary.ts';
import { TemporalService } from './temporal.ts';

type Environment = Record<string, string>;
type Ports = Record<
  | 'api'
  | 'database'
  | 'temporal'
  | 'temporalUi'
  | 'temporalHttp'
  | 'metrics'
  | 'workerMetrics'
  | 'temporalMetrics',
  number
>;

/** Brings all of Parley up on one machine and takes it down again. */
export class Launcher {
  readonly #settings: Settings;
  readonly #say: (line: string) => void;
  readonly #home: Home;
  readonly #supervisor: Supervisor;
  readonly #cancel = new AbortController();
  #isLocked = false;

  constructor(settings: Settings, say: (line: string) => void) {
    this.#settings = settings;
    this.#say = say;
    this.#home = new Home(settings.home);
    this.#supervisor = new Supervisor(say);
  }

  /** @throws LaunchError when Parley cannot come up, or when a part of it keeps failing later. */
  async run(): Promise<never> {
    const startedAt = Date.now();
    this.#home.lock();
    this.#isLocked = true;
    await this.#home.clearLeftovers(this.#say);
    const ports = await this.#claimPorts();
    const environment: Environment = {
      PARLEY_HOME: this.#home.folder,
      PORT: String(ports.api),
      PARLEY_MASTER_KEY: this.#settings.masterKey ?? this.#home.secrets().masterKey,
      PARLEY_DEMO_PAGE: String(this.#hasDemoPage()),
      ...this.#ownModel(),
    };
    this.#say('Starting PostgreSQL and Temporal …');
    const preparation = new Preparation();
    const [database, temporal] = await Promise.all([
      this.#startDatabase(ports.database),
      this.#startTemporal(ports),
    ]);
    Object.assign(environment, database, temporal.environment);
    const settings = loadSettings({ ...process.env, ...environment });
    this.#say('Migrating the database, then starting the API and the worker …');
    const owner = await preparation.run(environment);
    await this.#startApplication(settings, environment);
    this.#home.writeRuntime(environment);
    const { baseUrl } = settings;
    const demo = settings.demoPage ? `${baseUrl}${DEMO_PAGE}` : undefined;
    const tookMs = Date.now() - startedAt;
    const mails = mailPagesLink(settings);
    this.#say(
      runningScreen({
        baseUrl,
        demo,
        temporalUi: temporal.ui,
        mails,
        embeddings: embeddingsOf(settings),
        home: this.#home.folder,
        tookMs,
      }),
    );
    if (owner.created) this.#say(ownerScreen(owner));
    this.#say('\nPress Ctrl-C to stop.');
    return this.#supervisor.failed;
  }

  /** Drains the API and the worker, then stops what they depend on. */
  async stop(): Promise<void> {
    this.#cancel.abort();
    await this.#supervisor.stop((service) => service instanceof ApplicationService);
    await this.#supervisor.stop();
    if (this.#isLocked) this.#home.unlock();
  }

  async kill(): Promise<void> {
    this.#cancel.abort();
    await this.#supervisor.kill();
    if (this.#isLocked) this.#home.unlock();
  }

  /** Behind https or proxies strangers may be among the callers. */
  #hasDemoPage(): boolean {
    const { demoPage, baseUrl, trustedProxies } = this.#settings;
    if (process.env['PARLEY_DEMO_PAGE']) return demoPage;
    return trustedProxies === 0 && !baseUrl.startsWith('https:');
  }

  /** The model that was fetched, where the settings name none. */
  #ownModel(): Environment {
    const { embeddingBaseUrl, embeddingModelPath } = this.#settings;
    if (embeddingBaseUrl !== undefined || embeddingModelPath !== undefined) return {};
    const path = fetchedModel(process.env);
    return path === undefined ? {} : { PARLEY_EMBEDDING_MODEL_PATH: path };
  }

  /** All at once and before anything starts; a part that is set to a server elsewhere takes any free one. */
  #claimPorts(): Promise<Ports> {
    const { host, port, databaseUrl, databasePort, temporalAddress, temporalPort, temporalUiPort } =
      this.#settings;
    const { metricsHost, metricsPort, workerMetricsPort, temporalMetricsPort } = this.#settings;
    const metrics = (own: number | undefined, of: string, setting: string) => ({
      port: own ?? 0,
      host: metricsHost,
      purpose: `the metrics of ${of}`,
      setting,
    });
    const unlessElsewhere = (address: string | undefined, own: number) => (address === undefined ? own : 0);
    return claimPorts({
      api: { port, host, purpose: 'the API', setting: 'PORT' },
      database: {
        port: unlessElsewhere(databaseUrl, databasePort),
        purpose: 'the embedded PostgreSQL',
        setting: 'DATABASE_PORT',
      },
      temporal: {
        port: unlessElsewhere(temporalAddress, temporalPort),
        purpose: 'Temporal',
        setting: 'TEMPORAL_PORT',
      },
      temporalUi: {
        port: unlessElsewhere(temporalAddress, temporalUiPort),
        purpose: 'Temporal’s web UI',
        setting: 'TEMPORAL_UI_PORT',
      },
      temporalHttp: { port: 0, purpose: 'Temporal’s HTTP API', setting: 'TEMPORAL_PORT' },
      metrics: metrics(metricsPort, 'the API', 'PARLEY_METRICS_PORT'),
      workerMetrics: metrics(workerMetricsPort, 'the worker', 'PARLEY_WORKER_METRICS_PORT'),
      temporalMetrics: metrics(temporalMetricsPort, 'Temporal’s SDK', 'PARLEY_TEMPORAL_METRICS_PORT'),
    });
  }

  async #startDatabase(port: number): Promise<Environment> {
    const { databaseUrl } = this.#settings;
    if (databaseUrl !== undefined) {
      await assertUsable(databaseUrl);
      return { DATABASE_URL: databaseUrl };
    }
    const postgres = new PostgresService({
      folder: this.#home.folder,
      dataFolder: this.#home.path('postgres'),
      port,
      ...this.#home.databasePasswords(),
    });
    await this.#supervisor.start(postgres);
    return { DATABASE_URL: postgres.url() };
  }

  async #startTemporal(ports: Ports): Promise<{ environment: Environment; ui: string }> {
    const { temporalAddress, temporalNamespace } = this.#settings;
    if (temporalAddress !== undefined) {
      await useTemporalAt(temporalAddress, temporalNamespace);
      return {
        environment: { TEMPORAL_ADDRESS: temporalAddress },
        ui: `that of the server at ${temporalAddress}`,
      };
    }
    const binary = await resolveTemporalBinary({
      home: this.#home.folder,
      env: process.env,
      say: this.#say,
      signal: this.#cancel.signal,
    });
    const temporal = new TemporalService({
      binary,
      folder: this.#home.folder,
      port: ports.temporal,
      httpPort: ports.temporalHttp,
      uiPort: ports.temporalUi,
      namespace: temporalNamespace,
      databaseFile: this.#home.path('temporal.db'),
    });
    await this.#supervisor.start(temporal);
    return {
      environment: { TEMPORAL_ADDRESS: temporal.address },
      ui: `http://127.0.0.1:${ports.temporalUi}`,
    };
  }

  async #startApplication(settings: Settings, environment: Environment): Promise<void> {
    const options = {
      folder: this.#home.folder,
      env: { ...process.env, ...environment },
      graceMs: settings.shutdownGraceMs,
    };
    const host = settings.host === '0.0.0.0' || settings.host === '::' ? 'localhost' : settings.host;
    const readyUrl = `http://${host.includes(':') ? `[${host}]` : host}:${settings.port}/api/health/ready`;
    await Promise.all([
      this.#supervisor.start(new ApplicationService('api', options, readyUrl)),
      this.#supervisor.start(new ApplicationService('worker', options)),
    ]);
  }
}

/** What finds passages by their meaning. */
function embeddingsOf(settings: Settings): string {
  const { embeddingBaseUrl, embeddingModel, embeddingModelPath } = settings;
  if (embeddingBaseUrl !== undefined) return `${embeddingModel} at ${embeddingBaseUrl}`;
  return embeddingModelPath === undefined || embeddingModelPath === NO_MODEL
    ? 'none; `npm run parley -- embeddings fetch` gets a small model'
    : `${embeddingModelPath}, on this machine`;
}

async function assertUsable(databaseUrl: string): Promise<void> {
  let problem: string | undefined;
  try {
    problem = databaseProblem(await inspectDatabase(databaseUrl));
  } catch (error) {
    problem = `The database of DATABASE_URL cannot be reached: ${reasonOf(error)}.`;
  }
  if (problem !== undefined) throw new LaunchError(problem);
}

async function useTemporalAt(address: string, namespace: string): Promise<void> {
  const { registerSearchAttributes } = await import('./search-attributes.ts');
  try {
    await registerSearchAttributes(address, namespace);
  } catch (error) {
    throw new LaunchError(
      `Temporal at ${address} (TEMPORAL_ADDRESS), namespace "${namespace}", cannot be used: ${reasonOf(error)}.`,
    );
  }
}

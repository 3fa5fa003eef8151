import { createHmac, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { endProcesses, type StopStep } from './guarded-process.ts';
import { LaunchError } from './launch-error.ts';
import { identifyProcess, isRunning, waitUntilGone, type ProcessIdentity } from './process-identity.ts';

export interface Secrets {
  databasePassword: string;
  masterKey: string;
}

export interface DatabasePasswords {
  password: string;
  administratorPassword: string;
}

/** Data about the running Parley that other commands read from the data folder. */
interface RuntimeFile {
  launcher: ProcessIdentity;
  environment: Record<string, string>;
}

/** Maximum wait in milliseconds for the exit of processes that a killed launcher has left. */
const LEFTOVER_WAIT_MS = 10_000;
const LEFTOVER_STEPS: StopStep[] = [{ signal: 'SIGINT', waitMs: 3000 }];

const NO_PERMISSION = (home: string) => `You have no permission to create ${home}.`;
/** Messages for errors of the file system when Parley creates the data folder. */
const CREATION_FAULTS: Readonly<Record<string, (home: string) => string>> = {
  EEXIST: (home) => `${home} is a file, not a folder.`,
  ENOTDIR: (home) => `A part of the path ${home} is a file, not a folder.`,
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: (home) => `${home} cannot be created: its disk is read-only.`,
};

/** The folder with all data of `npm start` (`PARLEY_HOME`). The folder belongs to one launcher at a time. */
export class ParleyHome {
  readonly folder: string;
  readonly #lockFile: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
    this.#lockFile = join(this.folder, 'launcher.lock');
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /**
   * Locks the data folder for this launcher.
   * @throws LaunchError with the folder and the pid if another launcher owns it
   */
  lock(): void {
    this.#create();
    // Permit others to enter the data folder if Parley runs as root: PostgreSQL then runs with another
    // account.
    chmodSync(this.folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    const ownLockFile = `${this.#lockFile}.${process.pid}`;
    writeFileSync(ownLockFile, JSON.stringify(identifyProcess(process.pid)), { mode: 0o600 });
    try {
      while (!this.#claim(ownLockFile)) this.#removeStaleLock();
    } finally {
      rmSync(ownLockFile, { force: true });
    }
  }

  /** @throws LaunchError if the data folder cannot be created */
  #create(): void {
    try {
      mkdirSync(this.folder, { recursive: true });
    } catch (error) {
      const describe = CREATION_FAULTS[String((error as NodeJS.ErrnoException).code)];
      throw describe ? new LaunchError(describe(`PARLEY_HOME ${this.folder}`)) : error;
    }
  }

  unlock(): void {
    rmSync(this.path('runtime.json'), { force: true });
    rmSync(this.#lockFile, { force: true });
  }

  /** Waits for processes that a killed launcher has left in the data folder, and stops processes that do not exit. */
  async clearLeftovers(report: (line: string) => void): Promise<void> {
    const files = existsSync(this.path('run'))
      ? readdirSync(this.path('run')).map((name) => this.path('run', name))
      : [];
    const runs = files.map((file) => readJson<ProcessIdentity[]>(file) ?? []);
    const leftovers = runs.flat().filter(isRunning);
    if (leftovers.length > 0) report('The previous run was killed; waiting for its processes to end.');
    const unguarded = runs.filter(([guard]) => guard && !isRunning(guard));
    await endProcesses(unguarded.flat(), LEFTOVER_STEPS);
    if (!(await waitUntilGone(leftovers, LEFTOVER_WAIT_MS))) await endProcesses(leftovers, LEFTOVER_STEPS);
    for (const file of files) rmSync(file, { force: true });
  }

  /** Returns the master key of an existing installation; undefined if secrets.json is missing or damaged. */
  findMasterKey(): string | undefined {
    return readJson<Partial<Secrets>>(this.path('secrets.json'))?.masterKey;
  }

  /** Returns the secrets of this installation, such as its master key. Creates them on the first start. */
  secrets(): Secrets {
    const file = this.path('secrets.json');
    const known = readJson<Secrets>(file);
    if (known) return known;
    if (existsSync(this.path('postgres'))) {
      throw new LaunchError(
        `${file} is missing or damaged. It contains the password and keys of the existing ${this.path('postgres')}.\n` +
          'Restore the file from a backup, or move the whole folder away to start over.',
      );
    }
    const secrets = {
      databasePassword: randomBytes(24).toString('base64url'),
      masterKey: randomBytes(32).toString('base64'),
    };
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    return secrets;
  }

  /**
   * Derives the password of the database's superuser from the other secrets, which secrets.json therefore
   * need not store.
   */
  deriveDatabasePasswords(): DatabasePasswords {
    const { databasePassword, masterKey } = this.secrets();
    const derived = createHmac('sha256', masterKey).update(`database administrator ${databasePassword}`);
    return { password: databasePassword, administratorPassword: derived.digest('base64url') };
  }

  writeRuntime(environment: Record<string, string>): void {
    const launcher = identifyProcess(process.pid);
    writeFileSync(this.path('runtime.json'), JSON.stringify({ launcher, environment }), { mode: 0o600 });
  }

  /** Returns the settings of the Parley that is running with this folder; empty if no Parley is running. */
  readRunningEnvironment(): Record<string, string> {
    const runtime = readJson<RuntimeFile>(this.path('runtime.json'));
    return runtime && isRunning(runtime.launcher) ? runtime.environment : {};
  }

  #claim(own: string): boolean {
    try {
      linkSync(own, this.#lockFile);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  #removeStaleLock(): void {
    this.#refuseIfOwned(readJson<ProcessIdentity>(this.#lockFile));
    const aside = `${this.#lockFile}.stale.${process.pid}`;
    try {
      renameSync(this.#lockFile, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    const moved = readJson<ProcessIdentity>(aside);
    if (moved && isRunning(moved)) linkSync(aside, this.#lockFile);
    rmSync(aside);
    this.#refuseIfOwned(moved);
  }

  #refuseIfOwned(holder: ProcessIdentity | undefined): void {
    if (!holder || !isRunning(holder)) return;
    throw new LaunchError(
      `Parley is already running in ${this.folder} (process ${holder.pid}).\n` +
        'Stop it first, or set PARLEY_HOME to another folder (and other ports) to run a second instance.',
    );
  }
}

/** Parses a JSON file; undefined if the file is missing or truncated. */
function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

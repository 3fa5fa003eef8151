import { randomBytes } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { StoredObject } from '../../adapters/storage/object-storage.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { formatSize } from '../../core/text/size-text.ts';
import { migrations } from '../../entities/data-source.ts';
import {
  assertAuthentic,
  type BackupManifest,
  digestMasterKey,
  KEY_FILE,
  readManifest,
} from '../backup/backup-manifest.ts';
import { withSession } from '../backup/dump-database.ts';
import { assertLoadable, loadDatabase } from '../backup/load-database.ts';
import { readPart, verifyParts } from '../backup/read-part.ts';
import { describeDatabaseProblem, inspectDatabase } from '../launcher/database-check.ts';
import { ParleyHome } from '../launcher/parley-home.ts';
import { LaunchError } from '../launcher/launch-error.ts';
import { findFreePorts } from '../launcher/ports.ts';
import { PostgresService } from '../launcher/postgres.ts';
import { startOnce } from '../launcher/supervisor.ts';
import { TEMPORAL_FILES } from './backup.ts';

export interface RestoreOptions {
  /** Absolute path of the backup that is restored. */
  folder: string;
  /** True to replace existing data of the installation. */
  mayReplace: boolean;
  /** True to accept a backup that only the master key in the backup itself authenticates. */
  trustsBackupKey: boolean;
}

type Report = (line: string) => void;

/** Size in bytes that no file of a master key reaches. */
const MAX_KEY_BYTES = 1000;

/**
 * Entries of the data folder that belong to an installation, in the order in which the restore puts them in
 * place.
 */
const INSTALLED = ['secrets.json', 'files', ...TEMPORAL_FILES, 'temporal.db-shm', 'postgres'];

/**
 * Restores a backup into `PARLEY_HOME`, and into the database of `DATABASE_URL` if this setting is set. If
 * anything fails, the folder and the database stay as they were.
 * @param settings settings of the environment alone, without the settings of a running Parley
 * @throws LaunchError if the backup is damaged, or if data exists that `mayReplace` does not permit to
 *   replace
 */
export async function restore(settings: Settings, options: RestoreOptions, report: Report): Promise<void> {
  const { folder: source, mayReplace } = options;
  const startedAt = Date.now();
  const manifest = readManifest(
    source,
    migrations.map(({ name }) => name),
  );
  const home = new ParleyHome(settings.home);
  home.lock();
  try {
    const existing = INSTALLED.filter((name) => existsSync(home.path(name)));
    if (existing.length > 0 && !mayReplace)
      throw new LaunchError(
        `${home.folder} already contains ${existing.join(', ')}. Use an empty folder, or --replace.`,
      );
    if (settings.databaseUrl !== undefined) await assertUsable(settings.databaseUrl, manifest, mayReplace);
    const masterKey = await chooseMasterKey(settings, home, options, manifest);
    assertAuthentic(manifest, masterKey);
    report(`Checking the backup of ${manifest.createdAt} …`);
    assertSpace(home, manifest, settings.databaseUrl === undefined);
    await verifyParts(source, manifest.files);
    const staging = await prepareStaging(home, report);
    await copyParts(source, staging, manifest);
    writeSecrets(staging, masterKey);
    report('Loading the database …');
    if (settings.databaseUrl === undefined) await loadIntoNewCluster(source, staging, manifest);
    else await loadDatabase(settings.databaseUrl, source, manifest);
    putInPlace(staging, home, report);
  } finally {
    rmSync(stagingFolder(home), { recursive: true, force: true });
    home.unlock();
  }
  report(`Restored into ${home.folder} in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

async function assertUsable(
  databaseUrl: string,
  manifest: BackupManifest,
  mayReplace: boolean,
): Promise<void> {
  const problem = describeDatabaseProblem(await inspectDatabase(databaseUrl));
  if (problem !== undefined) throw new LaunchError(problem);
  await assertLoadable(databaseUrl, manifest, mayReplace);
}

/**
 * Returns the master key that must have authenticated the backup. It is the key of the settings, else of the
 * existing data folder, else of the backup itself if the operator trusts it.
 * @throws LaunchError if there is no such key, or if it is not the key of the backup
 */
async function chooseMasterKey(
  settings: Settings,
  home: ParleyHome,
  { folder, trustsBackupKey }: RestoreOptions,
  { files, masterKeyDigest }: BackupManifest,
): Promise<string> {
  const isRight = (key: string): boolean => digestMasterKey(key) === masterKeyDigest;
  if (settings.masterKey !== undefined) {
    if (isRight(settings.masterKey)) return settings.masterKey;
    throw new LaunchError('PARLEY_MASTER_KEY is not the key of the Parley that was backed up.');
  }
  const existing = home.findMasterKey();
  if (existing !== undefined && isRight(existing)) return existing;
  const described = Object.hasOwn(files, KEY_FILE) ? files[KEY_FILE] : undefined;
  const keyFile = described && join(folder, KEY_FILE);
  if (described === undefined || !trustsBackupKey)
    throw createKeyError(keyFile, existing === undefined ? undefined : home.path('secrets.json'));
  const key = await readKeyFile(folder, described);
  if (isRight(key)) return key;
  throw new LaunchError(`The backup is damaged: ${keyFile} is not the key of the Parley that was backed up.`);
}

/**
 * Returns an error that explains which master key a restore needs.
 * @param keyFile file of the key in the backup
 * @param secretsFile file of another key in the data folder
 */
function createKeyError(keyFile: string | undefined, secretsFile: string | undefined): LaunchError {
  const hint = 'Set PARLEY_MASTER_KEY to the key of the Parley that was backed up';
  const consent =
    keyFile === undefined ? '' : ', or pass --trust-backup-key if no one else had write access to the backup';
  if (secretsFile !== undefined)
    return new LaunchError(
      `The key in ${secretsFile} is not the key of ${keyFile ?? 'the backup'}. ${hint}${consent}.`,
    );
  if (keyFile === undefined) return new LaunchError(`The backup has no master key. ${hint}.`);
  return new LaunchError(`${keyFile} does not prove that the backup is unchanged. ${hint}${consent}.`);
}

async function readKeyFile(folder: string, described: StoredObject): Promise<string> {
  if (described.sizeBytes > MAX_KEY_BYTES)
    throw new LaunchError(`The backup is damaged: ${KEY_FILE} is larger than a key.`);
  return (await readPart(folder, KEY_FILE, described, text)).trim();
}

/**
 * Compares the size of what the restore writes with the free disk space, so that it does not fill the disk.
 * @throws LaunchError that names both sizes
 */
function assertSpace(home: ParleyHome, { files, tables }: BackupManifest, hasOwnDatabase: boolean): void {
  const copied = Object.entries(files).filter(([path]) => isCopied(path));
  const sizes = copied.map(([, { sizeBytes }]) => sizeBytes);
  if (hasOwnDatabase) sizes.push(...Object.values(tables).map(({ sizeBytes = 0 }) => sizeBytes));
  const neededBytes = sizes.reduce((sum, size) => sum + size, 0);
  const { bavail, bsize } = statfsSync(home.folder);
  if (neededBytes > bavail * bsize)
    throw new LaunchError(
      `The restore needs ${formatSize(neededBytes)} of disk space; the disk of ${home.folder} has ${formatSize(bavail * bsize)} left.`,
    );
}

/**
 * Returns the folder in which the restore prepares all files. This folder is inside the data folder, which
 * may be a mount point that cannot be renamed.
 */
function stagingFolder(home: ParleyHome): string {
  return home.path('restore.partial');
}

async function prepareStaging(home: ParleyHome, report: Report): Promise<ParleyHome> {
  const staging = new ParleyHome(stagingFolder(home));
  await staging.clearLeftovers(report);
  rmSync(staging.folder, { recursive: true, force: true });
  staging.lock();
  return staging;
}

/** Returns whether a file of the backup becomes a file of the data folder. */
function isCopied(path: string): boolean {
  return path.startsWith('files/') || TEMPORAL_FILES.includes(path);
}

async function copyParts(source: string, staging: ParleyHome, { files }: BackupManifest): Promise<void> {
  for (const [path, described] of Object.entries(files)) {
    if (!isCopied(path)) continue;
    mkdirSync(dirname(staging.path(path)), { recursive: true, mode: 0o700 });
    await readPart(source, path, described, (content) =>
      pipeline(content, createWriteStream(staging.path(path), { flags: 'wx', mode: 0o600, flush: true })),
    );
  }
}

function writeSecrets(staging: ParleyHome, masterKey: string): void {
  const secrets = { databasePassword: randomBytes(24).toString('base64url'), masterKey };
  writeFileSync(staging.path('secrets.json'), `${JSON.stringify(secrets, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
}

async function loadIntoNewCluster(
  source: string,
  staging: ParleyHome,
  manifest: BackupManifest,
): Promise<void> {
  const [port = 0] = await findFreePorts(1);
  const postgres = new PostgresService({
    folder: staging.folder,
    dataFolder: staging.path('postgres'),
    port,
    ...staging.deriveDatabasePasswords(),
  });
  const server = await startOnce(postgres);
  try {
    await loadDatabase(postgres.url(), source, manifest);
    // Run a checkpoint of PostgreSQL, so that the server stops within its timeout.
    await withSession(postgres.url(), 'parley-restore', (client) => client.query('CHECKPOINT'));
  } finally {
    await server.stop();
  }
}

/**
 * Moves the prepared files and folders into the data folder. Existing ones move into a folder `replaced-…`,
 * which remains.
 */
function putInPlace(staging: ParleyHome, home: ParleyHome, report: Report): void {
  const replaced = home.path(`replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  const moves = [
    ...INSTALLED.map((name) => [home.path(name), join(replaced, name)] as const),
    ...INSTALLED.map((name) => [staging.path(name), home.path(name)] as const),
  ];
  const doneMoves: (typeof moves)[number][] = [];
  try {
    for (const move of moves) {
      const [from, to] = move;
      if (!existsSync(from)) continue;
      if (to.startsWith(replaced)) mkdirSync(replaced, { recursive: true, mode: 0o700 });
      renameSync(from, to);
      doneMoves.push(move);
    }
  } catch (error) {
    for (const [from, to] of doneMoves.toReversed()) renameSync(to, from);
    throw error;
  }
  if (existsSync(replaced))
    report(`The previous data is in ${replaced}. Delete it once the restored Parley works.`);
}

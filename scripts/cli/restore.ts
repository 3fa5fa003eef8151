import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../core/settings/settings.ts';
import { migrations } from '../../entities/data-source.ts';
import {
  assertAuthentic,
  assertRegularFile,
  type BackupManifest,
  digestMasterKey,
  KEY_FILE,
  readManifest,
  verifyFiles,
} from '../backup/backup-manifest.ts';
import { copyFile } from '../backup/copy-folder.ts';
import { withSession } from '../backup/dump-database.ts';
import { assertLoadable, loadDatabase } from '../backup/load-database.ts';
import { describeDatabaseProblem, inspectDatabase } from '../launcher/database-check.ts';
import { ParleyHome } from '../launcher/parley-home.ts';
import { LaunchError } from '../launcher/launch-error.ts';
import { findFreePorts } from '../launcher/ports.ts';
import { PostgresService } from '../launcher/postgres.ts';
import { startOnce } from '../launcher/supervisor.ts';
import { TEMPORAL_FILES } from './backup.ts';

export interface RestoreOptions {
  /** Absolute path of the backup. */
  folder: string;
  /** True to replace existing data. */
  mayReplace: boolean;
}

type Report = (line: string) => void;

/**
 * Entries of the data folder that belong to an installation, in the order in which the restore puts them in
 * place.
 */
const INSTALLED = ['secrets.json', 'files', ...TEMPORAL_FILES, 'temporal.db-shm', 'postgres'];

/**
 * Restores a backup into `PARLEY_HOME`, and into the database of `DATABASE_URL` if this setting is set. If
 * anything fails, folder and database stay as they were.
 * @param settings settings of the environment alone, without the settings of a running Parley
 * @throws LaunchError if the backup is damaged, or if data exists that `mayReplace` does not permit to
 *   replace
 */
export async function restore(
  settings: Settings,
  { folder: source, mayReplace }: RestoreOptions,
  report: Report,
): Promise<void> {
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
        `${home.folder} already has ${existing.join(', ')}. Use an empty folder, or --replace.`,
      );
    if (settings.databaseUrl !== undefined) await assertUsable(settings.databaseUrl, manifest, mayReplace);
    const masterKey = chooseMasterKey(settings, source, manifest);
    assertAuthentic(manifest, masterKey);
    report(`Checking the backup of ${manifest.createdAt} …`);
    await verifyFiles(source, manifest);
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
 * Returns the key of the settings, or the key in the backup.
 * @throws LaunchError if neither exists, or if the key is not the key of the backup
 */
function chooseMasterKey(
  { masterKey }: Settings,
  source: string,
  { files, masterKeyDigest }: BackupManifest,
): string {
  const key = masterKey ?? (KEY_FILE in files ? readKeyFile(source) : undefined);
  if (key === undefined)
    throw new LaunchError(
      'The backup has no master key. Set PARLEY_MASTER_KEY to the key of the Parley that was backed up.',
    );
  if (digestMasterKey(key) !== masterKeyDigest)
    throw new LaunchError('PARLEY_MASTER_KEY is not the key of the Parley that was backed up.');
  return key;
}

function readKeyFile(source: string): string {
  const file = join(realpathSync(source), KEY_FILE);
  assertRegularFile(file, KEY_FILE);
  return readFileSync(file, 'utf8').trim();
}

/**
 * Returns the folder in which everything is prepared. This folder is inside the data folder, which may be a
 * mount point that cannot be renamed.
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

async function copyParts(source: string, staging: ParleyHome, { files }: BackupManifest): Promise<void> {
  for (const path of Object.keys(files)) {
    if (path.startsWith('files/') || TEMPORAL_FILES.includes(path))
      await copyFile(join(source, path), staging.path(path));
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
    // Runs a checkpoint, so that the server stops within its timeout.
    await withSession(postgres.url(), 'parley-restore', (client) => client.query('CHECKPOINT'));
  } finally {
    await server.stop();
  }
}

/** Moves the prepared entries into the data folder. Existing entries move into a folder `replaced-…`, which remains. */
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

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredObject } from '../../adapters/storage/object-storage.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { formatSize } from '../../core/text/size-text.ts';
import {
  buildManifest,
  digestMasterKey,
  KEY_FILE,
  measureFile,
  writeManifest,
} from '../backup/backup-manifest.ts';
import { copyFolder } from '../backup/copy-folder.ts';
import { copyLiveSqlite } from '../backup/copy-sqlite.ts';
import { dumpDatabase } from '../backup/dump-database.ts';
import { ParleyHome } from '../launcher/parley-home.ts';
import { LaunchError } from '../launcher/launch-error.ts';

export interface BackupOptions {
  /** Absolute path of the new backup. */
  folder: string;
  /** True to include the master key in the backup. */
  withKeys: boolean;
}

/** Names of the files of Temporal's database and its write-ahead log. */
export const TEMPORAL_FILES = ['temporal.db', 'temporal.db-wal'];

/**
 * Saves a running Parley into a new folder. If anything fails, the folder does not exist.
 * @param report writes a line about the progress
 * @throws LaunchError if the folder has content, or if something cannot be saved
 */
export async function backUp(
  settings: Settings,
  { folder: target, withKeys }: BackupOptions,
  report: (line: string) => void,
): Promise<void> {
  const startedAt = Date.now();
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new LaunchError(`${target} is not empty. Specify a new or an empty folder.`);
  const masterKey = requireMasterKey(settings);
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  try {
    const files = await saveParts(settings, { folder: partial, masterKey, withKeys }, report);
    renameSync(partial, target);
    const sizes = Object.values(files).map(({ sizeBytes }) => sizeBytes);
    report(`${target}: ${describeSize(sizes)} in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Saves the stored files after the database rows: each row of the snapshot then has its file, except files
 * that were deleted during the backup.
 */
async function saveParts(
  { databaseUrl = '', home, storage }: Settings,
  { folder, masterKey, withKeys }: BackupOptions & { masterKey: string },
  report: (line: string) => void,
): Promise<Record<string, StoredObject>> {
  const files: Record<string, StoredObject> = {};
  const dump = await dumpDatabase(databaseUrl, folder, report, async () => {
    Object.assign(files, await saveTemporal(home, folder, report));
  });
  const rows = Object.values(dump.tables).reduce((sum, table) => sum + table.rows, 0);
  const sizes = Object.values(dump.files).map(({ sizeBytes }) => sizeBytes);
  report(`Database: ${Object.keys(dump.tables).length} tables, ${rows} rows, ${describeSize(sizes)}.`);
  if (storage === 's3') report('Files: not included. Files are in the bucket; turn on versioning there.');
  else {
    const copies = await copyFolder(join(home, 'files'), join(folder, 'files'));
    for (const [path, copy] of Object.entries(copies)) files[`files/${path}`] = copy;
    report(`Files: ${describeSize(Object.values(copies).map(({ sizeBytes }) => sizeBytes))}.`);
  }
  if (withKeys) {
    writeFileSync(join(folder, KEY_FILE), `${masterKey}\n`, { mode: 0o600, flush: true });
    files[KEY_FILE] = await measureFile(join(folder, KEY_FILE));
    report('Master key: included. Anyone with this backup can decrypt all secrets in it.');
  } else report('Master key: not included. Store it elsewhere; a restore needs it.');
  Object.assign(files, dump.files);
  const manifest = buildManifest({ ...dump, masterKeyDigest: digestMasterKey(masterKey), files });
  writeManifest(folder, manifest, masterKey);
  return files;
}

async function saveTemporal(
  home: string,
  folder: string,
  report: (line: string) => void,
): Promise<Record<string, StoredObject>> {
  if (!existsSync(join(home, 'temporal.db'))) {
    report(`Temporal: not included; ${home} has no temporal.db. A restored Parley restarts running work.`);
    return {};
  }
  await copyLiveSqlite(join(home, 'temporal.db'), join(folder, 'temporal.db'));
  const names = TEMPORAL_FILES.filter((name) => existsSync(join(folder, name)));
  const copies = await Promise.all(
    names.map(async (name) => [name, await measureFile(join(folder, name))] as const),
  );
  report(`Temporal: ${describeSize(copies.map(([, { sizeBytes }]) => sizeBytes))}.`);
  return Object.fromEntries(copies);
}

/** Returns the master key from the settings, or else from the data folder. */
function requireMasterKey({ masterKey, home }: Settings): string {
  if (masterKey !== undefined) return masterKey;
  const existing = new ParleyHome(home).findMasterKey();
  if (existing === undefined)
    throw new LaunchError('Set PARLEY_MASTER_KEY, so that a restore can verify its key.');
  return existing;
}

function describeSize(sizes: number[]): string {
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return `${formatSize(bytes)} in ${sizes.length} file${sizes.length === 1 ? '' : 's'}`;
}

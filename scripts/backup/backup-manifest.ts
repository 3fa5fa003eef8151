import { createHmac } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MeasuringStream } from '../../adapters/storage/measuring-stream.ts';
import { assertKey, type StoredObject } from '../../adapters/storage/object-storage.ts';
import { projectRoot } from '../launcher/project-root.ts';
import { LaunchError } from '../launcher/launch-error.ts';

/** Description of a backup. It is written last, so a folder without it is no backup. */
export interface BackupManifest {
  format: number;
  parleyVersion: string;
  createdAt: string;
  /** Migrations that had made the schema. */
  migrations: string[];
  masterKeyDigest: string;
  tables: Record<string, DumpedTable>;
  /** Size and digest of each other file, by its path in the folder. */
  files: Record<string, StoredObject>;
}

export interface DumpedTable {
  columns: string[];
  rows: number;
}

const FORMAT = 1;
const NAME = 'manifest.json';
/** File of the master key, if the backup includes it. */
export const KEY_FILE = 'master-key';

export function buildManifest(facts: Omit<BackupManifest, 'format' | 'parleyVersion'>): BackupManifest {
  return { format: FORMAT, parleyVersion: readParleyVersion(), ...facts };
}

export function writeManifest(folder: string, manifest: BackupManifest): void {
  writeFileSync(join(folder, NAME), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
}

/**
 * Reads the manifest of a backup.
 * @param knownMigrations migrations of this release
 * @throws LaunchError if the backup is incomplete or from a newer release
 */
export function readManifest(folder: string, knownMigrations: string[]): BackupManifest {
  const path = join(folder, NAME);
  if (!existsSync(path))
    throw new LaunchError(`${folder} has no ${NAME}: it is not a backup, or an incomplete one.`);
  const manifest = parseManifest(path);
  const unknown = manifest.migrations.filter((name) => !knownMigrations.includes(name));
  if (manifest.format !== FORMAT || unknown.length > 0) {
    throw new LaunchError(
      `The backup is from Parley ${manifest.parleyVersion}, which is newer than this ${readParleyVersion()}. Install that release first.`,
    );
  }
  return manifest;
}

/**
 * Compares size and digest of each file with the manifest.
 * @throws LaunchError that names the first file that differs
 */
export async function verifyFiles(folder: string, { files }: BackupManifest): Promise<void> {
  for (const [path, { sizeBytes, sha256 }] of Object.entries(files)) {
    assertKey(path);
    const file = join(folder, path);
    if (!existsSync(file)) throw new LaunchError(`The backup is damaged: ${path} is missing.`);
    const found = await measureFile(file);
    if (found.sizeBytes !== sizeBytes || found.sha256 !== sha256)
      throw new LaunchError(`The backup is damaged: ${path} is not what ${NAME} describes.`);
  }
}

/** Computes size and digest of a file. */
export async function measureFile(path: string): Promise<StoredObject> {
  const measured = new MeasuringStream();
  await pipeline(
    createReadStream(path),
    measured,
    new Writable({ write: (_chunk, _encoding, done) => done() }),
  );
  return measured.getResult();
}

/** Returns a digest that identifies the master key but does not reveal it. */
export function digestMasterKey(masterKey: string): string {
  return createHmac('sha256', Buffer.from(masterKey, 'base64')).update('parley backup').digest('hex');
}

function parseManifest(path: string): BackupManifest {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as BackupManifest;
  } catch {
    throw new LaunchError(`The backup is damaged: ${path} is not JSON.`);
  }
}

function readParleyVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', projectRoot()), 'utf8')) as {
    version: string;
  };
  return version;
}

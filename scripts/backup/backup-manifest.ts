import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Keyring } from '../../adapters/keys/keyring.ts';
import { MeasuringStream } from '../../adapters/storage/measuring-stream.ts';
import { assertKey, type StoredObject } from '../../adapters/storage/object-storage.ts';
import { projectRoot } from '../launcher/project-root.ts';
import { LaunchError } from '../launcher/launch-error.ts';

/** Description of a backup. This file is written last, so a folder without it is not a complete backup. */
export interface BackupManifest {
  format: number;
  parleyVersion: string;
  createdAt: string;
  /** Names of the migrations that the backed-up database had applied. */
  migrations: string[];
  masterKeyDigest: string;
  tables: Record<string, DumpedTable>;
  /** Size and digest of each other file, by its path in the folder. */
  files: Record<string, StoredObject>;
  /**
   * Digest of all other fields of the manifest, keyed by the master key. A restore rejects a manifest with
   * another digest.
   */
  authentication: string;
}

export interface DumpedTable {
  columns: string[];
  rows: number;
}

const FORMAT = 1;
const NAME = 'manifest.json';
/** File of the master key, if the backup includes it. */
export const KEY_FILE = 'master-key';

/** Path of a table's rows in a backup. */
export function dumpPath(table: string): string {
  return `database/${table}.copy.gz`;
}

export function buildManifest(
  facts: Omit<BackupManifest, 'format' | 'parleyVersion' | 'authentication'>,
): Omit<BackupManifest, 'authentication'> {
  return { format: FORMAT, parleyVersion: readParleyVersion(), ...facts };
}

/** Authenticates a manifest by the master key and writes it. */
export function writeManifest(
  folder: string,
  manifest: Omit<BackupManifest, 'authentication'>,
  masterKey: string,
): void {
  const signed = { ...manifest, authentication: computeAuthentication(manifest, masterKey) };
  writeFileSync(join(folder, NAME), `${JSON.stringify(signed, null, 2)}\n`, { mode: 0o600, flush: true });
}

/** @throws LaunchError if the manifest was changed without the master key */
export function assertAuthentic(manifest: BackupManifest, masterKey: string): void {
  const expected = Buffer.from(computeAuthentication(manifest, masterKey));
  const actual = Buffer.from(String(manifest.authentication));
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw new LaunchError(`The backup was changed: the master key did not authenticate its ${NAME}.`);
}

/**
 * Reads the manifest of a backup.
 * @param knownMigrations migrations of this release
 * @throws LaunchError if the backup is incomplete or from a newer release
 */
export function readManifest(folder: string, knownMigrations: string[]): BackupManifest {
  const path = join(folder, NAME);
  if (!existsSync(folder)) throw new LaunchError(`There is no folder ${folder}.`);
  if (!statSync(folder).isDirectory()) throw new LaunchError(`${folder} is a file, not a folder.`);
  if (!existsSync(path))
    throw new LaunchError(`${folder} has no ${NAME}: it is not a backup, or an incomplete one.`);
  const manifest = parseManifest(path);
  const unknown = manifest.migrations.filter((name) => !knownMigrations.includes(name));
  if (manifest.format !== FORMAT || unknown.length > 0) {
    throw new LaunchError(
      `The backup is from Parley ${describeVersion(manifest)}, which is newer than this ${readParleyVersion()}. Install that release first.`,
    );
  }
  return manifest;
}

/**
 * Compares size and digest of each file with the manifest. Follows no links.
 * @throws LaunchError that names the first file that differs
 */
export async function verifyFiles(folder: string, { files, tables }: BackupManifest): Promise<void> {
  for (const table of Object.keys(tables)) {
    if (!(dumpPath(table) in files))
      throw new LaunchError(`The backup is damaged: ${NAME} describes no ${dumpPath(table)}.`);
  }
  const root = realpathSync(folder);
  for (const [path, { sizeBytes, sha256 }] of Object.entries(files)) {
    assertKey(path);
    const file = join(root, path);
    assertRegularFile(file, path);
    const found = await measureFile(file);
    if (found.sizeBytes !== sizeBytes || found.sha256 !== sha256)
      throw new LaunchError(`The backup is damaged: ${path} is not what ${NAME} describes.`);
  }
}

/** @throws LaunchError if the file is missing, a link, below a link, or a device */
export function assertRegularFile(file: string, path: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new LaunchError(`The backup is damaged: ${path} is missing.`);
  if (!found.isFile() || realpathSync(file) !== file)
    throw new LaunchError(`The backup is damaged: ${path} is not a regular file.`);
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

function computeAuthentication(
  { authentication: _, ...content }: Partial<BackupManifest>,
  masterKey: string,
): string {
  return new Keyring(masterKey).digest('backup', JSON.stringify(content));
}

/**
 * Returns the version for a message, if it looks like a version. The manifest is not authenticated yet, so the
 * text could contain control characters, which terminals interpret.
 */
function describeVersion({ parleyVersion }: BackupManifest): string {
  return /^[\w.+-]{1,50}$/.test(parleyVersion) ? parleyVersion : 'of another version';
}

function parseManifest(path: string): BackupManifest {
  const manifest = parseJson(path) as BackupManifest | null;
  const { migrations, files } = manifest ?? {};
  if (!Array.isArray(migrations) || typeof files !== 'object' || files === null)
    throw new LaunchError(`The backup is damaged: ${path} describes no backup.`);
  return manifest!;
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
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

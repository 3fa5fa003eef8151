import { createHmac, timingSafeEqual } from 'node:crypto';
import { closeSync, createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Keyring } from '../../adapters/keys/keyring.ts';
import { MeasuringStream } from '../../adapters/storage/measuring-stream.ts';
import type { StoredObject } from '../../adapters/storage/object-storage.ts';
import { formatSize } from '../../core/text/size-text.ts';
import { projectRoot } from '../launcher/project-root.ts';
import { LaunchError } from '../launcher/launch-error.ts';
import { openRegularFile } from './read-part.ts';

/** Description of a backup's content. The manifest is written last, so a folder without it is not a complete backup. */
export interface BackupManifest {
  format: number;
  parleyVersion: string;
  createdAt: string;
  /** Names of the migrations that the backed-up database had applied. */
  migrations: string[];
  masterKeyDigest: string;
  tables: Record<string, DumpedTable>;
  /** Size and digest of each other file of the backup, by its path in the backup's folder. */
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
  /** Size of the table's rows in bytes before compression. Backups of Parley 0.1.0 have no such size. */
  sizeBytes?: number;
}

const Size = Type.Integer({ minimum: 0 });
const Manifest = Type.Object({
  createdAt: Type.String(),
  masterKeyDigest: Type.String(),
  tables: Type.Record(
    Type.String(),
    Type.Object({ columns: Type.Array(Type.String()), rows: Size, sizeBytes: Type.Optional(Size) }),
  ),
  files: Type.Record(Type.String(), Type.Object({ sizeBytes: Size, sha256: Type.String() })),
});

const FORMAT = 1;
/**
 * Maximum size of a backup's manifest in bytes. A manifest of about two million files has this size and still
 * fits into a string.
 */
const MAX_MANIFEST_BYTES = 400_000_000;
const NAME = 'manifest.json';
/** Name of the file with the master key, if the backup includes it. */
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

/** Authenticates a backup's manifest by the master key and writes it. */
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
 * Reads the manifest of a backup. Its values have the right types, but nothing has authenticated them yet.
 * @param knownMigrations migrations of this release
 * @throws LaunchError if the backup is incomplete or from a newer release
 */
export function readManifest(folder: string, knownMigrations: string[]): BackupManifest {
  const path = join(folder, NAME);
  if (!existsSync(folder)) throw new LaunchError(`There is no folder ${folder}.`);
  if (!statSync(folder).isDirectory()) throw new LaunchError(`${folder} is a file, not a folder.`);
  if (!existsSync(path))
    throw new LaunchError(
      `${folder} has no ${NAME}: the folder is not a backup, or the backup is incomplete.`,
    );
  const manifest = parseManifest(folder);
  const { format, migrations } = manifest;
  if (!Array.isArray(migrations))
    throw new LaunchError(`The backup is damaged: ${NAME} does not describe a backup.`);
  if (format !== FORMAT || migrations.some((name) => !knownMigrations.includes(name))) {
    throw new LaunchError(
      `The backup is from Parley ${describeVersion(manifest)}, which is newer than this ${readParleyVersion()}. Install that release first.`,
    );
  }
  assertComplete(manifest as BackupManifest);
  return manifest as BackupManifest;
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
 * Returns the backup's version for an error message, if it looks like a version. The manifest is not
 * authenticated yet, so the text could contain control characters, which terminals interpret.
 */
function describeVersion({ parleyVersion = '' }: Partial<BackupManifest>): string {
  return /^[\w.+-]{1,50}$/.test(parleyVersion) ? parleyVersion : 'of another version';
}

/** @throws LaunchError if a file of the manifest is missing, or a field has a wrong type */
function assertComplete(manifest: BackupManifest): void {
  if (!Value.Check(Manifest, manifest))
    throw new LaunchError(`The backup is damaged: ${NAME} does not describe a backup.`);
  for (const table of Object.keys(manifest.tables)) {
    if (!Object.hasOwn(manifest.files, dumpPath(table)))
      throw new LaunchError(`The backup is damaged: ${NAME} does not describe ${dumpPath(table)}.`);
  }
}

function parseManifest(folder: string): Partial<BackupManifest> {
  const { fd, sizeBytes } = openRegularFile(folder, NAME);
  try {
    if (sizeBytes > MAX_MANIFEST_BYTES)
      throw new LaunchError(
        `The backup is damaged: ${NAME} has ${formatSize(sizeBytes)}, which is too large for a manifest.`,
      );
    return parseObject(readFileSync(fd, 'utf8'));
  } finally {
    closeSync(fd);
  }
}

function parseObject(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    throw new LaunchError(`The backup is damaged: ${NAME} is not JSON.`);
  }
}

function readParleyVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', projectRoot()), 'utf8')) as {
    version: string;
  };
  return version;
}

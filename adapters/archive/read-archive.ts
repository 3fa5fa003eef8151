import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isSliceOver, yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';
import {
  archiveFormat,
  parseFileKind,
  recordKinds,
  type RecordKind,
} from '../../core/archive/archive-format.ts';
import { ArchiveManifest, type ArchiveFileEntry } from '../../core/archive/archive-manifest.ts';
import { isArchiveTime } from '../../core/archive/archive-time.ts';
import { compilesQuickly } from '../../core/errors/schema-compiler.ts';
import { toFieldErrors } from '../../core/errors/field-errors.ts';
import { isUuid } from '../../core/ids.ts';
import { findExcess } from '../../core/text/json-weight.ts';
import { formatSize } from '../../core/text/size-text.ts';
import { ArchiveRefused } from './archive-refused.ts';
import { ByteReader } from './byte-reader.ts';
import { LineSplitter, type ArchiveLine } from './line-splitter.ts';
import { countPadding, readTarHeader, quoteName, TAR_BLOCK_BYTES, type TarEntry } from './tar-header.ts';
import { unpackGzip } from './unpack-gzip.ts';

/** Consecutive lines (records) of one file in a workspace's archive. */
interface ArchiveLines {
  kind: RecordKind;
  name: string;
  lines: ArchiveLine[];
}

/** JSON limits of an archive's manifest, which has five values per file and at most thirty different keys. */
const MAX_MANIFEST = { values: 5 * archiveFormat.maxFiles + 100, keys: 100 };

const ajv = new Ajv2020({ ...compilesQuickly, strict: false, verbose: true });
ajv.addFormat('uuid', isUuid);
ajv.addFormat('date-time', isArchiveTime);
const isManifest = ajv.compile<ArchiveManifest>(ArchiveManifest);

/** A workspace's archive whose manifest (list of files) has been read. */
export interface OpenArchive {
  manifest: ArchiveManifest;
  /**
   * Yields the lines of all files of the archive, in bounded memory, and checks them against the manifest on
   * the way. A caller that reads to the end without an error has an intact archive.
   * @throws ArchiveRefused if the archive is damaged or does not match its manifest
   */
  lines: AsyncGenerator<ArchiveLines, void, undefined>;
  close(): Promise<void>;
}

/**
 * Opens a workspace's archive and reads its manifest.
 * @throws ArchiveRefused if the first file is not a valid manifest
 */
export async function openArchive(file: Readable): Promise<OpenArchive> {
  const reader = new ByteReader(unpackGzip(file));
  try {
    const manifest = await readManifestFile(reader);
    return { manifest, lines: readAllLines(reader, manifest), close: () => reader.close() };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

async function* readAllLines(
  reader: ByteReader,
  { files }: ArchiveManifest,
): AsyncGenerator<ArchiveLines, void, undefined> {
  for (const entry of files) yield* readFileLines(reader, entry);
  await requireArchiveEnd(reader);
}

async function readManifestFile(reader: ByteReader): Promise<ArchiveManifest> {
  const { manifestName, maxManifestBytes } = archiveFormat;
  const entry = await readNextHeader(reader);
  if (entry?.name !== manifestName)
    throw new ArchiveRefused(`The first file of an archive must be ${manifestName}.`);
  if (entry.sizeBytes > maxManifestBytes)
    throw new ArchiveRefused(`${manifestName} exceeds ${formatSize(maxManifestBytes)}.`);
  const text = await reader.read(entry.sizeBytes);
  if (text.length < entry.sizeBytes) throw createCutOffError(manifestName);
  await reader.read(countPadding(entry.sizeBytes));
  const manifest = parseManifest(text);
  requireFileNames(manifest.files);
  requireFewBots(manifest.files);
  return manifest;
}

function parseManifest(bytes: Buffer): ArchiveManifest {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (findExcess(text, MAX_MANIFEST) !== null)
      throw new ArchiveRefused('manifest.json has too many keys or files.');
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error;
    throw new ArchiveRefused('manifest.json is not valid JSON in UTF-8.', { cause: error });
  }
  if (isManifest(value)) return value;
  const [first] = toFieldErrors(isManifest.errors ?? [], 'body', value);
  throw new ArchiveRefused(
    `manifest.json: ${first ? `${first.field} ${first.message}` : 'it is not a manifest'}.`,
  );
}

/**
 * Checks the files that an archive's manifest lists: unique names, with bots before contacts, and contacts
 * before conversations.
 */
function requireFileNames(files: readonly ArchiveFileEntry[]): void {
  const seen = new Set<string>();
  let last = 0;
  for (const { name } of files) {
    const kind = parseFileKind(name);
    if (kind === null)
      throw new ArchiveRefused(
        `manifest.json lists ${quoteName(name)}, which is not a valid file name in an archive.`,
      );
    if (seen.has(name)) throw new ArchiveRefused(`manifest.json lists ${quoteName(name)} twice.`);
    seen.add(name);
    const kindIndex = recordKinds.indexOf(kind);
    if (kindIndex < last)
      throw new ArchiveRefused(
        `manifest.json lists ${quoteName(name)} in the wrong place: bots come first, then contacts, then conversations.`,
      );
    last = kindIndex;
  }
}

function requireFewBots(files: readonly ArchiveFileEntry[]): void {
  const bots = files.reduce(
    (sum, { name, records }) => sum + (parseFileKind(name) === 'bots' ? records : 0),
    0,
  );
  if (bots <= archiveFormat.maxBots) return;
  const [max, listed] = [archiveFormat.maxBots, bots].map((count) => count.toLocaleString('en'));
  throw new ArchiveRefused(
    `An archive has at most ${max} bots; manifest.json lists ${listed}. Export fewer bots into each archive.`,
  );
}

async function* readFileLines(
  reader: ByteReader,
  entry: ArchiveFileEntry,
): AsyncGenerator<ArchiveLines, void, undefined> {
  const { name, bytes } = entry;
  requireMatchingHeader(await readNextHeader(reader), entry);
  const kind = parseFileKind(name)!;
  const splitter = new LineSplitter(name);
  const hash = createHash('sha256');
  let read = 0;
  for await (const piece of reader.readInChunks(bytes)) {
    hash.update(piece);
    read += piece.length;
    for (const lines of splitter.split(piece)) {
      if (splitter.count > entry.records)
        throw new ArchiveRefused(
          `${name} has more than the ${entry.records} records that manifest.json lists.`,
        );
      if (isSliceOver()) await yieldToEventLoop();
      yield { kind, name, lines };
    }
  }
  if (read < bytes) throw createCutOffError(name);
  const last = splitter.end();
  if (hash.digest('hex') !== entry.sha256)
    throw new ArchiveRefused(`${name} does not match manifest.json: its SHA-256 differs.`);
  if (splitter.count !== entry.records)
    throw new ArchiveRefused(`${name} has ${splitter.count} records; manifest.json lists ${entry.records}.`);
  if (last.length > 0) yield { kind, name, lines: last };
  await reader.read(countPadding(bytes));
}

function requireMatchingHeader(found: TarEntry | null, { name, bytes }: ArchiveFileEntry): void {
  if (!found) throw new ArchiveRefused(`${name} is missing: the archive ends before it.`);
  if (found.name !== name)
    throw new ArchiveRefused(
      `The archive contains ${quoteName(found.name)} where manifest.json lists ${name}.`,
    );
  if (found.sizeBytes !== bytes)
    throw new ArchiveRefused(`${name} has ${found.sizeBytes} bytes; manifest.json lists ${bytes}.`);
}

async function readNextHeader(reader: ByteReader): Promise<TarEntry | null> {
  const header = await reader.read(TAR_BLOCK_BYTES);
  if (header.length < TAR_BLOCK_BYTES)
    throw new ArchiveRefused('The archive is cut off: the blocks of zeros that end a tar file are missing.');
  return readTarHeader(header);
}

async function requireArchiveEnd(reader: ByteReader): Promise<void> {
  const extra = await readNextHeader(reader);
  if (extra)
    throw new ArchiveRefused(
      `The archive contains ${quoteName(extra.name)}, which manifest.json does not list.`,
    );
  for await (const piece of reader.readRest())
    if (piece.some((byte) => byte !== 0))
      throw new ArchiveRefused('The archive contains data after its end.');
}

function createCutOffError(name: string): ArchiveRefused {
  return new ArchiveRefused(`The archive is cut off in the middle of ${name}.`);
}

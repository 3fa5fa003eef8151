import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertKey, ObjectChangedError, type StoredObject } from '../../adapters/storage/object-storage.ts';
import { verifyContent } from '../../adapters/storage/verified-content.ts';
import { findReason, LaunchError } from '../launcher/launch-error.ts';

/**
 * Reads a file of a backup, and compares the bytes that the consumer gets with the manifest. A file may
 * change after an earlier check, but then the consumer fails before its last bytes. Follows no links.
 * @throws LaunchError if the file is missing, no regular file, or not what the manifest describes
 */
export async function readPart<T>(
  folder: string,
  path: string,
  described: StoredObject,
  consume: (content: Readable) => Promise<T>,
): Promise<T> {
  const { fd, sizeBytes } = openRegularFile(folder, path);
  try {
    const opened = { content: createReadStream('', { fd }), sizeBytes };
    const { content } = await verifyContent(path, opened, described);
    return await consume(content);
  } catch (error) {
    if (!(error instanceof ObjectChangedError)) throw error;
    throw new LaunchError(`The backup is damaged: ${path} is not what manifest.json describes.`);
  }
}

/**
 * Compares size and digest of each file of a backup with the manifest.
 * @throws LaunchError that names the first file that differs
 */
export async function verifyParts(folder: string, files: Record<string, StoredObject>): Promise<void> {
  for (const [path, described] of Object.entries(files)) {
    await readPart(folder, path, described, (content) =>
      pipeline(content, new Writable({ write: (_chunk, _encoding, done) => done() })),
    );
  }
}

/** @throws LaunchError if the file of the backup is missing, a link, below a link, or a device */
export function openRegularFile(folder: string, path: string): { fd: number; sizeBytes: number } {
  assertPath(path);
  const file = join(realpathSync(folder), path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new LaunchError(`The backup is damaged: ${path} is missing.`);
  if (!found.isFile() || realpathSync(file) !== file) throw createTypeError(path);
  // Open without blocking: a file can be replaced after this check by a named pipe, on which opening would
  // then not return.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const opened = fstatSync(fd);
  if (opened.isFile()) return { fd, sizeBytes: opened.size };
  closeSync(fd);
  throw createTypeError(path);
}

/** @throws LaunchError unless the path denotes a file in the backup */
function assertPath(path: string): void {
  try {
    assertKey(path);
  } catch (error) {
    throw new LaunchError(`The backup is damaged: ${findReason(error)}`);
  }
}

function createTypeError(path: string): LaunchError {
  return new LaunchError(`The backup is damaged: ${path} is not a regular file.`);
}

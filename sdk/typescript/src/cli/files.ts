import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './command.ts';

type Access = 'read' | 'find' | 'list' | 'write';

const MISSING: Readonly<Record<Access, (path: string) => string>> = {
  read: (path) => `There is no file ${path}.`,
  find: (path) => `There is no file or folder ${path}. The address of a page begins with https://.`,
  list: (path) => `There is no folder ${path}.`,
  write: (path) => `The folder of ${path} does not exist.`,
};

const FAULTS: Readonly<Record<string, (path: string) => string>> = {
  EISDIR: (path) => `${path} is a folder, not a file.`,
  ENOTDIR: (path) => `A part of the path ${path} is a file, not a folder.`,
  EACCES: (path) => `You do not have permission to access ${path}.`,
  EPERM: (path) => `You do not have permission to access ${path}.`,
  EROFS: (path) => `${path} cannot be written: its disk is read-only.`,
  ENOSPC: (path) => `${path} cannot be written: its disk is full.`,
  EDQUOT: (path) => `${path} cannot be written: your disk quota is used up.`,
  ENAMETOOLONG: (path) => `The name ${path} is too long.`,
  ELOOP: (path) => `${path} is a link that points to itself.`,
  EMFILE: (path) => `${path} cannot be opened: too many files are open.`,
  ERR_FS_FILE_TOO_LARGE: (path) => `${path} is too large to be read at once.`,
};

/** @throws UsageError that names the file, if the file cannot be read */
export function readBytes(path: string): Uint8Array<ArrayBuffer> {
  return explain(path, 'read', () => readFileSync(path));
}

/** @throws UsageError that names the file, if the file cannot be read or is not UTF-8 */
export function readText(path: string): string {
  const content = readBytes(path);
  const kind = describeBinary(content);
  if (kind !== undefined) throw new UsageError(`${path} is ${kind}`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    throw error instanceof TypeError
      ? new UsageError(`${path} is not UTF-8. Save the file as UTF-8.`)
      : error;
  }
}

/**
 * Names the encoding of a file that is not text in UTF-8, by its bytes; undefined if the bytes may be text.
 */
function describeBinary(content: Uint8Array): string | undefined {
  const [first, second, ...rest] = content.subarray(0, 4);
  if (first === 0x1f && second === 0x8b) return 'compressed with gzip. Decompress it.';
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const alternates =
    rest.length === 2 && (first === 0) !== (second === 0) && (rest[0] === 0) !== (rest[1] === 0);
  if (hasMark || alternates) return 'UTF-16. Save it as UTF-8.';
  return content.includes(0) ? 'a binary file, not text.' : undefined;
}

/** @throws UsageError that names the file, if the file cannot be written */
export function writeText(path: string, text: string): void {
  explain(path, 'write', () => writeFileSync(path, text));
}

/**
 * @throws UsageError that names the file, if the file cannot be written; also throws errors of reading the
 *   body
 */
export async function writeBody(path: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(body, createWriteStream(path));
  } catch (error) {
    throw explainFileError(error, path, 'write');
  }
}

/**
 * Calls a function of the file system, and converts its error to a UsageError.
 * @throws UsageError that names the file, if the function fails
 */
export function explain<T>(path: string, access: Access, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw explainFileError(error, path, access);
  }
}

/** Returns a UsageError for an error of the file system, and other errors unchanged. */
function explainFileError(error: unknown, path: string, access: Access): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new UsageError(MISSING[access](path));
  const describe = code === undefined ? undefined : FAULTS[code];
  return describe ? new UsageError(describe(path)) : error;
}

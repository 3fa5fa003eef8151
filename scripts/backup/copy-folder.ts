import { createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MeasuringStream } from '../../adapters/storage/measuring-stream.ts';
import type { StoredObject } from '../../adapters/storage/object-storage.ts';

/**
 * Copies all stored files below a folder, except unfinished files. Files that are deleted during the copy are
 * skipped.
 * @returns size and digest of each copy, by its path below the folder
 */
export async function copyFolder(source: string, target: string): Promise<Record<string, StoredObject>> {
  const copies: Record<string, StoredObject> = {};
  for await (const file of listFiles(source)) {
    const path = relative(source, file);
    const copy = await copyFile(file, join(target, path));
    if (copy) copies[path] = copy;
  }
  return copies;
}

/** Copies a file; returns undefined if the file does not exist. */
async function copyFile(source: string, target: string): Promise<StoredObject | undefined> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const measured = new MeasuringStream();
  try {
    await pipeline(
      createReadStream(source),
      measured,
      createWriteStream(target, { mode: 0o600, flush: true }),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await rm(target, { force: true });
    return undefined;
  }
  return measured.getResult();
}

/** Lists the files below a folder; empty if the folder does not exist. */
async function* listFiles(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* listFiles(path);
    else if (entry.isFile()) yield path;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): Dirent[] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MeasuringStream } from './measuring-stream.ts';
import {
  assertKey,
  assertPrefix,
  ObjectMissingError,
  type ObjectStorage,
  type OpenedObject,
  type StoredObject,
} from './object-storage.ts';

/**
 * Folder of unfinished files in the local file storage. Storage keys never begin with a dot, so no key
 * collides with this folder.
 */
const INCOMING = '.incoming';
/**
 * Minimum age in milliseconds at which an unfinished file counts as abandoned. No upload pauses for so long,
 * even an upload of another process.
 */
const ABANDONED_MS = 60 * 60_000;

/** File storage that keeps objects as files below one folder. */
export class LocalStorage implements ObjectStorage {
  readonly #root: string;

  constructor(root: string) {
    this.#root = resolve(root);
  }

  async put(key: string, content: Readable): Promise<StoredObject> {
    const target = this.#resolvePath(key);
    // Prevent a crash if `content` fails before the pipeline listens for errors, while folders are created.
    content.on('error', () => undefined);
    const measured = new MeasuringStream();
    const unfinished = await this.#createUnfinishedPath();
    // Open the file here. A write stream might open the file only after the stream has failed, and leave the
    // file behind.
    const file = await open(unfinished, 'wx');
    try {
      await pipeline(content, measured, file.createWriteStream({ flush: true }));
      await mkdir(dirname(target), { recursive: true });
      await rename(unfinished, target);
      await syncFolder(dirname(target));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return measured.getResult();
  }

  async open(key: string): Promise<OpenedObject> {
    const file = await open(this.#resolvePath(key)).catch((error: unknown) => {
      throw isMissing(error) ? new ObjectMissingError(key, { cause: error }) : error;
    });
    const { size } = await file.stat();
    return { content: file.createReadStream(), sizeBytes: size };
  }

  async delete(key: string): Promise<void> {
    await rm(this.#resolvePath(key), { force: true });
  }

  async deletePrefix(prefix: string): Promise<void> {
    assertPrefix(prefix);
    await rm(join(this.#root, prefix), { recursive: true, force: true });
  }

  /** Deletes unfinished files that terminated processes have left in the storage. */
  async deleteAbandonedFiles(): Promise<void> {
    const folder = join(this.#root, INCOMING);
    const names = await readdir(folder).catch(() => []);
    for (const path of names.map((name) => join(folder, name))) {
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { force: true });
    }
  }

  async check(): Promise<void> {
    const file = await this.#createUnfinishedPath();
    await pipeline(Readable.from(['']), createWriteStream(file, { flags: 'wx' }));
    await rm(file);
  }

  async #createUnfinishedPath(): Promise<string> {
    const folder = join(this.#root, INCOMING);
    await mkdir(folder, { recursive: true });
    return join(folder, randomUUID());
  }

  #resolvePath(key: string): string {
    assertKey(key);
    return join(this.#root, key);
  }
}

/**
 * Flushes a folder to disk, without which a rename may not survive a power failure. Does nothing on Windows,
 * which has no such call.
 */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

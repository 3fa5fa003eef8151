import type { Readable } from 'node:stream';
import { ArchiveRefused } from '../../adapters/archive/archive-refused.ts';
import { openArchive } from '../../adapters/archive/read-archive.ts';
import type { ObjectStorage } from '../../adapters/storage/object-storage.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { drain, readHead } from '../knowledge/read-head.ts';
import { uploadedArchiveKey } from '../knowledge/storage-keys.ts';

/** A file that is stored already; `discard` removes it again. */
export interface ReceivedArchive {
  /** Of the job that imports it. */
  jobId: string;
  fingerprint: object;
  discard(): Promise<void>;
}

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** How archives come in: stored while they arrive, and refused at once where they are none. */
export class ArchiveIntake {
  readonly #storage: ObjectStorage;
  readonly #log: Logger;

  constructor({ storage, log }: { storage: ObjectStorage; log: Logger }) {
    this.#storage = storage;
    this.#log = log;
  }

  /** @throws AppError `unsupported_media_type` for what is no gzip file, `validation_error` for one without a manifest that can be read */
  async receive(
    { orgId }: OrgScope,
    { file, fields }: { file: { content: Readable }; fields(): Promise<unknown> },
  ): Promise<ReceivedArchive> {
    const { head, content } = await readHead(file.content, GZIP_MAGIC.length);
    if (!head.equals(GZIP_MAGIC)) {
      // A client that is still sending would lose the answer together with its connection.
      await drain(content);
      throw notGzip();
    }
    const jobId = newId();
    const key = uploadedArchiveKey({ orgId, id: jobId });
    const { sha256 } = await this.#storage.put(key, content);
    const discard = () => this.#remove(key);
    try {
      await fields();
      await this.#requireManifest(key);
    } catch (error) {
      await discard();
      throw error;
    }
    return { jobId, fingerprint: { sha256 }, discard };
  }

  async #requireManifest(key: string): Promise<void> {
    const { content } = await this.#storage.open(key);
    try {
      await (await openArchive(content)).close();
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      throw error.isOfAnotherType
        ? notGzip(error)
        : invalidField('file', `is no archive: ${error.message}`, 'body', error);
    }
  }

  async #remove(key: string): Promise<void> {
    await this.#storage.delete(key).catch((error: unknown) => {
      this.#log.error({ err: error, key }, 'an uploaded archive without a job was not removed');
    });
  }
}

function notGzip(cause?: unknown): AppError {
  return new AppError('unsupported_media_type', 'The file is not an archive: it is not a gzip file.', {
    cause,
  });
}

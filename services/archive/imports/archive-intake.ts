import type { Readable } from 'node:stream';
import { ArchiveRefused } from '../../../adapters/archive/archive-refused.ts';
import { openArchive } from '../../../adapters/archive/read-archive.ts';
import { GZIP_MAGIC } from '../../../adapters/http/gunzip.ts';
import { AppError, invalidField } from '../../../core/errors/errors.ts';
import { newId } from '../../../core/ids.ts';
import type { Logger } from '../../../core/logger.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ContentFiles, StoredFile } from '../../encryption/content-files.ts';
import { drain, readHead } from '../../knowledge/ingestion/read-head.ts';
import type { ArchiveUploads } from './archive-uploads.ts';

/** An uploaded archive in file storage. `discard` deletes it. */
export interface ReceivedArchive {
  /** Id of the import job that will be started for this upload. */
  jobId: string;
  fingerprint: object;
  discard(): Promise<void>;
}

export interface ArchiveIntakeDeps {
  uploads: ArchiveUploads;
  files: ContentFiles;
  log: Logger;
}

/** Receives uploaded archives. Streams them to file storage and refuses files that are not archives. */
export class ArchiveIntake {
  readonly #deps: ArchiveIntakeDeps;

  constructor(deps: ArchiveIntakeDeps) {
    this.#deps = deps;
  }

  /**
   * @throws AppError `unsupported_media_type` if the file is not gzip; `validation_error` if its manifest
   *   cannot be read; `key_unavailable`
   */
  async receive(
    scope: OrgScope,
    { file, fields }: { file: { content: Readable }; fields(): Promise<unknown> },
  ): Promise<ReceivedArchive> {
    const { head, content } = await readHead(file.content, GZIP_MAGIC.length);
    if (!head.equals(GZIP_MAGIC)) {
      // Reads the rest of the upload: a client that is still sending would miss the error if the connection
      // closed.
      await drain(content);
      throw notGzip();
    }
    const jobId = newId();
    const discard = () => this.#discard(scope, jobId);
    try {
      const { sha256, ...stored } = await this.#deps.uploads.store(scope, jobId, content);
      await fields();
      await this.#requireManifest(stored);
      return { jobId, fingerprint: { sha256 }, discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  async #requireManifest(stored: StoredFile): Promise<void> {
    const { content } = await this.#deps.files.open(stored);
    try {
      await (await openArchive(content)).close();
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      throw error.isNotGzip
        ? notGzip(error)
        : invalidField('file', `is not an archive: ${error.message}`, 'body', error);
    }
  }

  async #discard(scope: OrgScope, jobId: string): Promise<void> {
    const { uploads, log } = this.#deps;
    await uploads.discard(scope, jobId).catch((error: unknown) => {
      log.error(
        { err: error, jobId },
        'cannot delete an uploaded archive that has no job; sweepArchives will delete it',
      );
    });
  }
}

function notGzip(cause?: unknown): AppError {
  return new AppError('unsupported_media_type', 'The file is not an archive: it is not a gzip file.', {
    cause,
  });
}

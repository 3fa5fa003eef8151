import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { ObjectMissingError } from '../../../adapters/storage/object-storage.ts';
import type { Clock } from '../../../core/clock.ts';
import { AppError, invalidField } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ArchiveJob } from '../../../entities/archive/archive-job.entity.ts';
import type { ArchiveJobRepository } from '../../../repositories/archive/archive-job.repository.ts';
import {
  createInvalidLinkError,
  type DownloadedFile,
  type DownloadLink,
} from '../../knowledge/document-downloads.ts';
import type { ContentFiles } from '../../encryption/content-files.ts';
import { archivePartKey } from '../../../core/storage-keys.ts';

/** Payload of the token in an export's download link. */
interface ArchiveLink {
  org_id: string;
  job_id: string;
  part: number;
  /** Expiry of the download link, in milliseconds since the epoch. */
  expires_at: number;
}

export interface ArchiveDownloadsDeps {
  jobs: ArchiveJobRepository;
  files: ContentFiles;
  keyring: Keyring;
  clock: Clock;
  settings: Pick<Settings, 'baseUrl' | 'fileLinkSeconds'>;
}

const MIME_TYPE = 'application/gzip';

/** Creates links that download exports without further credentials, and serves the downloads. */
export class ArchiveDownloads {
  readonly #deps: ArchiveDownloadsDeps;

  constructor(deps: ArchiveDownloadsDeps) {
    this.#deps = deps;
  }

  /**
   * @throws AppError `conflict` if the job is not a completed export; `not_found` if the export has expired;
   *   `validation_error` if the export's part does not exist
   */
  async link(scope: OrgScope, jobId: string, part: number): Promise<DownloadLink> {
    const { jobs, keyring, clock, settings } = this.#deps;
    const { baseUrl, fileLinkSeconds: expiresInSeconds } = settings;
    const job = await jobs.get(scope, jobId);
    requireFinished(job);
    if (isExpired(job, clock.now()))
      throw new AppError('not_found', 'The files of this export have expired; export again.');
    if (part > job.parts)
      throw invalidField(
        'part',
        job.parts === 1 ? 'must be 1, because the export has only one part' : `must be at most ${job.parts}`,
        'query',
      );
    const token = keyring.sign('archive-link', {
      org_id: scope.orgId,
      job_id: job.id,
      part,
      expires_at: clock.now().getTime() + expiresInSeconds * 1000,
    } satisfies ArchiveLink);
    return {
      url: `${baseUrl}/api/files/${token}`,
      expiresInSeconds,
      filename: buildFileName(job, part),
      mimeType: MIME_TYPE,
    };
  }

  /**
   * Opens the file of an export that a download link's token names. Returns null if the token is not for an
   * export.
   * @throws AppError `not_found` if the link or export has expired; `key_unavailable` if the key that decrypts
   *   the file cannot be used now
   */
  async open(db: Database, token: string): Promise<DownloadedFile | null> {
    const { keyring, clock } = this.#deps;
    const link = keyring.verify<ArchiveLink>('archive-link', token);
    if (!link) return null;
    if (link.expires_at <= clock.now().getTime()) throw createInvalidLinkError();
    return this.#openPart({ orgId: link.org_id, db }, link);
  }

  /**
   * Opens the file of one part of an export.
   * @param goneKeyId id of the key with which the previous attempt found no file
   */
  async #openPart(scope: OrgScope, link: ArchiveLink, goneKeyId?: string | null): Promise<DownloadedFile> {
    const { jobs, files, clock } = this.#deps;
    const job = await jobs.find(scope, link.job_id);
    if (job?.status !== 'completed' || isExpired(job, clock.now())) throw createInvalidLinkError();
    const { orgId, keyId } = job;
    try {
      const opened = await files.open({ orgId, keyId, storageKey: archivePartKey(job, link.part) });
      return { ...opened, filename: buildFileName(job, link.part), mimeType: MIME_TYPE };
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      if (keyId === goneKeyId) throw createInvalidLinkError(error);
      // Re-encryption has replaced the file since the row was read, so retry with the encryption key in the
      // current row.
      return this.#openPart(scope, link, keyId);
    }
  }
}

function requireFinished({ kind, status, errorMessage }: ArchiveJob): void {
  if (kind === 'import') throw new AppError('conflict', 'An import has no files to download.');
  if (status === 'failed')
    throw new AppError(
      'conflict',
      `The export has failed: ${errorMessage ?? 'something went wrong on our side.'}`,
    );
  if (status !== 'completed')
    throw new AppError('conflict', 'The export is not finished; download it when its status is done.');
}

function isExpired({ hasFiles, expiresAt }: ArchiveJob, now: Date): boolean {
  return !hasFiles || expiresAt === null || expiresAt <= now;
}

function buildFileName({ createdAt, parts }: ArchiveJob, part: number): string {
  const day = createdAt.toISOString().slice(0, 10);
  return `parley-archive-${day}${parts === 1 ? '' : `-part-${part}-of-${parts}`}.tar.gz`;
}

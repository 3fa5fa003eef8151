import type { Readable } from 'node:stream';
import type { ContentTarget } from '../../../database/content-conversion.ts';
import type { Database } from '../../../database/database.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { ArchiveUploadRepository } from '../../../repositories/archive/archive-upload.repository.ts';
import type { ContentFiles, StoredFile } from '../../encryption/content-files.ts';
import type { WorkspaceContentKeys } from '../../encryption/workspace-content-keys.ts';
import { archivePrefix, uploadedArchiveKey } from '../../../core/storage-keys.ts';

export interface ArchiveUploadsDeps {
  rows: ArchiveUploadRepository;
  files: ContentFiles;
  contentKeys: Pick<WorkspaceContentKeys, 'isStillValidLocked'>;
}

const BATCH = 20;

/**
 * Stores uploaded archives. The database row is written before the file, so that a sweep can delete the file
 * after a crash.
 */
export class ArchiveUploads {
  readonly #deps: ArchiveUploadsDeps;

  constructor(deps: ArchiveUploadsDeps) {
    this.#deps = deps;
  }

  /**
   * Streams an uploaded archive to file storage. Returns the stored file and the SHA-256 digest of the
   * unencrypted content.
   * @param id id of the future import job
   * @throws AppError `key_unavailable`, or the error of `content`
   */
  async store(scope: OrgScope, id: string, content: Readable): Promise<StoredFile & { sha256: string }> {
    const { rows, files } = this.#deps;
    const key = await files.currentKey(scope.orgId);
    await rows.insert(scope, id);
    let file = toUploadFile(scope, id, key?.id ?? null);
    const { sha256 } = await files.put(key, file.storageKey, content);
    // The encryption mode may have changed during the upload: rewrite the file until its encryption key is
    // current.
    while (!(await this.#storeKeyId(scope, id, file))) file = await this.#resealFile(scope, id, file);
    return { ...file, sha256 };
  }

  async discard({ db, orgId }: OrgScope, id: string): Promise<void> {
    const { rows, files } = this.#deps;
    await files.deletePrefix(archivePrefix({ orgId, id }));
    await rows.delete({ db, orgId }, id);
  }

  /**
   * Deletes uploads of archives whose connection broke, in one workspace, or in all workspaces if `orgId` is
   * null. Returns their number.
   */
  async discardAbandoned(db: Database, orgId: string | null): Promise<number> {
    let discarded = 0;
    for (let isMore = true; isMore;) {
      const abandoned = await this.#deps.rows.listAbandoned(db, orgId, BATCH);
      for (const each of abandoned) await this.discard({ db, orgId: each.orgId }, each.id);
      discarded += abandoned.length;
      isMore = abandoned.length === BATCH;
    }
    return discarded;
  }

  /**
   * Counts the uploaded archives that must be encrypted with the target's key, now or once they are complete.
   */
  countNeedingReseal(scope: OrgScope, target: ContentTarget): Promise<number> {
    return this.#deps.rows.countNeedingReseal(scope, target);
  }

  /**
   * Stores the id of the encryption key in the upload's row. Returns false if the key is no longer the
   * current key.
   */
  #storeKeyId(scope: OrgScope, id: string, { keyId }: StoredFile): Promise<boolean> {
    const { rows, contentKeys } = this.#deps;
    return inTransaction(scope, async (tx) => {
      if (!(await contentKeys.isStillValidLocked(tx, keyId))) return false;
      await rows.updateKey(tx, id, keyId);
      return true;
    });
  }

  async #resealFile(scope: OrgScope, id: string, previous: StoredFile): Promise<StoredFile> {
    const { files } = this.#deps;
    const key = await files.currentKey(scope.orgId);
    const file = toUploadFile(scope, id, key?.id ?? null);
    await files.copy(previous, key, file.storageKey);
    await files.delete(previous.storageKey);
    return file;
  }
}

function toUploadFile({ orgId }: OrgScope, id: string, keyId: string | null): StoredFile {
  return { orgId, keyId, storageKey: uploadedArchiveKey({ orgId, id, keyId }) };
}

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
  contentKeys: Pick<WorkspaceContentKeys, 'isToStay'>;
}

const BATCH = 20;

/** Archives that are coming in. Each has a row before anything of it is stored, so that nothing stays of one whose process dies. */
export class ArchiveUploads {
  readonly #deps: ArchiveUploadsDeps;

  constructor(deps: ArchiveUploadsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores it while it is sent; returns the file, and the digest of what was given.
   * @param id of the job that is to import it
   * @throws AppError `key_unavailable`, and what `content` fails with
   */
  async store(scope: OrgScope, id: string, content: Readable): Promise<StoredFile & { sha256: string }> {
    const { rows, files } = this.#deps;
    const key = await files.currentKey(scope.orgId);
    await rows.insert(scope, id);
    let file = fileOf(scope, id, key?.id ?? null);
    const { sha256 } = await files.put(key, file.storageKey, content);
    // There may have been a switch while it was sent.
    while (!(await this.#note(scope, id, file))) file = await this.#rewrite(scope, id, file);
    return { ...file, sha256 };
  }

  async discard({ db, orgId }: OrgScope, id: string): Promise<void> {
    const { rows, files } = this.#deps;
    await files.deletePrefix(archivePrefix({ orgId, id }));
    await rows.delete({ db, orgId }, id);
  }

  /** Removes those whose sender is gone, of all workspaces or of one; returns how many there were. */
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

  /** How many are, or may be, stored in another way than the target says. */
  countOthers(scope: OrgScope, target: ContentTarget): Promise<number> {
    return this.#deps.rows.countOthers(scope, target);
  }

  /** Returns false where it is to be sealed in another way by now. */
  #note(scope: OrgScope, id: string, { keyId }: StoredFile): Promise<boolean> {
    const { rows, contentKeys } = this.#deps;
    return inTransaction(scope, async (tx) => {
      if (!(await contentKeys.isToStay(tx, keyId))) return false;
      await rows.note(tx, id, keyId);
      return true;
    });
  }

  async #rewrite(scope: OrgScope, id: string, former: StoredFile): Promise<StoredFile> {
    const { files } = this.#deps;
    const key = await files.currentKey(scope.orgId);
    const file = fileOf(scope, id, key?.id ?? null);
    await files.copy(former, key, file.storageKey);
    await files.delete(former.storageKey);
    return file;
  }
}

function fileOf({ orgId }: OrgScope, id: string, keyId: string | null): StoredFile {
  return { orgId, keyId, storageKey: uploadedArchiveKey({ orgId, id, keyId }) };
}

import type { OrgScope } from '../../database/org-scope.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { beginReseal } from './begin-reseal.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

export interface OutdatedUploadsDeps {
  contentKeys: Pick<WorkspaceContentKeys, 'getCurrentKey' | 'isStillValidLocked'>;
  encryption: OrgEncryptionRepository;
  outbox: OutboxService;
}

/** Handles files that were uploaded while the workspace's encryption mode changed. */
export class OutdatedUploads {
  readonly #deps: OutdatedUploadsDeps;

  constructor(deps: OutdatedUploadsDeps) {
    this.#deps = deps;
  }

  /**
   * Starts another conversion of the workspace's content if the file was encrypted with an outdated key. Runs
   * in the transaction that stores the file's row.
   * @param keyId id of the data key that encrypts the file; null for an unencrypted file
   * @throws AppError `key_unavailable`
   */
  async resealIfOutdated(tx: OrgScope, keyId: string | null): Promise<void> {
    const { contentKeys } = this.#deps;
    const key = await contentKeys.getCurrentKey(tx.orgId);
    if ((key?.id ?? null) === keyId || (await contentKeys.isStillValidLocked(tx, keyId))) return;
    await beginReseal(tx, this.#deps);
  }
}

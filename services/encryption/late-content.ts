import type { OrgScope } from '../../database/org-scope.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { beginReseal } from './begin-reseal.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

export interface LateContentDeps {
  contentKeys: Pick<WorkspaceContentKeys, 'current' | 'isToStay'>;
  encryption: OrgEncryptionRepository;
  outbox: OutboxService;
}

/** Files that took long to arrive: there may have been a switch since it was settled how they are kept. */
export class LateContent {
  readonly #deps: LateContentDeps;

  constructor(deps: LateContentDeps) {
    this.#deps = deps;
  }

  /**
   * In the transaction that stores the row of such a file: has `reseal` walk once more where it has passed by already.
   * @param keyId what the file is sealed with; null: it is readable
   * @throws AppError `key_unavailable`
   */
  async follow(tx: OrgScope, keyId: string | null): Promise<void> {
    const { contentKeys } = this.#deps;
    const key = await contentKeys.current(tx.orgId);
    if ((key?.id ?? null) === keyId || (await contentKeys.isToStay(tx, keyId))) return;
    await beginReseal(tx, this.#deps);
  }
}

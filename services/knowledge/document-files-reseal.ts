import { ObjectMissingError } from '../../adapters/storage/object-storage.ts';
import type { ContentTarget } from '../../database/content-conversion.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type {
  DocumentWithOriginal,
  OriginalRepository,
} from '../../repositories/knowledge/original.repository.ts';
import { deleteFileCommand } from '../outbox/delete-file-command.ts';
import type { ResealTarget, ResealStep } from '../encryption/reseal-targets.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { Originals, StoredOriginal } from './originals.ts';
import { replacementKey } from '../../core/storage-keys.ts';

export interface DocumentFilesResealDeps {
  rows: OriginalRepository;
  originals: Originals;
  outbox: OutboxService;
}

/**
 * Number of documents' files that one step converts to the current encryption. The number is small, since
 * files may be large and a failed step is repeated as a whole.
 */
const FILES_PER_STEP = 10;

/** Converts the original files of a workspace's documents after a change of encryption. */
export class DocumentFilesReseal implements ResealTarget {
  readonly name = 'originals';
  readonly #deps: DocumentFilesResealDeps;

  constructor(deps: DocumentFilesResealDeps) {
    this.#deps = deps;
  }

  async convert(scope: OrgScope, from: string | null, target: ContentTarget): Promise<ResealStep> {
    const page = { after: from, limit: FILES_PER_STEP };
    const found = await this.#deps.rows.listNeedingReseal(scope, target, page);
    let converted = 0;
    for (const document of found) if (await this.#resealOriginal(scope, document, target)) converted += 1;
    return { converted, next: found.length < FILES_PER_STEP ? null : found.at(-1)!.id };
  }

  /**
   * Copies a document's file with the new encryption key. The old file is deleted once the row refers to the
   * new file. Returns false if the old file no longer exists.
   */
  async #resealOriginal(
    scope: OrgScope,
    document: DocumentWithOriginal,
    { key }: ContentTarget,
  ): Promise<boolean> {
    const { rows, originals } = this.#deps;
    try {
      const { content } = await originals.openForReseal(document);
      const copy = await originals.putWith(key, replacementKey(document.storageKey), content);
      if (await this.#replaceOriginal(scope, document, copy)) return true;
      // Deletes the copy, unless another process has stored the same copy and the row refers to it.
      if (!(await rows.isCurrent(scope, { ...document, storageKey: copy.storageKey })))
        await originals.delete(copy.storageKey);
      return false;
    } catch (error) {
      if (error instanceof ObjectMissingError) return false;
      throw error;
    }
  }

  #replaceOriginal(
    scope: OrgScope,
    document: DocumentWithOriginal,
    { storageKey, keyId }: StoredOriginal,
  ): Promise<boolean> {
    const { rows, outbox } = this.#deps;
    return inTransaction(scope, async (tx) => {
      if (!(await rows.replace(tx, document, { storageKey, keyId }))) return false;
      const { botId, storageKey: previousKey } = document;
      // Also deletes a decrypted copy under the other storage key, which a crashed process may have left.
      const leftover = keyId !== null && { leftover: replacementKey(previousKey) };
      const input = { orgId: tx.orgId, botId, storageKey: previousKey, ...leftover };
      await outbox.command(tx, deleteFileCommand(input, 'Remove the previous copy of a resealed original'));
      return true;
    });
  }
}

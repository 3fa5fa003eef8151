import { Readable } from 'node:stream';
import { ObjectMissingError, type OpenedObject } from '../../../adapters/storage/object-storage.ts';
import { verifyContent } from '../../../adapters/storage/verified-content.ts';
import { replacementKey } from '../../../core/storage-keys.ts';
import type { ContentKey } from '../../../database/content-keys.ts';
import type { ContentTarget } from '../../../database/content-conversion.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type {
  ConversationFileLocation,
  ConversationFileRepository,
  StoredConversationFile,
} from '../../../repositories/conversations/conversation-file.repository.ts';
import type { ContentFiles } from '../../encryption/content-files.ts';
import type { ResealStep, ResealTarget } from '../../encryption/reseal-targets.ts';
import { deleteFileCommand } from '../../outbox/delete-file-command.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';

/** Columns of a conversation's stored file. Size and digest are those of the unencrypted content. */
export type StoredFileColumns = Pick<
  StoredConversationFile,
  'storageKey' | 'fileKeyId' | 'sizeBytes' | 'sha256'
>;

export interface ConversationFileContentDeps {
  rows: ConversationFileRepository;
  files: ContentFiles;
  outbox: OutboxService;
}

/**
 * Number of files that one step converts to the current encryption, since a failed step is repeated as a
 * whole.
 */
const FILES_PER_STEP = 10;

/**
 * Stores, opens and deletes the content of files in conversations, and converts it after a change of
 * encryption.
 */
export class ConversationFileContent implements ResealTarget {
  readonly name = 'conversation-files';
  readonly #deps: ConversationFileContentDeps;

  constructor(deps: ConversationFileContentDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `key_unavailable` */
  async put({ orgId, folder }: ConversationFileLocation, content: Buffer): Promise<StoredFileColumns> {
    const key = await this.#deps.files.currentKey(orgId);
    return this.#putWith(key, `${folder}original`, Readable.from([content]));
  }

  /**
   * Opens a conversation's file, whose content must have the size and digest in its row.
   * @throws AppError `key_unavailable`, ObjectMissingError, ObjectChangedError
   */
  async open({
    orgId,
    storageKey,
    fileKeyId,
    sizeBytes,
    sha256,
  }: StoredConversationFile): Promise<OpenedObject> {
    const opened = await this.#deps.files.open({ orgId, storageKey, keyId: fileKeyId });
    return verifyContent(storageKey, opened, { sizeBytes, sha256 });
  }

  /** Deletes all copies of the content of a file that has no database row. */
  delete({ folder }: ConversationFileLocation): Promise<void> {
    return this.#deps.files.deletePrefix(folder);
  }

  async convert(scope: OrgScope, from: string | null, target: ContentTarget): Promise<ResealStep> {
    const page = { after: from, limit: FILES_PER_STEP };
    const found = await this.#deps.rows.listNeedingReseal(scope, target, page);
    let converted = 0;
    for (const file of found) if (await this.#reseal(scope, file, target)) converted += 1;
    return { converted, next: found.length < FILES_PER_STEP ? null : found.at(-1)!.id };
  }

  /** Copies the file with the new encryption key. Returns false if the file no longer exists. */
  async #reseal(scope: OrgScope, file: StoredConversationFile, { key }: ContentTarget): Promise<boolean> {
    const { rows, files } = this.#deps;
    try {
      const { content } = await this.open(file);
      const copy = await this.#putWith(key, replacementKey(file.storageKey), content);
      if (await this.#replace(scope, file, copy)) return true;
      // Deletes the copy, unless another process has stored the same copy and the row refers to it.
      if (!(await rows.isCurrent(scope, { ...file, ...copy }))) await files.delete(copy.storageKey);
      return false;
    } catch (error) {
      if (error instanceof ObjectMissingError) return false;
      throw error;
    }
  }

  #replace(
    scope: OrgScope,
    file: StoredConversationFile,
    { storageKey, fileKeyId }: StoredFileColumns,
  ): Promise<boolean> {
    const { rows, outbox } = this.#deps;
    return inTransaction(scope, async (tx) => {
      if (!(await rows.replaceContent(tx, file, { storageKey, fileKeyId }))) return false;
      // Also deletes a decrypted copy under the other storage key, which a crashed process may have left.
      const leftover = fileKeyId !== null && { leftover: replacementKey(file.storageKey) };
      const input = { orgId: tx.orgId, botId: file.botId, storageKey: file.storageKey, ...leftover };
      await outbox.command(tx, deleteFileCommand(input, 'Remove the previous copy of a resealed file'));
      return true;
    });
  }

  async #putWith(key: ContentKey | null, name: string, content: Readable): Promise<StoredFileColumns> {
    const storageKey = key === null ? name : `${name}.${key.id}`;
    const stored = await this.#deps.files.put(key, storageKey, content);
    return { ...stored, storageKey, fileKeyId: key?.id ?? null };
  }
}

import {
  ObjectMissingError,
  type ObjectStorage,
  type OpenedObject,
} from '../../../adapters/storage/object-storage.ts';
import { verifyContent } from '../../../adapters/storage/verified-content.ts';
import { AppError, notFound, createOtherWorkspaceError } from '../../../core/errors/errors.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Receipt } from '../../../entities/billing/receipt.entity.ts';
import type { ReceiptRepository } from '../../../repositories/billing/receipt.repository.ts';
import { receiptKey } from '../../../core/storage-keys.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { createBillingSyncCommand } from '../billing-commands.ts';

const RETRY_SECONDS = '60';

export interface ReceiptServiceDeps {
  receipts: ReceiptRepository;
  storage: ObjectStorage;
  outbox: OutboxService;
}

/** Lists receipts of workspaces and opens their files. */
export class ReceiptService {
  readonly #deps: ReceiptServiceDeps;

  constructor(deps: ReceiptServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a workspace's receipts, newest first.
   * @param before id of the last receipt on the previous page
   * @throws AppError `not_found`, `forbidden` for an invalid `before`
   */
  async list(scope: OrgScope, limit: number, before: string | undefined): Promise<Receipt[]> {
    const { receipts } = this.#deps;
    if (before === undefined) return receipts.list(scope, { limit, before: null });
    return receipts.list(scope, { limit, before: await this.#get(scope, before) });
  }

  /**
   * Opens the file of a receipt. Downloads it from the payment provider again if it is missing in storage.
   * @throws AppError `not_found`, `forbidden`; `conflict` if the file was not downloaded yet
   */
  async open(scope: OrgScope, id: string): Promise<OpenedObject & Pick<Receipt, 'number'>> {
    const { number, storedAt, sha256 } = await this.#get(scope, id);
    if (storedAt === null) throw createFileMissingError();
    try {
      const key = receiptKey(scope.orgId, id);
      const opened = await this.#deps.storage.open(key);
      return { ...(await verifyContent(key, opened, { sizeBytes: null, sha256 })), number };
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      await this.#fetchAgain(scope, id);
      throw createFileMissingError(error);
    }
  }

  async #fetchAgain(scope: OrgScope, id: string): Promise<void> {
    const { receipts, outbox } = this.#deps;
    await inTransaction(scope, async (tx) => {
      await receipts.markFileLost(tx, id);
      await outbox.command(tx, createBillingSyncCommand(tx.orgId));
    });
  }

  async #get(scope: OrgScope, id: string): Promise<Receipt> {
    const { receipts } = this.#deps;
    const receipt = await receipts.find(scope, id);
    if (receipt) return receipt;
    throw (await receipts.existsUnscoped(scope, id))
      ? createOtherWorkspaceError('receipt')
      : notFound('receipt');
  }
}

function createFileMissingError(cause?: unknown): AppError {
  return new AppError('conflict', 'The file is being fetched from the payment provider; try again soon.', {
    headers: { 'Retry-After': RETRY_SECONDS },
    cause,
  });
}

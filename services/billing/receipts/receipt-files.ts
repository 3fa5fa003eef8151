import { Readable } from 'node:stream';
import type { PaymentProvider } from '../../../adapters/billing/payment-provider.ts';
import type { ObjectStorage } from '../../../adapters/storage/object-storage.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ReceiptRepository } from '../../../repositories/billing/receipt.repository.ts';
import { receiptKey } from '../../../core/storage-keys.ts';

export interface ReceiptFilesDeps {
  provider: PaymentProvider | undefined;
  receipts: ReceiptRepository;
  storage: ObjectStorage;
}

/**
 * Stores the files of receipts as issued, so that later changes at the payment provider do not affect them.
 */
export class ReceiptFiles {
  readonly #deps: ReceiptFilesDeps;

  constructor(deps: ReceiptFilesDeps) {
    this.#deps = deps;
  }

  /**
   * Downloads the files of receipts that are not stored yet from the payment provider. Continues after a
   * failure, and returns the number of stored files.
   * @throws ProviderUnavailable, ProviderRefused
   */
  async store(scope: OrgScope): Promise<number> {
    const { provider, receipts, storage } = this.#deps;
    if (!provider) return 0;
    const receiptsWithoutFile = await receipts.listWithoutFile(scope);
    const failures: unknown[] = [];
    for (const { id, invoiceId } of receiptsWithoutFile) {
      try {
        const file = await provider.downloadInvoice(invoiceId);
        const { sha256 } = await storage.put(receiptKey(scope.orgId, id), Readable.from([file]));
        await receipts.markFileStored(scope, id, sha256);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return receiptsWithoutFile.length;
  }
}

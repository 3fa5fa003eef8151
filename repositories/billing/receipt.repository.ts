import { In, IsNull } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { isNewerThan, isOlderThan } from '../../database/times.ts';
import { Receipt, type ReceiptStatus } from '../../entities/billing/receipt.entity.ts';

export type NewReceipt = Omit<Receipt, 'orgId' | 'sha256' | 'storedAt' | 'createdAt'>;

/** Stores the receipts of payers. */
export class ReceiptRepository {
  find({ db, orgId }: OrgScope, id: string): Promise<Receipt | null> {
    return db.repository(Receipt).findOneBy({ id, orgId });
  }

  existsUnscoped({ db }: Pick<OrgScope, 'db'>, id: string): Promise<boolean> {
    return db.repository(Receipt).existsBy({ id });
  }

  /**
   * Lists a payer's receipts, newest first.
   * @param before last receipt of the previous page; null for the first page
   */
  list(
    { db, orgId }: OrgScope,
    { limit, before }: { limit: number; before: Pick<Receipt, 'issuedAt' | 'id'> | null },
  ): Promise<Receipt[]> {
    const query = db.repository(Receipt).createQueryBuilder('receipt').where({ orgId });
    if (before) query.andWhere('(receipt.issuedAt, receipt.id) < (:issuedAt, :id)', before);
    return query.orderBy({ 'receipt.issuedAt': 'DESC', 'receipt.id': 'DESC' }).limit(limit).getMany();
  }

  listByInvoices({ db, orgId }: OrgScope, invoiceIds: readonly string[]): Promise<Receipt[]> {
    return db.repository(Receipt).findBy({ orgId, invoiceId: In(invoiceIds) });
  }

  async insert({ db, orgId }: OrgScope, receipt: NewReceipt): Promise<void> {
    await insertOrIgnore(db.repository(Receipt), { ...receipt, orgId });
  }

  async setStatus({ db, orgId }: OrgScope, id: string, status: ReceiptStatus): Promise<void> {
    await db.repository(Receipt).update({ id, orgId }, { status });
  }

  listWithoutFile({ db, orgId }: OrgScope): Promise<Receipt[]> {
    return db.repository(Receipt).find({ where: { orgId, storedAt: IsNull() }, order: { issuedAt: 'ASC' } });
  }

  /**
   * Lists payers with receipts whose file has been missing for an hour, newest first. Skips
   * receipts older than a month.
   */
  async listPayersWithoutFile(db: Database, limit: number): Promise<string[]> {
    const rows = await db
      .repository(Receipt)
      .createQueryBuilder('receipt')
      .select('receipt.orgId', 'orgId')
      .where({ storedAt: IsNull(), createdAt: isOlderThan("interval '1 hour'") })
      .andWhere({ createdAt: isNewerThan("interval '30 days'") })
      .groupBy('receipt.orgId')
      .orderBy('max(receipt.createdAt)', 'DESC')
      .limit(limit)
      .getRawMany<{ orgId: string }>();
    return rows.map(({ orgId }) => orgId);
  }

  /** Marks the file of a receipt as missing, so that Parley fetches the file again. */
  async markFileLost({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(Receipt).update({ id, orgId }, { sha256: null, storedAt: null });
  }

  async markFileStored({ db, orgId }: OrgScope, id: string, sha256: string): Promise<void> {
    await db
      .repository(Receipt)
      .update({ id, orgId, storedAt: IsNull() }, { sha256, storedAt: () => 'now()' });
  }
}

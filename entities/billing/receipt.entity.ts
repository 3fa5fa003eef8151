import { Entity, Index } from 'typeorm';
import type { BillingProfile } from '../../core/billing/billing-profile.ts';
import {
  CreatedAt,
  Id,
  Integer,
  Json,
  NullableText,
  Reference,
  Text,
  Timestamp,
} from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

const receiptStatuses = ['paid', 'refunded'] as const;
export type ReceiptStatus = (typeof receiptStatuses)[number];

/** A paid invoice, as the payment provider issued it. */
@Entity('receipts')
@Index('uq_receipts_invoice', ['invoiceId'], { unique: true })
@Index('ix_receipts_org_id', ['orgId', 'issuedAt', 'id'])
@Index('ix_receipts_without_file', ['createdAt'], { where: 'stored_at IS NULL' })
export class Receipt {
  @Id('receipts') id!: string;
  @Reference('receipts', 'org_id', () => Org) orgId!: string;
  /** Id of the invoice at the payment provider. */
  @Text('invoice_id') invoiceId!: string;
  @Text('number') number!: string;
  @Timestamp('issued_at') issuedAt!: Date;
  @Integer('amount_cents') amountCents!: number;
  @Integer('tax_cents') taxCents!: number;
  @Text('currency') currency!: string;
  @Text('status') status!: ReceiptStatus;
  @Text('description') description!: string;
  @Json('addressee') addressee!: BillingProfile;
  /** SHA-256 of the receipt's PDF file in lower-case hex; null until the file is stored. */
  @NullableText('sha256') sha256!: string | null;
  @Timestamp('stored_at', { nullable: true }) storedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}

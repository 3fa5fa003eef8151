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

/** A paid invoice of the payment provider, as it was issued. */
@Entity('receipts')
@Index('uq_receipts_invoice', ['invoiceId'], { unique: true })
@Index('ix_receipts_org_id', ['orgId', 'issuedAt', 'id'])
@Index('ix_receipts_without_file', ['createdAt'], { where: 'stored_at IS NULL' })
export class Receipt {
  @Id('receipts') id!: string;
  @Reference('receipts', 'org_id', () => Org) orgId!: string;
  /** The provider's. */
  @Text('invoice_id') invoiceId!: string;
  @Text('number') number!: string;
  @Timestamp('issued_at') issuedAt!: Date;
  @Integer('amount_cents') amountCents!: number;
  @Integer('tax_cents') taxCents!: number;
  @Text('currency') currency!: string;
  @Text('status') status!: ReceiptStatus;
  @Text('description') description!: string;
  @Json('addressee') addressee!: BillingProfile;
  /** Of its file, in lower-case hexadecimal; null until it is stored. */
  @NullableText('sha256') sha256!: string | null;
  @Timestamp('stored_at', { nullable: true }) storedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}

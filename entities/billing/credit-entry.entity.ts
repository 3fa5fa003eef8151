import { Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, Reference, Text } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';
import { Checkout } from './checkout.entity.ts';

/** Messages that a top-up added to the payer's credits, or that its refund subtracted. */
@Entity('credit_entries')
@Index('uq_credit_entries_provider_ref', ['providerRef'], { unique: true })
@Index('ix_credit_entries_org_id', ['orgId'])
@Index('ix_credit_entries_checkout_id', ['checkoutId'])
export class CreditEntry {
  @Id('credit_entries') id!: string;
  @Reference('credit_entries', 'org_id', () => Org) orgId!: string;
  @Reference('credit_entries', 'checkout_id', () => Checkout) checkoutId!: string;
  /**
   * Id of the payment or refund at the payment provider. The id is unique, so that no payment or refund
   * counts twice.
   */
  @Text('provider_ref') providerRef!: string;
  @Integer('messages') messages!: number;
  @CreatedAt() createdAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/** passed_on: a workflow was told. unmatched: it is about a customer or a checkout that nobody knows yet. ignored: it changes nothing here. */
export const eventOutcomes = ['passed_on', 'unmatched', 'ignored'] as const;
export type EventOutcome = (typeof eventOutcomes)[number];

/** Something that the payment provider has told of, once for each id. */
@Entity('billing_events')
@Index('ix_billing_events_org_id', ['orgId'])
@Index('ix_billing_events_created_at', ['createdAt'])
@Index('ix_billing_events_unmatched', ['createdAt'], { where: "outcome = 'unmatched'" })
export class BillingEvent {
  /** The provider's. */
  @PrimaryColumn({ name: 'id', type: 'text', primaryKeyConstraintName: 'pk_billing_events' }) id!: string;
  @Reference('billing_events', 'org_id', () => Org, { nullable: true }) orgId!: string | null;
  @Text('type') type!: string;
  /** What it is about; what it says of it is not kept. */
  @NullableText('customer_id') customerId!: string | null;
  @NullableText('session_id') sessionId!: string | null;
  @Column({ name: 'checkout_id', type: 'uuid', nullable: true }) checkoutId!: string | null;
  @Text('outcome') outcome!: EventOutcome;
  @Timestamp('matched_at', { nullable: true }) matchedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * passed_on: a workflow was signalled. unmatched: the customer or checkout is not known yet. ignored: the event changes
 * nothing.
 */
export const eventOutcomes = ['passed_on', 'unmatched', 'ignored'] as const;
export type EventOutcome = (typeof eventOutcomes)[number];

/** An event of the payment provider, once per id. */
@Entity('billing_events')
@Index('ix_billing_events_org_id', ['orgId'])
@Index('ix_billing_events_created_at', ['createdAt'])
@Index('ix_billing_events_unmatched', ['createdAt'], { where: "outcome = 'unmatched'" })
export class BillingEvent {
  /** Event id of the provider. */
  @PrimaryColumn({ name: 'id', type: 'text', primaryKeyConstraintName: 'pk_billing_events' }) id!: string;
  @Reference('billing_events', 'org_id', () => Org, { nullable: true }) orgId!: string | null;
  @Text('type') type!: string;
  /** Ids of the objects that the event is about. The rest of its payload is not stored. */
  @NullableText('customer_id') customerId!: string | null;
  @NullableText('session_id') sessionId!: string | null;
  @Column({ name: 'checkout_id', type: 'uuid', nullable: true }) checkoutId!: string | null;
  @Text('outcome') outcome!: EventOutcome;
  @Timestamp('matched_at', { nullable: true }) matchedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * Outcome of a webhook event of the payment provider. `passed_on`: a workflow was signaled. `unmatched`: its
 * customer or checkout is not known yet. `ignored`: it changes nothing.
 */
export const eventOutcomes = ['passed_on', 'unmatched', 'ignored'] as const;
export type EventOutcome = (typeof eventOutcomes)[number];

/** A webhook event of the payment provider. Events that arrive repeatedly are stored once. */
@Entity('billing_events')
@Index('ix_billing_events_org_id', ['orgId'])
@Index('ix_billing_events_created_at', ['createdAt'])
@Index('ix_billing_events_unmatched', ['createdAt'], { where: "outcome = 'unmatched'" })
export class BillingEvent {
  /** Id of the webhook event at the payment provider. */
  @PrimaryColumn({ name: 'id', type: 'text', primaryKeyConstraintName: 'pk_billing_events' }) id!: string;
  @Reference('billing_events', 'org_id', () => Org, { nullable: true }) orgId!: string | null;
  @Text('type') type!: string;
  /**
   * Ids of the payment provider's objects that the webhook event concerns. The rest of the event is not
   * stored.
   */
  @NullableText('customer_id') customerId!: string | null;
  @NullableText('session_id') sessionId!: string | null;
  @Column({ name: 'checkout_id', type: 'uuid', nullable: true }) checkoutId!: string | null;
  @Text('outcome') outcome!: EventOutcome;
  @Timestamp('matched_at', { nullable: true }) matchedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}

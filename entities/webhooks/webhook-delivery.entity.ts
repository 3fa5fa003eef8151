import { Column, Entity, Index } from 'typeorm';
import {
  Counter,
  CreatedAt,
  Flag,
  Id,
  Integer,
  Json,
  NullableText,
  Reference,
  Text,
  Timestamp,
} from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { ERASED_BY } from '../outbox/outbox.entity.ts';
import { Webhook } from './webhook.entity.ts';

/**
 * Channel of the NOTIFY that wakes the dispatchers at commit. The payload is the id of a changed endpoint whose cached
 * state is stale; otherwise empty.
 */
export const DELIVERIES_CHANNEL = 'parley_deliveries';

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Result of one attempt. */
export interface LoggedAttempt {
  /** When the attempt was made. */
  at: string;
  isDelivered: boolean;
  reason: string | null;
  responseStatus: number | null;
  durationMs: number | null;
}

/** An event on its way to one endpoint. Its id is the same on every attempt. */
@Entity('webhook_deliveries')
@Index('uq_webhook_deliveries_event', ['webhookId', 'eventId'], {
  unique: true,
  where: 'NOT is_on_demand',
})
@Index('ix_webhook_deliveries_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_webhook_deliveries_webhook_created', ['webhookId', 'orgId', 'createdAt', 'id'])
@Index('ix_webhook_deliveries_event', ['orgId', 'event', 'createdAt', 'id'])
@Index('ix_webhook_deliveries_undelivered', ['orgId', 'status', 'createdAt', 'id'], {
  where: "status IN ('retrying', 'failed')",
})
@Index('ix_webhook_deliveries_pending', ['orgId', 'isOnDemand', 'webhookId', 'dueAt'], {
  where: "status = 'pending'",
})
@Index('ix_webhook_deliveries_retrying', ['webhookId', 'dueAt'], { where: "status = 'retrying'" })
@Index('ix_webhook_deliveries_replay_of_id', ['replayOfId'], { where: 'replay_of_id IS NOT NULL' })
export class WebhookDelivery {
  @Id('webhook_deliveries') id!: string;
  /** Workspace of the endpoint. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('webhook_deliveries', 'webhook_id', () => Webhook) webhookId!: string;
  @Reference('webhook_deliveries', 'replay_of_id', () => WebhookDelivery, {
    nullable: true,
    onDelete: 'SET NULL',
  })
  replayOfId!: string | null;
  /** A replay or a test that a person waits for. It is sent even while the endpoint fails. */
  @Flag('is_on_demand') isOnDemand!: boolean;
  /** The outbox event it came from. The same event never creates two deliveries to one endpoint. */
  @Text('event_id') eventId!: string;
  @Text('event') event!: string;
  /** The body's `data`. The column type json preserves its text: every attempt sends the same bytes. */
  @Sealed({ boundTo: 'eventId', outside: ERASED_BY })
  @Json('payload', { type: 'json' })
  payload!: Sealed<Record<string, unknown>>;
  @Text('status', { default: 'pending' }) status!: DeliveryStatus;
  @Counter('attempts') attempts!: number;
  /** Why the last attempt failed: `<code>: <sentence>`. */
  @NullableText('reason') reason!: string | null;
  @Integer('response_status', { nullable: true }) responseStatus!: number | null;
  @Sealed() @NullableText('response_body') responseBody!: Sealed<string> | null;
  @Integer('duration_ms', { nullable: true }) durationMs!: number | null;
  /** Null until an attempt fails: a single successful attempt is described by this row. */
  @Json('attempt_log', { nullable: true }) attemptLog!: LoggedAttempt[] | null;
  @Timestamp('due_at', { default: () => 'now()' }) dueAt!: Date;
  @Timestamp('lease_expires_at', { nullable: true }) leaseExpiresAt!: Date | null;
  @Timestamp('delivered_at', { nullable: true }) deliveredAt!: Date | null;
  /** The span of its event (W3C Trace Context), if traces are enabled. */
  @NullableText('traceparent') traceparent!: string | null;
  @KeyId() keyId!: string | null;
  @CreatedAt() createdAt!: Date;
}

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
 * PostgreSQL's NOTIFY channel that wakes the webhook dispatchers when a transaction commits. The payload is
 * the id of an endpoint that was changed and must be read again, or empty.
 */
export const DELIVERIES_CHANNEL = 'parley_deliveries';

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Result of one attempt to deliver an event to a webhook endpoint. */
export interface LoggedAttempt {
  /** Time at which the delivery was attempted. */
  at: string;
  isDelivered: boolean;
  reason: string | null;
  responseStatus: number | null;
  durationMs: number | null;
}

/** An event to deliver to one webhook endpoint. The delivery's id stays the same for all attempts. */
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
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('webhook_deliveries', 'webhook_id', () => Webhook) webhookId!: string;
  @Reference('webhook_deliveries', 'replay_of_id', () => WebhookDelivery, {
    nullable: true,
    onDelete: 'SET NULL',
  })
  replayOfId!: string | null;
  /**
   * Whether a person waits for the webhook delivery: a replay or test. Parley sends such a delivery even if
   * the endpoint is failing.
   */
  @Flag('is_on_demand') isOnDemand!: boolean;
  /**
   * Id of the delivered event in the outbox. An event has at most one delivery to each endpoint, except for
   * replays and tests.
   */
  @Text('event_id') eventId!: string;
  @Text('event') event!: string;
  /**
   * The member `data` of the webhook request's body. The column type json keeps the text unchanged, so that
   * each attempt sends the same bytes.
   */
  @Sealed({ boundTo: 'eventId', outside: ERASED_BY })
  @Json('payload', { type: 'json' })
  payload!: Sealed<Record<string, unknown>>;
  @Text('status', { default: 'pending' }) status!: DeliveryStatus;
  @Counter('attempts') attempts!: number;
  /** Reason why the last delivery attempt failed, as `<code>: <sentence>`. */
  @NullableText('reason') reason!: string | null;
  @Integer('response_status', { nullable: true }) responseStatus!: number | null;
  @Sealed() @NullableText('response_body') responseBody!: Sealed<string> | null;
  @Integer('duration_ms', { nullable: true }) durationMs!: number | null;
  /**
   * All attempts to deliver the event; null until an attempt fails, because the columns of this row describe
   * a single successful attempt.
   */
  @Json('attempt_log', { nullable: true }) attemptLog!: LoggedAttempt[] | null;
  @Timestamp('due_at', { default: () => 'now()' }) dueAt!: Date;
  @Timestamp('lease_expires_at', { nullable: true }) leaseExpiresAt!: Date | null;
  @Timestamp('delivered_at', { nullable: true }) deliveredAt!: Date | null;
  /** Trace span of the delivered event (W3C Trace Context), if tracing is enabled. */
  @NullableText('traceparent') traceparent!: string | null;
  @KeyId() keyId!: string | null;
  @CreatedAt() createdAt!: Date;
}

import { Column, Entity, Index } from 'typeorm';
import { Counter, CreatedAt, Id, Json, NullableText, Text, Timestamp } from './columns.ts';

/** Channel of the NOTIFY that wakes the relays at commit; its payload is the kind of the rows, or `UNHURRIED`. */
export const OUTBOX_CHANNEL = 'parley_outbox';
/** Says that events have come which are sent in batches: they wait anyway. */
export const UNHURRIED = 'unhurried';

/**
 * What has to happen after a commit: a domain event for webhooks and alerts, or a command to a workflow.
 * Rows are deleted once they have been handed over.
 */
@Entity('outbox')
@Index('ix_outbox_due', ['kind', 'orgId', 'dueAt', 'id'])
export class OutboxRow {
  @Id('outbox') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  @Text('kind') kind!: 'event' | 'command';
  /** The event's name, or the workflow's type. */
  @Text('name') name!: string;
  @Json('payload') payload!: Record<string, unknown>;
  @Counter('attempts') attempts!: number;
  @NullableText('last_error') lastError!: string | null;
  /** The span that wrote it (W3C Trace Context), where traces are kept. */
  @NullableText('traceparent') traceparent!: string | null;
  /** Not before this time; moved forward while a worker holds the row and after a failure. */
  @Timestamp('due_at', { default: () => 'now()' }) dueAt!: Date;
  @CreatedAt() createdAt!: Date;
}

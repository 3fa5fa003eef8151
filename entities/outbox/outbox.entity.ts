import { Column, Entity, Index } from 'typeorm';
import { Counter, CreatedAt, Id, Json, NullableText, Text, Timestamp } from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';

/**
 * Channel of the NOTIFY that wakes the relays at commit. The payload is an event's row as JSON, which saves a query; or
 * the kind of the rows, or `UNHURRIED`.
 */
export const OUTBOX_CHANNEL = 'parley_outbox';
/** Payload for events that are sent in batches, and therefore need not wake the relays at once. */
export const UNHURRIED = 'unhurried';

/** Ids in an event's data by which an erasure finds the events of a contact, even without the key. */
export const ERASED_BY = ['contact_id', 'conversation_id'] as const;

/** PostgreSQL accepts payloads below 8,000 bytes. */
const MAX_NOTIFICATION_BYTES = 7900;

/**
 * Returns SQL that wakes the relays for the events in `rows`, which are whole rows of the outbox. A single row is sent
 * in the payload.
 */
export const notifyRelaysSql = (rows: string): string => `
  SELECT pg_notify('${OUTBOX_CHANNEL}', CASE WHEN count(*) = 1 AND max(octet_length(told)) <= ${MAX_NOTIFICATION_BYTES}
                                             THEN max(told) ELSE 'event' END)
  FROM (SELECT row_to_json(${rows})::text AS told FROM ${rows}) AS each HAVING count(*) > 0`;

/**
 * Work that follows a commit: a domain event for webhooks and alerts, or a command to a workflow. Rows are deleted once
 * they are delivered.
 */
@Entity('outbox')
@Index('ix_outbox_due', ['kind', 'orgId', 'dueAt', 'id'])
export class OutboxRow {
  @Id('outbox') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  @Text('kind') kind!: 'event' | 'command';
  /** Name of the event, or type of the workflow. */
  @Text('name') name!: string;
  /** Always plain text for a command, and for an event without content. */
  @Sealed({ outside: ERASED_BY }) @Json('payload') payload!: Sealed<Record<string, unknown>>;
  @KeyId() keyId!: string | null;
  @Counter('attempts') attempts!: number;
  @NullableText('last_error') lastError!: string | null;
  /** The span that wrote it (W3C Trace Context), if traces are enabled. */
  @NullableText('traceparent') traceparent!: string | null;
  /** Earliest time to send it. Moved forward while a worker holds the row and after a failure. */
  @Timestamp('due_at', { default: () => 'now()' }) dueAt!: Date;
  @CreatedAt() createdAt!: Date;
}

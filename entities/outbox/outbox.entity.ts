import { Column, Entity, Index } from 'typeorm';
import { Counter, CreatedAt, Id, Json, NullableText, Text, Timestamp } from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';

/**
 * Channel of the NOTIFY that wakes the relays at commit. Its payload is an event's row as JSON, which so need not be looked
 * for; or the kind of the rows, or `UNHURRIED`.
 */
export const OUTBOX_CHANNEL = 'parley_outbox';
/** Says that events have come which are sent in batches: they wait anyway. */
export const UNHURRIED = 'unhurried';

/** Ids in the data of an event by which what an erased contact has left is found, with or without the key. */
export const ERASED_BY = ['contact_id', 'conversation_id'] as const;

/** PostgreSQL takes less than 8,000 bytes. */
const LONGEST_NOTIFICATION_BYTES = 7900;

/** SQL that wakes the relays for the events in `rows`, which are whole rows of the outbox. One alone travels along. */
export const tellOf = (rows: string): string => `
  SELECT pg_notify('${OUTBOX_CHANNEL}', CASE WHEN count(*) = 1 AND max(octet_length(told)) <= ${LONGEST_NOTIFICATION_BYTES}
                                             THEN max(told) ELSE 'event' END)
  FROM (SELECT row_to_json(${rows})::text AS told FROM ${rows}) AS each HAVING count(*) > 0`;

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
  /** Of a command, and of an event that tells no content, it is always readable. */
  @Sealed({ outside: ERASED_BY }) @Json('payload') payload!: Sealed<Record<string, unknown>>;
  @KeyId() keyId!: string | null;
  @Counter('attempts') attempts!: number;
  @NullableText('last_error') lastError!: string | null;
  /** The span that wrote it (W3C Trace Context), where traces are kept. */
  @NullableText('traceparent') traceparent!: string | null;
  /** Not before this time; moved forward while a worker holds the row and after a failure. */
  @Timestamp('due_at', { default: () => 'now()' }) dueAt!: Date;
  @CreatedAt() createdAt!: Date;
}

import { Column, Entity, Index } from 'typeorm';
import { Counter, CreatedAt, Id, Json, NullableText, Text, Timestamp } from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';

/**
 * PostgreSQL's NOTIFY channel that wakes the outbox relays when a transaction commits. The payload is the row
 * of an event as JSON, which saves a query, or only the kind of the rows, or `UNHURRIED`.
 */
export const OUTBOX_CHANNEL = 'parley_outbox';
/**
 * Notification payload for outbox events that are sent in batches, so that relays need not wake up at once.
 */
export const UNHURRIED = 'unhurried';

/**
 * Members of an event's payload that stay unencrypted, so that an erasure finds a contact's events without
 * decrypting them.
 */
export const ERASED_BY = ['contact_id', 'conversation_id'] as const;

/** Maximum size of a notification in bytes, since PostgreSQL only accepts less than 8,000 bytes. */
const MAX_NOTIFICATION_BYTES = 7900;

/**
 * Returns SQL that notifies the outbox relays of inserted events. If there is a single event, the
 * notification contains its row.
 * @param rows name of the inserted outbox rows in the statement
 */
export const notifyRelaysSql = (rows: string): string => `
  SELECT pg_notify('${OUTBOX_CHANNEL}', CASE WHEN count(*) = 1 AND max(octet_length(told)) <= ${MAX_NOTIFICATION_BYTES}
                                             THEN max(told) ELSE 'event' END)
  FROM (SELECT row_to_json(${rows})::text AS told FROM ${rows}) AS each HAVING count(*) > 0`;

/**
 * A row of the outbox: work to do after a transaction's commit, which is an event for webhooks and alerts, or
 * a command to a workflow. The row is deleted once the work was passed on.
 */
@Entity('outbox')
@Index('ix_outbox_due', ['kind', 'orgId', 'dueAt', 'id'])
export class OutboxRow {
  @Id('outbox') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  @Text('kind') kind!: 'event' | 'command';
  /** Name of the outbox event, or type of the workflow that the command starts or signals. */
  @Text('name') name!: string;
  /** Data of the outbox event or command. Only events with content are encrypted. */
  @Sealed({ outside: ERASED_BY }) @Json('payload') payload!: Sealed<Record<string, unknown>>;
  @KeyId() keyId!: string | null;
  @Counter('attempts') attempts!: number;
  @NullableText('last_error') lastError!: string | null;
  /** Trace span that inserted the outbox row (W3C Trace Context), if tracing is enabled. */
  @NullableText('traceparent') traceparent!: string | null;
  /**
   * Earliest time to process the outbox row. A worker moves this time forward while it processes the row, and
   * after a failure.
   */
  @Timestamp('due_at', { default: () => 'now()' }) dueAt!: Date;
  @CreatedAt() createdAt!: Date;
}

import { In } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { listSelectedColumns, toEntity } from '../../database/row-mapping.ts';
import { MAX_RETRY_DELAY_SECONDS, MIN_RETRY_DELAY_SECONDS } from '../../core/encryption/key-retry.ts';
import { fromNow } from '../../database/times.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { CLAIM_COMMANDS, LOCK_DUE_EVENTS } from './outbox.sql.ts';
import type { ClaimedCommand } from './outbox.sql.ts';

export interface DueEvents {
  rows: OutboxRow[];
  /** True if a workspace received its full share of the batch, so that it may have more due outbox rows. */
  isMore: boolean;
}

const HELD_UNTIL = `now() + least(greatest((now() - created_at) / 2, interval '${MIN_RETRY_DELAY_SECONDS} seconds'), interval '${MAX_RETRY_DELAY_SECONDS} seconds')`;
const NEVER_DUE = () => `'infinity'`;

/** The outbox as a queue for relays. Payers share each batch of rows equally. */
export class OutboxQueueRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Leases due outbox commands.
   * @param maxPerPayer maximum number of commands from each payer
   */
  claimCommands(
    { limit, maxPerPayer }: { limit: number; maxPerPayer: number },
    leaseSeconds: number,
  ): Promise<ClaimedCommand[]> {
    return this.#db.run(CLAIM_COMMANDS, ['command', limit, leaseSeconds, maxPerPayer]);
  }

  /**
   * Locks due outbox events until the transaction ends.
   * @param limit maximum number of events
   * @param deliveries maximum number of deliveries that the events cause: one for each event and endpoint of
   *   its workspace
   * @param skippedOrgIds workspaces whose events are skipped
   */
  async lockDueEvents(
    db: Database,
    {
      limit,
      deliveries,
      skippedOrgIds,
    }: { limit: number; deliveries: number; skippedOrgIds: readonly string[] },
  ): Promise<DueEvents> {
    const dueEvents = await db.run(LOCK_DUE_EVENTS, ['event', limit, deliveries, skippedOrgIds]);
    const rows = dueEvents.map((row) => this.#toOutboxRow(row));
    return {
      rows,
      isMore: hasFullShare(rows.map(({ orgId }, index) => ({ orgId, rowLimit: dueEvents[index]!.rowLimit }))),
    };
  }

  /**
   * Converts an outbox row that a PostgreSQL notification contained.
   * @param json outbox row of an event, as JSON
   */
  parseEvent(json: string): OutboxRow {
    const event = this.#toOutboxRow(JSON.parse(json) as Record<string, unknown>);
    return { ...event, createdAt: new Date(event.createdAt), dueAt: new Date(event.dueAt) };
  }

  async deleteAll(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#db.repository(OutboxRow).delete({ id: In(ids) });
  }

  /**
   * Postpones outbox events whose workspace's encryption key is unavailable. Older events are postponed
   * longer. A postponement does not count as an attempt.
   */
  async holdEvents(db: Database, ids: readonly string[], reason: string): Promise<void> {
    if (ids.length === 0) return;
    const deferral = { dueAt: () => HELD_UNTIL, lastError: reason };
    await db.repository(OutboxRow).update({ id: In([...ids]) }, deferral);
  }

  async postponeEvent(id: string, error: string, pauseSeconds: number): Promise<void> {
    await this.#postpone(id, error, { attempts: () => 'attempts + 1', dueAt: fromNow(pauseSeconds, 'secs') });
  }

  /**
   * Postpones an outbox command that failed.
   * @param pauseSeconds delay; null marks the command as failed permanently
   */
  async postponeCommand(id: string, error: string, pauseSeconds: number | null): Promise<void> {
    await this.#postpone(id, error, {
      dueAt: pauseSeconds === null ? NEVER_DUE : fromNow(pauseSeconds, 'secs'),
    });
  }

  async #postpone(
    id: string,
    lastError: string,
    changes: { attempts?: () => string; dueAt: () => string },
  ): Promise<void> {
    await this.#db.repository(OutboxRow).update({ id }, { ...changes, lastError });
  }

  #toOutboxRow(row: Record<string, unknown>): OutboxRow {
    return toEntity<OutboxRow>(listSelectedColumns(this.#db.dataSource.getMetadata(OutboxRow)), row);
  }
}

function hasFullShare(due: readonly { orgId: string; rowLimit: number }[]): boolean {
  const remainingByOrg = new Map<string, number>();
  for (const { orgId, rowLimit } of due)
    remainingByOrg.set(orgId, (remainingByOrg.get(orgId) ?? Number(rowLimit)) - 1);
  return [...remainingByOrg.values()].some((rows) => rows <= 0);
}

import type { Span, Tracing } from '../../adapters/telemetry/tracing.ts';
import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import { KEY_UNAVAILABLE } from '../../core/encryption/key-retry.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { OutboxQueueRepository } from '../../repositories/outbox/outbox-queue.repository.ts';
import { decryptReadyEvents } from '../../services/webhooks/ready-events.ts';
import { startRelaySpan } from '../spans.ts';
import { EventKeys } from './event-keys.ts';
import type { EventSink, BatchRelay } from './batch-relay.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';

const BATCH_SIZE = 200;
/**
 * Maximum number of webhook deliveries that a batch of events creates. An event in a workspace with many
 * endpoints costs as much as many other events.
 */
const BATCH_DELIVERIES = 2000;
/**
 * Maximum delay in milliseconds of an event in the outbox whose notification was lost, or that was postponed.
 */
const MAX_POLL_DELAY_MS = 1000;
/**
 * Maximum number of events that are taken from notifications. The relay reads further events from the
 * database, where payers take turns.
 */
const MAX_NOTIFIED = 20;
const PAUSES = { firstMs: 1000, maxMs: 5 * 60_000 };

export interface EventRelayDeps {
  database: Database;
  sink: EventSink;
  log: Logger;
  tracing?: Tracing | undefined;
}

/** Events of a batch from the outbox: those to deliver now, and those that must wait. */
interface Deliverable {
  events: Opened<OutboxRow>[];
  /** Ids of events that wait because the key of their workspace is unavailable. */
  heldIds: string[];
  /** True if the batch skips events because the key of their workspace is being decrypted. */
  isAnySkipped: boolean;
}

interface Batch {
  count: number;
  isMore: boolean;
}

/**
 * Moves events from the outbox to the sink, which creates their webhook deliveries, in one transaction. So no
 * event is lost or delivered twice if the process ends. If a batch fails, its events are retried one by one,
 * so that a bad event does not block others. Events from notifications need no query if nothing else is due.
 * While the keys of a workspace are being decrypted, the relay skips its events.
 */
export class EventRelay implements BatchRelay {
  readonly kind = 'event';
  readonly #deps: EventRelayDeps;
  readonly #queue: OutboxQueueRepository;
  readonly #keys: EventKeys;
  #wake: () => void = () => {};
  #notified: OutboxRow[] = [];
  /** True if events in the outbox may be due that no notification contained. */
  #isPollDue = true;
  #polledAt = 0;

  constructor(deps: EventRelayDeps) {
    this.#deps = deps;
    this.#queue = new OutboxQueueRepository(deps.database);
    const { database, log } = deps;
    this.#keys = new EventKeys({ database, log, onSettled: () => this.#handleSettledKeys() });
  }

  /** Sets the callback that is called when events become due without a notification. */
  onWake(wake: () => void): void {
    this.#wake = wake;
  }

  /** Waits until the running decryptions of keys have ended. Returns false if none was running. */
  waitForKeys(): Promise<boolean> {
    return this.#keys.waitUntilSettled();
  }

  /**
   * Accepts a PostgreSQL notification that an event was added to the outbox.
   * @param row the event's row as JSON; undefined if the notification did not contain it
   */
  acceptNotification(row?: string): void {
    if (row !== undefined && this.#notified.length < MAX_NOTIFIED)
      this.#notified.push(this.#queue.parseEvent(row));
    else this.#isPollDue = true;
  }

  async relayBatch(): Promise<boolean> {
    const notifiedRows = this.#notified.splice(0);
    const now = performance.now();
    // Read events from the database if tracing is on: a span may only start for rows that this relay has locked.
    const mustPoll = this.#isPollDue || this.#deps.tracing || now >= this.#polledAt + MAX_POLL_DELAY_MS;
    if (notifiedRows.length > 0 && !mustPoll) return this.#relayNotified(notifiedRows);
    this.#polledAt = now;
    this.#isPollDue = false;
    const isMore = await this.#pollBatch();
    if (isMore) this.#isPollDue = true;
    // Poll again, since a key may have been decrypted during the poll, which skipped the events of its
    // workspace.
    return this.#isPollDue;
  }

  #handleSettledKeys(): void {
    this.#isPollDue = true;
    this.#wake();
  }

  async #relayNotified(rows: OutboxRow[]): Promise<boolean> {
    const { database, sink, log } = this.#deps;
    try {
      const { events, heldIds } = await this.#decryptDeliverable(rows);
      if (events.length > 0) await sink.deliver(database, events);
      if (heldIds.length > 0) this.#isPollDue = true;
      return heldIds.length > 0;
    } catch (error) {
      log.warn({ err: error }, 'cannot process events from notifications; reading them from the outbox');
      this.#isPollDue = true;
      return true;
    }
  }

  async #pollBatch(): Promise<boolean> {
    try {
      return (await this.#relay(BATCH_SIZE)).isMore;
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'batch of events failed; processing them one by one');
      return this.#relayOneByOne();
    }
  }

  async #relay(limit: number, onRows: (rows: OutboxRow[]) => void = () => {}): Promise<Batch> {
    const { database, sink, tracing } = this.#deps;
    const spans: Span[] = [];
    try {
      const batch = await database.transaction(async (db) => {
        const skippedOrgIds = this.#keys.decryptingOrgIds;
        const dueEvents = await this.#queue.lockDueEvents(db, {
          limit,
          deliveries: BATCH_DELIVERIES,
          skippedOrgIds,
        });
        onRows(dueEvents.rows);
        const { events: rows, heldIds, isAnySkipped } = await this.#decryptDeliverable(dueEvents.rows);
        await this.#queue.holdEvents(db, heldIds, KEY_UNAVAILABLE);
        const batch = { count: dueEvents.rows.length, isMore: dueEvents.isMore || isAnySkipped };
        if (rows.length === 0) return batch;
        if (tracing) spans.push(...rows.map((row) => startRelaySpan(tracing, row)));
        const traced = rows.map((row, i) => ({
          ...row,
          traceparent: spans[i]?.traceparent ?? row.traceparent,
        }));
        await sink.deliver(db, traced);
        return batch;
      });
      for (const span of spans) span.end();
      return batch;
    } catch (error) {
      for (const span of spans) span.end('not_relayed');
      throw error;
    }
  }

  /**
   * Decrypts the content of events without calling a key service. Starts to decrypt missing keys and skips
   * the events of their workspaces. Shortly after this has failed for a workspace, delivers its events
   * without content instead.
   */
  async #decryptDeliverable(due: readonly OutboxRow[]): Promise<Deliverable> {
    const rows = due.filter(({ orgId }) => !this.#keys.isDecrypting(orgId));
    const {
      ready,
      keyless,
      sealed,
      refused,
      withoutUnwrappedKey: lacking,
    } = await decryptReadyEvents(this.#deps.database, rows);
    const decrypting = new Set(
      lacking.map(({ orgId }) => orgId).filter((orgId) => !this.#keys.isPaused(orgId)),
    );
    for (const orgId of decrypting)
      this.#keys.startDecrypting(
        orgId,
        lacking.filter((row) => row.orgId === orgId),
      );
    const isDue = ({ orgId }: Pick<OutboxRow, 'orgId'>) => !decrypting.has(orgId);
    const deliverable = new Map([...ready, ...keyless].map((event) => [event.id, event]));
    return {
      events: rows.filter(isDue).flatMap(({ id }) => deliverable.get(id) ?? []),
      heldIds: [...sealed, ...refused].filter(isDue).map(({ id }) => id),
      isAnySkipped: decrypting.size > 0,
    };
  }

  async #relayOneByOne(): Promise<boolean> {
    for (let count = 0; count < BATCH_SIZE; count += 1) {
      let row: OutboxRow | undefined;
      try {
        if ((await this.#relay(1, ([first]) => (row = first))).count === 0) return false;
      } catch (error) {
        if (row === undefined) throw error;
        await this.#postpone(row, error);
      }
    }
    return true;
  }

  async #postpone({ id, name, attempts }: OutboxRow, error: unknown): Promise<void> {
    if (isKeyUnavailable(error)) return this.#queue.holdEvents(this.#deps.database, [id], KEY_UNAVAILABLE);
    const pauseSeconds = backoffMs(attempts, PAUSES) / 1000;
    this.#deps.log.error(
      { err: error, outboxId: id, event: name, attempts },
      'cannot process an event of the outbox',
    );
    await this.#queue.postponeEvent(id, String(error), pauseSeconds);
  }
}

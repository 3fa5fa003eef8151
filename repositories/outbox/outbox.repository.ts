import { loadCurrentKeys, requireContent, sealRowWith } from '../../database/content.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { INSERT_COMMANDS, INSERT_EVENTS, INSERT_BATCHED_EVENTS } from './outbox.sql.ts';

/** Columns of a new outbox row. */
export type OutboxEntry = Pick<Opened<OutboxRow>, 'id' | 'orgId' | 'name' | 'payload' | 'traceparent'>;

export type NewEvent = OutboxEntry &
  Pick<OutboxRow, 'botId'> & {
    /**
     * Data key that encrypts the outbox event; null stores plain text, undefined looks up the workspace's
     * current key.
     */
    key: ContentKey | null | undefined;
  };

const content = requireContent(OutboxRow);

/** Inserts events and commands into the outbox, which relays then process. */
export class OutboxRepository {
  /**
   * Inserts an event into the outbox.
   * @throws AppError `key_unavailable`
   */
  async insertEvent(db: Database, event: NewEvent): Promise<void> {
    await db.run(INSERT_EVENTS, toInsertColumns(await sealEvents(db, [event])));
  }

  /**
   * Inserts events into the outbox in the same round trip as COMMIT.
   * @param isBatched true for kinds of events that are delivered in batches and therefore wait
   * @throws AppError `key_unavailable`
   */
  async insertEventsLast(db: Database, events: readonly NewEvent[], isBatched: boolean): Promise<void> {
    const insert = isBatched ? INSERT_BATCHED_EVENTS : INSERT_EVENTS;
    db.runWithCommit(insert, toInsertColumns(await sealEvents(db, events)));
  }

  async insertCommands(db: Database, commands: readonly OutboxEntry[]): Promise<void> {
    if (commands.length > 0) await db.run(INSERT_COMMANDS, [JSON.stringify(commands)]);
  }

  /**
   * Inserts commands into the outbox like `insertCommands`, but in the same round trip as COMMIT.
   * @throws Error outside of a transaction
   */
  insertCommandsLast(db: Database, commands: readonly OutboxEntry[]): void {
    if (commands.length > 0) db.runWithCommit(INSERT_COMMANDS, [JSON.stringify(commands)]);
  }
}

type StoredEvent = Omit<NewEvent, 'key'> & Pick<OutboxRow, 'keyId'>;

async function sealEvents(db: Database, events: readonly NewEvent[]): Promise<StoredEvent[]> {
  const unknown = events.filter(({ key }) => key === undefined).map(({ orgId }) => orgId);
  const keys = unknown.length === 0 ? null : await loadCurrentKeys(db, unknown);
  return events.map(({ key: eventKey, ...event }) => {
    const key = eventKey === undefined ? keys!.get(event.orgId)! : eventKey;
    return sealRowWith(content, key, event);
  });
}

function toInsertColumns(events: readonly StoredEvent[]): unknown[] {
  return [
    events.map(({ id }) => id),
    events.map(({ orgId }) => orgId),
    events.map(({ botId }) => botId),
    events.map(({ name }) => name),
    events.map(({ payload }) => JSON.stringify(payload)),
    events.map(({ traceparent }) => traceparent),
    events.map(({ keyId }) => keyId),
  ];
}

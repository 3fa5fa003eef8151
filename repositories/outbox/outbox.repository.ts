import type { Database } from '../../database/database.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { INSERT_COMMANDS, INSERT_EVENTS, INSERT_UNHURRIED_EVENTS } from './outbox.sql.ts';

/** What is written of a row. */
export type OutboxEntry = Pick<OutboxRow, 'id' | 'orgId' | 'name' | 'payload' | 'traceparent'>;

export type NewEvent = OutboxEntry & Pick<OutboxRow, 'botId'>;

/** Writes what the relays hand over. */
export class OutboxRepository {
  async insertEvent(db: Database, event: NewEvent): Promise<void> {
    await db.run(INSERT_EVENTS, columnsOf([event]));
  }

  /** They go out with COMMIT. @param isUnhurried whether they are sent in batches, and so wait anyway */
  insertEventsLast(db: Database, events: readonly NewEvent[], isUnhurried: boolean): void {
    db.runWithCommit(isUnhurried ? INSERT_UNHURRIED_EVENTS : INSERT_EVENTS, columnsOf(events));
  }

  async insertCommands(db: Database, commands: readonly OutboxEntry[]): Promise<void> {
    if (commands.length > 0) await db.run(INSERT_COMMANDS, [JSON.stringify(commands)]);
  }

  /** The same for what is written last: it goes out with COMMIT. @throws Error outside of a transaction */
  insertCommandsLast(db: Database, commands: readonly OutboxEntry[]): void {
    if (commands.length > 0) db.runWithCommit(INSERT_COMMANDS, [JSON.stringify(commands)]);
  }
}

function columnsOf(events: readonly NewEvent[]): unknown[] {
  return [
    events.map(({ id }) => id),
    events.map(({ orgId }) => orgId),
    events.map(({ botId }) => botId),
    events.map(({ name }) => name),
    events.map(({ payload }) => JSON.stringify(payload)),
    events.map(({ traceparent }) => traceparent),
  ];
}

import type { QueryDeepPartialEntity } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { notify } from '../../database/notify.ts';
import { OUTBOX_CHANNEL, OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { INSERT_EVENTS, INSERT_UNHURRIED_EVENTS } from './outbox.sql.ts';

/** What is written of a row. */
export type OutboxEntry = Pick<OutboxRow, 'id' | 'orgId' | 'name' | 'payload' | 'traceparent'>;

export type NewEvent = OutboxEntry & Pick<OutboxRow, 'botId'>;

/** Due by a time that is cut, not rounded up: the relay comes within the same millisecond. */
const DUE_NOW = () => "date_trunc('milliseconds', now())";

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
    if (commands.length === 0) return;
    const rows = commands.map((command) => ({ ...command, kind: 'command', dueAt: DUE_NOW }));
    await db.transaction(async (tx) => {
      const insertion = tx
        .repository(OutboxRow)
        .createQueryBuilder()
        .insert()
        .values(rows as QueryDeepPartialEntity<OutboxRow>[]);
      await Promise.all([insertion.updateEntity(false).execute(), notify(tx, OUTBOX_CHANNEL, 'command')]);
    });
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

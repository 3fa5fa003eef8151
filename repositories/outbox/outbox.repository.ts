import type { QueryDeepPartialEntity } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { notify } from '../../database/notify.ts';
import { OUTBOX_CHANNEL, OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { WRITE_EVENT } from './outbox.sql.ts';

/** What is written of a row. */
export type OutboxEntry = Pick<OutboxRow, 'id' | 'orgId' | 'name' | 'payload' | 'traceparent'>;

/** Due by a time that is cut, not rounded up: the relay comes within the same millisecond. */
const DUE_NOW = () => "date_trunc('milliseconds', now())";

/** Writes what the relays hand over. */
export class OutboxRepository {
  async insertEvent(db: Database, event: OutboxEntry & Pick<OutboxRow, 'botId'>): Promise<void> {
    const { id, orgId, botId, name, payload, traceparent } = event;
    await db.run(WRITE_EVENT, [id, orgId, botId, name, JSON.stringify(payload), traceparent]);
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

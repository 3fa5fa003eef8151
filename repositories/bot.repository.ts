import { Bot } from '../entities/bot.entity.ts';
import type { Database } from '../entities/database.ts';
import type { OrgScope } from './org-scope.ts';
import { listOf, selectable, toEntity } from './row-mapping.ts';
import { ScopedRepository } from './scoped.repository.ts';

export class BotRepository extends ScopedRepository<Bot> {
  constructor() {
    super(Bot, 'bot');
  }

  /** The bot that the widget of any workspace shows under this key: one that is active and public. */
  async findPublic(db: Database, publicKey: string): Promise<Bot | null> {
    const columns = selectable(db.dataSource.getMetadata(Bot));
    const text = `SELECT ${listOf(columns)} FROM bots
      WHERE public_key = $1 AND status = 'active' AND is_public AND deleted_at IS NULL`;
    const [row] = await db.prepared<Record<string, unknown>>({ name: 'find-public-bot', text }, [publicKey]);
    return row ? toEntity<Bot>(columns, row) : null;
  }

  /** Adds to the number of chunks that answers can be drawn from. */
  async countChunks({ db, orgId }: OrgScope, id: string, change: number): Promise<void> {
    await db.sql(
      'UPDATE bots SET indexed_chunk_count = indexed_chunk_count + $3 WHERE id = $1 AND org_id = $2',
      [id, orgId, change],
    );
  }
}

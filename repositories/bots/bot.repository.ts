import { IsNull } from 'typeorm';
import { Bot } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { PUBLIC_BOT, SESSION_BOT, QUEUE_FOR_BOT } from './bot.sql.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { SessionBot } from './bot.sql.ts';

export class BotRepository extends ScopedRepository<Bot> {
  /** Does not conflict with transactions that only refer to the bot by a foreign key. */
  protected override readonly lockForUpdate = 'for_no_key_update';

  constructor() {
    super(Bot, 'bot');
  }

  /** Returns the workspace of a bot in any workspace, even a deleted one. */
  async findOrgId(db: Database, id: string): Promise<string | null> {
    const bot = await db.repository(Bot).findOne({ where: { id }, select: { orgId: true } });
    return bot?.orgId ?? null;
  }

  /** Finds the active public bot of a widget key, in any workspace. */
  async findPublic(db: Database, publicKey: string): Promise<Bot | null> {
    const [bot] = await db.run(PUBLIC_BOT, [publicKey]);
    return bot ?? null;
  }

  /** Like `findPublic`, but reads only what the start of a session needs. */
  async findSessionBot(db: Database, publicKey: string): Promise<SessionBot | null> {
    const [bot] = await db.run(SESSION_BOT, [publicKey]);
    return bot ?? null;
  }

  /** Returns the newest bot of the first workspace that its widget may show. */
  async findNewestPublic(db: Database): Promise<Bot | null> {
    const [first] = await db
      .repository(Org)
      .find({ where: { deletedAt: IsNull() }, order: { createdAt: 'ASC', id: 'ASC' }, take: 1 });
    if (!first) return null;
    return db.repository(Bot).findOne({
      where: { orgId: first.id, status: 'active', isPublic: true, deletedAt: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  }

  /** Adds to the number of indexed chunks. */
  addToChunkCount(scope: OrgScope, id: string, change: number): Promise<void> {
    return inTransaction(scope, async (tx) => {
      await this.queueFor(tx, id);
      const { db, orgId } = tx;
      await db.repository(Bot).increment({ id, orgId }, 'indexedChunkCount', change);
    });
  }

  /**
   * Queues by an advisory lock, as all transactions that change a bot's counters do. Locking the row directly could
   * deadlock.
   */
  protected override async queueFor({ db }: OrgScope, id: string): Promise<void> {
    await db.run(QUEUE_FOR_BOT, [id]);
  }
}

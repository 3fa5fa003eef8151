import { IsNull } from 'typeorm';
import { Bot } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { PUBLIC_BOT, SESSION_BOT, TURN_OF_BOT } from './bot.sql.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { SessionBot } from './bot.sql.ts';

export class BotRepository extends ScopedRepository<Bot> {
  /** Whoever only refers to a bot does not wait for its changes, nor they for them. */
  protected override readonly lockForUpdate = 'for_no_key_update';

  constructor() {
    super(Bot, 'bot');
  }

  /** The workspace of a bot, whichever it is, also of one that is deleted; null where there is none. */
  async findOrgId(db: Database, id: string): Promise<string | null> {
    const bot = await db.repository(Bot).findOne({ where: { id }, select: { orgId: true } });
    return bot?.orgId ?? null;
  }

  /** The bot that the widget of any workspace shows under this key: one that is active and public. */
  async findPublic(db: Database, publicKey: string): Promise<Bot | null> {
    const [bot] = await db.run(PUBLIC_BOT, [publicKey]);
    return bot ?? null;
  }

  /** The same, of which only that much is read. */
  async findSessionBot(db: Database, publicKey: string): Promise<SessionBot | null> {
    const [bot] = await db.run(SESSION_BOT, [publicKey]);
    return bot ?? null;
  }

  /** The newest bot that the widget shows of the first workspace. */
  async findNewestShown(db: Database): Promise<Bot | null> {
    const [first] = await db
      .repository(Org)
      .find({ where: { deletedAt: IsNull() }, order: { createdAt: 'ASC', id: 'ASC' }, take: 1 });
    if (!first) return null;
    return db.repository(Bot).findOne({
      where: { orgId: first.id, status: 'active', isPublic: true, deletedAt: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  }

  /** Adds to the number of chunks that answers can be drawn from. */
  countChunks(scope: OrgScope, id: string, change: number): Promise<void> {
    return inTransaction(scope, async (tx) => {
      await this.queueFor(tx, id);
      const { db, orgId } = tx;
      await db.repository(Bot).increment({ id, orgId }, 'indexedChunkCount', change);
    });
  }

  /** The turns of what a bot counts: whoever locks its row without one could deadlock with them. */
  protected override async queueFor({ db }: OrgScope, id: string): Promise<void> {
    await db.run(TURN_OF_BOT, [id]);
  }
}

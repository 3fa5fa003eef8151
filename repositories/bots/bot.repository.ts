import { IsNull } from 'typeorm';
import { Batcher } from '../../core/concurrency/batcher.ts';
import { memoizePerObject } from '../../core/concurrency/memoize-per-object.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { PUBLIC_BOTS, SESSION_BOTS, QUEUE_FOR_BOT, type SessionBot } from './bot.sql.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Runnable } from '../../database/statement.ts';

export class BotRepository extends ScopedRepository<Bot> {
  /** Locks a bot without blocking transactions that only insert rows with a foreign key to it. */
  protected override readonly lockForUpdate = 'for_no_key_update';

  readonly #publicBots = createPublicBotReader(PUBLIC_BOTS);
  readonly #sessionBots = createPublicBotReader(SESSION_BOTS);

  constructor() {
    super(Bot, 'bot');
  }

  /** Returns the id of the workspace that a bot belongs to, even for a deleted bot. */
  async findOrgId(db: Database, id: string): Promise<string | null> {
    const bot = await db.repository(Bot).findOne({ where: { id }, select: { orgId: true } });
    return bot?.orgId ?? null;
  }

  /**
   * Finds an active public bot of any workspace by the public key of its widget. Batches concurrent reads;
   * callers share the bot, so they must not modify it.
   */
  findPublic(db: Database, publicKey: string): Promise<Readonly<Bot> | null> {
    return this.#publicBots(db.withoutTransaction).load(publicKey);
  }

  /** Finds a public bot like `findPublic`, but reads only the columns that starting a session needs. */
  findSessionBot(db: Database, publicKey: string): Promise<SessionBot | null> {
    return this.#sessionBots(db.withoutTransaction).load(publicKey);
  }

  /** Returns the newest public bot of the installation's first workspace; null if that workspace has none. */
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

  /**
   * Adds to the bot's number of indexed chunks.
   * @param change number to add, which may be negative
   */
  addToChunkCount(scope: OrgScope, id: string, change: number): Promise<void> {
    return inTransaction(scope, async (tx) => {
      await this.beforeLock(tx, id);
      const { db, orgId } = tx;
      await db.repository(Bot).increment({ id, orgId }, 'indexedChunkCount', change);
    });
  }

  /**
   * Waits for an advisory lock of the bot, like all transactions that change its counters. Locking the row
   * directly could deadlock.
   */
  protected override async beforeLock({ db }: OrgScope, id: string): Promise<void> {
    await db.run(QUEUE_FOR_BOT, [id]);
  }
}

/**
 * Creates a function that returns the batcher of a connection pool, which finds bots by public key.
 * @param statement finds bots by public keys
 */
function createPublicBotReader<T extends Pick<Bot, 'publicKey'>>(statement: Runnable<T>) {
  return memoizePerObject(
    (pool: Database) =>
      new Batcher(async (publicKeys: string[]): Promise<(T | null)[]> => {
        // Skip malformed public keys: text that PostgreSQL cannot store would make it reject the whole batch.
        const wellFormedKeys = new Set(publicKeys.filter((publicKey) => /^\w+$/.test(publicKey)));
        const bots = await pool.run(statement, [[...wellFormedKeys]]);
        const byPublicKey = new Map(bots.map((bot) => [bot.publicKey, bot]));
        return publicKeys.map((publicKey) => byPublicKey.get(publicKey) ?? null);
      }),
  );
}

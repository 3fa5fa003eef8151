import { IsNull } from 'typeorm';
import { Bot } from '../../entities/bots/bot.entity.ts';
import type { Database, PreparedStatement } from '../../database/database.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { lockedBots, turnOf } from './locked-bots.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { listOf, selectable, toEntity } from '../../database/row-mapping.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** What the start of a session asks of its bot. */
export type SessionBot = Pick<
  Bot,
  'id' | 'orgId' | 'allowedDomains' | 'identitySecretVersion' | 'formerIdentitySecretUntil'
>;

const IS_SHOWN = "public_key = $1 AND status = 'active' AND is_public AND deleted_at IS NULL";

const FIND_SESSION_BOT: PreparedStatement = {
  name: 'find-session-bot',
  text: `SELECT id, org_id AS "orgId", allowed_domains AS "allowedDomains", identity_secret_version AS "identitySecretVersion",
           former_identity_secret_until AS "formerIdentitySecretUntil"
    FROM bots WHERE ${IS_SHOWN}`,
};

export class BotRepository extends ScopedRepository<Bot> {
  /** Whoever only refers to a bot does not wait for its changes, nor they for them. */
  protected override readonly lockForUpdate = 'for_no_key_update';

  constructor() {
    super(Bot, 'bot');
  }

  /** The bot that the widget of any workspace shows under this key: one that is active and public. */
  async findPublic(db: Database, publicKey: string): Promise<Bot | null> {
    const columns = selectable(db.dataSource.getMetadata(Bot));
    const text = `SELECT ${listOf(columns)} FROM bots WHERE ${IS_SHOWN}`;
    const [row] = await db.prepared<Record<string, unknown>>({ name: 'find-public-bot', text }, [publicKey]);
    return row ? toEntity<Bot>(columns, row) : null;
  }

  /** The same, of which only that much is read. */
  async findSessionBot(db: Database, publicKey: string): Promise<SessionBot | null> {
    const [bot] = await db.prepared<SessionBot>(FIND_SESSION_BOT, [publicKey]);
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
  async countChunks({ db, orgId }: OrgScope, id: string, change: number): Promise<void> {
    await db.sql(
      `WITH ${lockedBots('b.id', 'SELECT $1::uuid AS bot_id', 'b.org_id = $2')}
       UPDATE bots b SET indexed_chunk_count = b.indexed_chunk_count + $3 FROM bot WHERE b.id = bot.id`,
      [id, orgId, change],
    );
  }

  /** The turns of what a bot counts: whoever locks its row without one could deadlock with them. */
  protected override async queueFor({ db }: OrgScope, id: string): Promise<void> {
    await db.sql(`SELECT ${turnOf('$1::uuid')}`, [id]);
  }
}

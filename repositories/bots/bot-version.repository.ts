import { In } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { BotVersion } from '../../entities/bots/bot-version.entity.ts';

export interface VersionQuery {
  limit: number;
  /** Upper limit of the version numbers to list, exclusive. */
  before?: number | undefined;
}

/** A version of a bot with the current name of its author; null if the author is unknown. */
export interface AuthoredVersion extends BotVersion {
  authorName: string | null;
}

type JoinedVersion = BotVersion & { author: Pick<User, 'fullName'> | null };

export class BotVersionRepository extends ScopedRepository<BotVersion> {
  constructor() {
    super(BotVersion, 'version');
  }

  /** Lists the bot's versions, newest first. */
  async listByBot(
    scope: OrgScope,
    botId: string,
    { limit, before }: VersionQuery,
  ): Promise<AuthoredVersion[]> {
    const query = this.#queryWithAuthors(scope).andWhere('row.botId = :botId', { botId });
    if (before !== undefined) query.andWhere('row.version < :before', { before });
    const rows = await query.orderBy('row.version', 'DESC').limit(limit).getMany();
    return (rows as JoinedVersion[]).map(toAuthoredVersion);
  }

  async findByNumber(scope: OrgScope, botId: string, version: number): Promise<AuthoredVersion | null> {
    const row = await this.#queryWithAuthors(scope)
      .andWhere('row.botId = :botId AND row.version = :version', { botId, version })
      .getOne();
    return row && toAuthoredVersion(row as JoinedVersion);
  }

  #queryWithAuthors(scope: OrgScope) {
    return this.query(scope)
      .leftJoinAndMapOne('row.author', User, 'author', 'author.id = row.authorId')
      .select(['row', 'author.id', 'author.fullName']);
  }

  /** Returns the highest number among the bot's versions; 0 if the bot has no versions. */
  async getLastNumber(scope: OrgScope, botId: string): Promise<number> {
    const last = await this.query(scope)
      .select('max(row.version)', 'last')
      .andWhere('row.botId = :botId', { botId })
      .getRawOne<{ last: number | null }>();
    return last?.last ?? 0;
  }

  /**
   * Deletes versions of the bot beyond a maximum: first versions without a note, then the oldest. Never
   * deletes the latest version, which determines the next number. Returns the number of deleted versions.
   */
  async deleteExcess(
    scope: OrgScope,
    { botId, version: last }: Pick<BotVersion, 'botId' | 'version'>,
    maxCount: number,
  ): Promise<number> {
    const count = await this.query(scope).andWhere('row.botId = :botId', { botId }).getCount();
    if (count <= maxCount) return 0;
    const excess = await this.query(scope)
      .select(['row.id', 'row.version'])
      .andWhere('row.botId = :botId AND row.version < :last', { botId, last })
      .orderBy('row.note IS NULL', 'DESC')
      .addOrderBy('row.version', 'ASC')
      .take(count - maxCount)
      .getMany();
    const ids = excess.map(({ id }) => id);
    await scope.db.repository(BotVersion).delete({ id: In(ids), orgId: scope.orgId });
    return ids.length;
  }
}

function toAuthoredVersion({ author, ...row }: JoinedVersion): AuthoredVersion {
  return { ...row, authorName: author?.fullName ?? null };
}

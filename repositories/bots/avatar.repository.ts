import { Avatar } from '../../entities/bots/avatar.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { BotVersion } from '../../entities/bots/bot-version.entity.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

export class AvatarRepository extends ScopedRepository<Avatar> {
  constructor() {
    super(Avatar, 'avatar');
  }

  /** Lists avatars of the bot that neither the bot nor any of its versions uses. */
  listUnused(scope: OrgScope, botId: string): Promise<Avatar[]> {
    const query = this.query(scope).andWhere('row.botId = :botId', { botId });
    const shownNow = query
      .subQuery()
      .select('1')
      .from(Bot, 'bot')
      .where(`bot.id = row.botId AND bot.widgetTheme ->> 'avatar_url' LIKE '%/' || row.id`);
    const shownBefore = query
      .subQuery()
      .select('1')
      .from(BotVersion, 'version')
      .where('version.botId = row.botId AND version.avatarId = row.id');
    return query
      .andWhere(`NOT EXISTS ${shownNow.getQuery()}`)
      .andWhere(`NOT EXISTS ${shownBefore.getQuery()}`)
      .getMany();
  }

  /** Finds an avatar of any workspace by its id, if its bot currently uses it. */
  findPublished(db: Database, id: string): Promise<Avatar | null> {
    return db
      .repository(Avatar)
      .createQueryBuilder('avatar')
      .innerJoin(Bot, 'bot', 'bot.id = avatar.botId AND bot.orgId = avatar.orgId AND bot.deletedAt IS NULL')
      .where({ id })
      .andWhere(`bot.widgetTheme ->> 'avatar_url' LIKE '%/' || avatar.id`)
      .getOne();
  }
}

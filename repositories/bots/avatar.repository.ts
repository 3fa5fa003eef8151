import { Avatar } from '../../entities/bots/avatar.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

export class AvatarRepository extends ScopedRepository<Avatar> {
  constructor() {
    super(Avatar, 'avatar');
  }

  findOfBot(scope: OrgScope, botId: string): Promise<Avatar | null> {
    return this.query(scope).andWhere('row.botId = :botId', { botId }).getOne();
  }

  /** An avatar of any workspace that its bot shows. */
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

import { Avatar } from '../../entities/bots/avatar.entity.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

export class AvatarRepository extends ScopedRepository<Avatar> {
  constructor() {
    super(Avatar, 'avatar');
  }

  ofBot(scope: OrgScope, botId: string): Promise<Avatar | null> {
    return this.query(scope).andWhere('row.bot_id = :botId', { botId }).getOne();
  }

  /** An avatar of any workspace that its bot shows. */
  async findPublished(
    db: Database,
    id: string,
  ): Promise<Pick<Avatar, 'mimeType' | 'storageKey'> | undefined> {
    const [avatar] = await db.sql<Pick<Avatar, 'mimeType' | 'storageKey'>>(
      `SELECT a.mime_type AS "mimeType", a.storage_key AS "storageKey"
       FROM avatars a JOIN bots b ON b.id = a.bot_id AND b.org_id = a.org_id
       WHERE a.id = $1 AND b.deleted_at IS NULL AND b.widget_theme->>'avatar_url' LIKE '%/' || a.id`,
      [id],
    );
    return avatar;
  }
}

import { Not } from 'typeorm';
import { lockName } from '../../database/advisory-lock.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { SavedReply } from '../../entities/conversations/saved-reply.entity.ts';

export class SavedReplyRepository extends ScopedRepository<SavedReply> {
  constructor() {
    super(SavedReply, 'saved reply');
  }

  /**
   * Locks the workspace's set of saved replies, so that no concurrent transaction adds or renames a saved
   * reply.
   */
  async lockAll({ db, orgId }: OrgScope): Promise<void> {
    await lockName(db, `saved-replies:${orgId}`);
  }

  countAll({ db, orgId }: OrgScope): Promise<number> {
    return db.repository(SavedReply).countBy({ orgId });
  }

  /** Returns whether any other saved reply of the workspace has the name. */
  hasName({ db, orgId }: OrgScope, { id, nameKey }: Pick<SavedReply, 'id' | 'nameKey'>): Promise<boolean> {
    return db.repository(SavedReply).existsBy({ orgId, nameKey, id: Not(id) });
  }
}

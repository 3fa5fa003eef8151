import { lockName } from '../../database/advisory-lock.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { SavedView, type ViewPage } from '../../entities/team/saved-view.entity.ts';

export class SavedViewRepository extends ScopedRepository<SavedView> {
  constructor() {
    super(SavedView, 'saved view');
  }

  /**
   * Locks the workspace's set of saved views, so that no concurrent transaction adds, moves or shares a view.
   */
  async lockAll({ db, orgId }: OrgScope): Promise<void> {
    await lockName(db, `saved-views:${orgId}`);
  }

  /**
   * Lists the saved views that the user may see: the user's own views and the shared views, in their order.
   */
  listVisible(scope: OrgScope, userId: string, page: ViewPage | undefined): Promise<SavedView[]> {
    const query = this.query(scope).andWhere('(row.createdById = :userId OR row.isShared)', { userId });
    if (page !== undefined) query.andWhere('row.page = :page', { page });
    return query.orderBy('row.position').addOrderBy('row.createdAt').addOrderBy('row.id').getMany();
  }

  /** Lists the user's own saved views. */
  listOwn({ db, orgId }: OrgScope, userId: string): Promise<SavedView[]> {
    return db.repository(SavedView).findBy({ orgId, createdById: userId });
  }

  countShared({ db, orgId }: OrgScope): Promise<number> {
    return db.repository(SavedView).countBy({ orgId, isShared: true });
  }
}

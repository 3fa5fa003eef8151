import { AppError, invalidField, notFound } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { inTransaction } from '../../database/org-scope.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { SavedView, ViewPage } from '../../entities/team/saved-view.entity.ts';
import type { SavedViewRepository } from '../../repositories/team/saved-view.repository.ts';
import type { MemberScope } from './member-scope.ts';
import { hasRole } from './roles.ts';

const MAX_OWN_VIEWS = 50;
const MAX_SHARED_VIEWS = 100;
const MAX_QUERY_KEYS = 20;
/** Maximum number of characters in all keys and values of a saved view's filters together. */
const MAX_QUERY_CHARACTERS = 2000;

type RoleScope = MemberScope & { role: OrgRole };

/** Fields of a saved view in an API request. */
export type SavedViewInput = Pick<SavedView, 'page' | 'name' | 'query' | 'isShared'> & {
  /** Position of the view in the list; undefined for the end of the list. */
  position: number | undefined;
};
export type SavedViewChanges = Partial<Pick<SavedView, 'name' | 'query' | 'position' | 'isShared'>>;

/** Manages saved views: filters that members save for pages of the console. */
export class SavedViewService {
  readonly #views: SavedViewRepository;

  constructor({ views }: { views: SavedViewRepository }) {
    this.#views = views;
  }

  /** Lists the caller's saved views and all shared views of the workspace, in their order. */
  list(scope: MemberScope, page: ViewPage | undefined): Promise<SavedView[]> {
    return this.#views.listVisible(scope, scope.userId, page);
  }

  /**
   * @throws AppError `conflict` if the caller has too many saved views, or the workspace too many shared
   *   views; `forbidden` if a caller below admin shares the view; `validation_error`
   */
  create(scope: RoleScope, { position, ...input }: SavedViewInput): Promise<SavedView> {
    validate(input);
    return inTransaction(scope, async (tx) => {
      await this.#views.lockAll(tx);
      const ownViews = await this.#views.listOwn(tx, scope.userId);
      if (ownViews.length >= MAX_OWN_VIEWS)
        throw new AppError('conflict', `You can save at most ${MAX_OWN_VIEWS} views; delete one first.`);
      if (input.isShared) {
        requireSharingRole(tx);
        await this.#requireSharedCapacity(tx);
      }
      const nextPositions = ownViews
        .filter(({ page }) => page === input.page)
        .map((view) => view.position + 1);
      return this.#views.insertWithCommit(tx, {
        ...input,
        id: newId(),
        createdById: scope.userId,
        position: position ?? Math.max(0, ...nextPositions),
      });
    });
  }

  /**
   * Changes the given fields of one of the caller's saved views. A member who is no longer an admin can
   * change a shared view only if the same change ends its sharing.
   * @throws AppError `not_found` for a view that the caller does not see; `forbidden` for another member's
   *   shared view; the errors of `create`
   */
  update(scope: RoleScope, id: string, changes: SavedViewChanges): Promise<SavedView> {
    validate(changes);
    return inTransaction(scope, async (tx) => {
      await this.#views.lockAll(tx);
      const view = await this.#lockVisible(tx, id);
      if (view.createdById !== scope.userId)
        throw new AppError('forbidden', 'Only the member who created this view may change it.');
      const { isShared = view.isShared } = changes;
      if (isShared) requireSharingRole(tx);
      if (isShared && !view.isShared) await this.#requireSharedCapacity(tx);
      await this.#views.update(tx, id, { ...changes, updatedAt: () => 'now()' });
      return this.#views.get(tx, id);
    });
  }

  /**
   * Deletes one of the caller's saved views. Admins may delete any shared view.
   * @throws AppError `not_found` for a view that the caller does not see; `forbidden`
   */
  delete(scope: RoleScope, id: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const view = await this.#lockVisible(tx, id);
      if (view.createdById !== scope.userId && !hasRole(scope.role, 'admin'))
        throw new AppError('forbidden', 'Only the member who created this view and admins may delete it.');
      await this.#views.delete(tx, id);
    });
  }

  async #lockVisible(tx: RoleScope, id: string): Promise<SavedView> {
    const view = await this.#views.lock(tx, id);
    if (view.createdById === tx.userId || view.isShared) return view;
    throw notFound('saved view');
  }

  async #requireSharedCapacity(tx: RoleScope): Promise<void> {
    if ((await this.#views.countShared(tx)) >= MAX_SHARED_VIEWS)
      throw new AppError(
        'conflict',
        `A workspace can have at most ${MAX_SHARED_VIEWS} shared views; delete one first.`,
      );
  }
}

/** @throws AppError `forbidden` if the role may not share views with the workspace */
function requireSharingRole({ role }: RoleScope): void {
  if (!hasRole(role, 'admin'))
    throw new AppError('forbidden', `Only admins may share a view; your role is ${role}.`, {
      subject: 'role admin',
    });
}

/** @throws AppError `validation_error` if the filters of the view are too large */
function validate({ query }: Pick<SavedViewChanges, 'query'>): void {
  if (query === undefined) return;
  const entries = Object.entries(query);
  if (entries.length > MAX_QUERY_KEYS)
    throw invalidField('query', `must have at most ${MAX_QUERY_KEYS} keys`);
  const characters = entries.flat().reduce((sum, text) => sum + [...text].length, 0);
  if (characters > MAX_QUERY_CHARACTERS)
    throw invalidField('query', `must have at most ${MAX_QUERY_CHARACTERS} characters in all`);
}

import { Type } from '@sinclair/typebox';
import type { SavedView } from '../../entities/team/saved-view.entity.ts';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import {
  SavedViewCreate,
  SavedViewParams,
  SavedViewQuery,
  SavedViewRead,
  SavedViewUpdate,
} from './saved-views.schemas.ts';

/** Saved views of the inbox belong to people, so API keys have no views. */
const ownAccess = { tag: 'members', auth: 'session', scope: null, role: 'viewer' } as const;

export const listSavedViews = defineOperation({
  ...ownAccess,
  id: 'listSavedViews',
  method: 'GET',
  path: '/api/ext/saved-views',
  query: SavedViewQuery,
  responses: { 200: Type.Array(SavedViewRead) },
  summary: 'Your saved views in this workspace and those that admins share, sorted by position.',
  handle: async ({ ctx, query }, { team: { savedViews } }) =>
    (await savedViews.list(ctx, query.page)).map((view) => presentView(view, ctx.userId)),
});

export const createSavedView = defineOperation({
  ...ownAccess,
  id: 'createSavedView',
  method: 'POST',
  path: '/api/ext/saved-views',
  body: SavedViewCreate,
  responses: { 201: SavedViewRead },
  errors: ['conflict'],
  summary:
    'Save the filters of a console page as a view. You may save 50 views, and a workspace may share 100.',
  handle: async (
    { ctx, body: { page, name, query, position, is_shared: isShared = false } },
    { team: { savedViews } },
  ) => presentView(await savedViews.create(ctx, { page, name, query, position, isShared }), ctx.userId),
});

export const updateSavedView = defineOperation({
  ...ownAccess,
  id: 'updateSavedView',
  method: 'PATCH',
  path: '/api/ext/saved-views/{saved_view_id}',
  params: SavedViewParams,
  body: SavedViewUpdate,
  responses: { 200: SavedViewRead },
  errors: ['conflict'],
  summary: 'Change one of your saved views; absent fields stay unchanged.',
  handle: async ({ ctx, params, body: { is_shared: isShared, ...fields } }, { team: { savedViews } }) => {
    const changes = { ...fields, ...(isShared !== undefined && { isShared }) };
    return presentView(await savedViews.update(ctx, params.saved_view_id, changes), ctx.userId);
  },
});

export const deleteSavedView = defineOperation({
  ...ownAccess,
  id: 'deleteSavedView',
  method: 'DELETE',
  path: '/api/ext/saved-views/{saved_view_id}',
  params: SavedViewParams,
  responses: { 200: Message },
  summary: 'Delete one of your saved views. Admins may delete any shared view.',
  handle: async ({ ctx, params }, { team: { savedViews } }) => {
    await savedViews.delete(ctx, params.saved_view_id);
    return { message: 'The saved view is deleted.' };
  },
});

function presentView(view: SavedView, userId: string): SavedViewRead {
  return {
    id: view.id,
    page: view.page,
    name: view.name,
    query: view.query,
    position: view.position,
    is_shared: view.isShared,
    is_own: view.createdById === userId,
    created_by_id: view.createdById,
    created_at: view.createdAt.toISOString(),
    updated_at: view.updatedAt.toISOString(),
  };
}

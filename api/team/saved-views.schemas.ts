import { Type, type Static } from '@sinclair/typebox';
import { viewPages } from '../../entities/team/saved-view.entity.ts';
import { DateTime, SingleLine, Strict, StringEnum, Uuid } from '../http/schemas/schemas.ts';

export const SavedViewParams = Type.Object({ saved_view_id: Uuid('The saved view.') });

const Page = StringEnum(viewPages, { description: 'The console page whose filters the view stores.' });

export const SavedViewQuery = Type.Object(
  { page: Type.Optional({ ...Page, description: 'Only views of this page.' }) },
  { additionalProperties: false },
);

const Name = SingleLine({ minLength: 1, maxLength: 60, examples: ['Waiting in German'] });
const Filters = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 2000 },
  description: 'Parameters of the page’s URL: at most 20 keys, and 2,000 characters in all.',
  examples: [{ status: 'waiting_human', q: 'Hallo' }],
});
const Position = Type.Integer({ minimum: 0, maximum: 10_000, examples: [0] });
const IsShared = Type.Boolean({
  description: 'Whether all members see the view. Only admins may share a view.',
});

export const SavedViewCreate = Strict(
  {
    page: Page,
    name: { ...Name, description: 'The view’s name.' },
    query: Filters,
    position: Type.Optional({
      ...Position,
      description: 'Position in the list; by default after all your other views of the page.',
    }),
    is_shared: Type.Optional({ ...IsShared, default: false, examples: [false] }),
  },
  { $id: 'SavedViewCreate', description: 'The filters of a console page, saved under a name.' },
);

export const SavedViewUpdate = Strict(
  {
    name: Type.Optional({ ...Name, description: 'The view’s name.' }),
    query: Type.Optional(Filters),
    position: Type.Optional({ ...Position, description: 'Position in the list.' }),
    is_shared: Type.Optional({ ...IsShared, examples: [false] }),
  },
  { $id: 'SavedViewUpdate', description: 'The fields to change; absent ones stay unchanged.' },
);

export const SavedViewRead = Type.Object(
  {
    id: Uuid('The view’s id.'),
    page: Page,
    name: Type.String({ description: 'Name of the view.', examples: ['Waiting in German'] }),
    query: Filters,
    position: Type.Integer({
      description: 'Position in the list. Views with the same position are sorted by age.',
    }),
    is_shared: Type.Boolean({ description: 'Whether all members see the view.' }),
    is_own: Type.Boolean({ description: 'Whether the caller created the view, and may change it.' }),
    created_by_id: Uuid('User id of the member who created the view.'),
    created_at: DateTime('When the view was created.'),
    updated_at: DateTime('When the view was last changed.'),
  },
  { $id: 'SavedViewRead', description: 'The filters of a console page, saved under a name.' },
);
export type SavedViewRead = Static<typeof SavedViewRead>;

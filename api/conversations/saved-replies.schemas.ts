import { Type, type Static } from '@sinclair/typebox';
import { DateTime, Nullable, PageParameters, SingleLine, Strict, Uuid } from '../http/schemas/schemas.ts';

export const SavedReplyParams = Type.Object({ saved_reply_id: Uuid('The saved reply.') });

export const SavedReplyListQuery = Type.Object(
  {
    ...PageParameters,
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name or the text.' }),
    ),
  },
  { additionalProperties: false },
);

const Name = SingleLine({
  minLength: 1,
  maxLength: 80,
  description:
    'The name, unique in the workspace regardless of case. Leading and trailing white space is removed.',
  examples: ['Opening hours'],
});
const Text = Type.String({
  minLength: 1,
  maxLength: 4000,
  pattern: '\\S',
  description: 'The text to insert; must not be blank.',
  examples: ['We are open from nine to five, Monday to Friday.'],
});

export const SavedReplyCreate = Strict(
  { name: Name, text: Text },
  { $id: 'SavedReplyCreate', description: 'A text that agents insert into their replies.' },
);

export const SavedReplyUpdate = Strict(
  { name: Type.Optional(Name), text: Type.Optional(Text) },
  { $id: 'SavedReplyUpdate', description: 'The fields to change; absent ones stay unchanged.' },
);

export const SavedReplyRead = Type.Object(
  {
    id: Uuid('The saved reply’s id.'),
    name: Type.String({ description: 'Name of the saved reply.', examples: ['Opening hours'] }),
    text: Type.String({
      description: 'The text to insert.',
      examples: ['We are open from nine to five, Monday to Friday.'],
    }),
    created_by_id: Nullable(
      Uuid('User id of the member who created the saved reply; null once the account is deleted.'),
    ),
    created_at: DateTime('When the saved reply was created.'),
    updated_at: DateTime('When the saved reply was last changed.'),
  },
  { $id: 'SavedReplyRead', description: 'A text that agents insert into their replies.' },
);
export type SavedReplyRead = Static<typeof SavedReplyRead>;

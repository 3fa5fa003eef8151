import { Type, type Static } from '@sinclair/typebox';
import { DateTime, Nullable, PageParameters, Strict, Uuid } from '../http/schemas/schemas.ts';
import { ConversationParams } from './conversations.schemas.ts';

const Text = Type.String({
  minLength: 1,
  maxLength: 4000,
  pattern: '\\S',
  description: 'Text for members; must not be blank.',
  examples: ['The visitor asked for the same refund last week.'],
});

export const ConversationNoteParams = Type.Object({
  ...ConversationParams.properties,
  note_id: Uuid('The note.'),
});

export const ConversationNoteQuery = Type.Object(PageParameters, { additionalProperties: false });

export const ConversationNoteCreate = Strict(
  {
    text: Text,
    mentions: Type.Optional(
      Type.Array(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'A member’s user id.',
          examples: ['0198c2f0-7b1e-7c3a-9d0e-3f5a6b7c8d9e'],
        }),
        {
          maxItems: 20,
          uniqueItems: true,
          description:
            'User ids of members whom the note mentions. Each of them, except the author, gets an email.',
          examples: [[]],
        },
      ),
    ),
  },
  { $id: 'ConversationNoteCreate', description: 'A note about a conversation.' },
);

export const ConversationNoteRead = Type.Object(
  {
    id: Uuid('The note’s id.'),
    conversation_id: Uuid('The conversation.'),
    author: Nullable(
      Type.Object(
        {
          id: Uuid('User id.'),
          full_name: Type.String({ description: 'The author’s name.', examples: ['Grace Obi'] }),
          avatar_url: Nullable(Type.String({ description: 'The author’s picture.' })),
        },
        { description: 'The member who wrote the note; null once the account is deleted.' },
      ),
    ),
    text: Type.String({
      description: 'The text.',
      examples: ['The visitor asked for the same refund last week.'],
    }),
    mentions: Type.Array(Uuid('A user id.'), {
      description: 'User ids of the members whom the note mentions.',
    }),
    created_at: DateTime('When the note was written.'),
  },
  { $id: 'ConversationNoteRead', description: 'A note about a conversation. Only members can read notes.' },
);
export type ConversationNoteRead = Static<typeof ConversationNoteRead>;

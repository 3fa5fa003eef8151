import { Type, type Static } from '@sinclair/typebox';
import type { AuthoredVersion } from '../../repositories/bots/bot-version.repository.ts';
import { DateTime, FreeForm, Nullable, Strict, Uuid } from '../http/schemas/schemas.ts';

const MAX_VERSION = 2147483647;
/** Of a list that does not say how long it is to be. */
export const USUAL_LENGTH = 50;

export const VersionParams = Type.Object({
  bot_id: Uuid('The bot.'),
  version: Type.Integer({
    minimum: 1,
    maximum: MAX_VERSION,
    description: 'The number of the version.',
    examples: [1],
  }),
});

export const VersionListQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: USUAL_LENGTH, description: 'Versions at most.' }),
    ),
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_VERSION,
        description: 'Only versions with lower numbers: the last number of the list before.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const BotVersionCreate = Strict(
  {
    note: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 500,
          description: 'Why it is kept. Versions with a note outlive those without one.',
          examples: ['Before the new opening hours'],
        }),
      ),
    ),
  },
  { $id: 'BotVersionCreate', description: 'A version of what the bot is now.' },
);

export const BotVersionRead = Type.Object(
  {
    version: Type.Integer({ description: 'Its number: from 1 for each bot, never used again.' }),
    note: Nullable(Type.String({ description: 'Why it was kept.' })),
    snapshot: FreeForm(
      'The configuration, by the names of BotUpdate: without status, and without secrets, which no version keeps.',
    ),
    author_id: Nullable(
      Type.String({ description: 'Who saved it: their user id; null once the account is deleted.' }),
    ),
    author_name: Nullable(
      Type.String({ description: 'What they are called; null where nobody knows who it was.' }),
    ),
    created_at: DateTime('When it was saved.'),
  },
  { $id: 'BotVersionRead', description: 'The configuration of a bot at one moment.' },
);
export type BotVersionRead = Static<typeof BotVersionRead>;

export function presentVersion(saved: AuthoredVersion): BotVersionRead {
  const { version, note, snapshot, authorId, authorName, createdAt } = saved;
  return {
    version,
    note,
    snapshot,
    author_id: authorId,
    author_name: authorName,
    created_at: createdAt.toISOString(),
  };
}

export const BotDuplicateRequest = Strict(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'What the copy is called; by default as the bot, with “(copy)” behind it.',
        examples: ['Help desk Lisbon'],
      }),
    ),
    org_id: Type.Optional(
      Nullable(
        Uuid('The workspace of the copy, where the caller must be an admin; by default the bot’s own.'),
      ),
    ),
    include_flows: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether the bot’s flows are copied as well; none of them is active in the copy. Of a bot that has any it takes a key with the scope flows:read, or false.',
      }),
    ),
  },
  { $id: 'BotDuplicateRequest', description: 'A copy of a bot.' },
);

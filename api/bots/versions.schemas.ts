import { Type, type Static } from '@sinclair/typebox';
import type { AuthoredVersion } from '../../repositories/bots/bot-version.repository.ts';
import { DateTime, FreeForm, Nullable, SingleLine, Strict, Uuid } from '../http/schemas/schemas.ts';

const MAX_VERSION = 2147483647;
export const DEFAULT_PAGE_SIZE = 50;

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
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: DEFAULT_PAGE_SIZE,
        description: 'Maximum number of versions.',
      }),
    ),
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_VERSION,
        description: 'Returns only versions with lower numbers. Pass the last number of the previous page.',
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
          description:
            'The reason for saving the version. Versions with a note are kept longer than versions without a note.',
          examples: ['Before the new opening hours'],
        }),
      ),
    ),
  },
  { $id: 'BotVersionCreate', description: 'Saves the bot’s current configuration as a version.' },
);

export const BotVersionRead = Type.Object(
  {
    version: Type.Integer({
      description: 'The version number, counted from 1 for each bot and never reused.',
    }),
    note: Nullable(Type.String({ description: 'The reason for saving the version.' })),
    snapshot: FreeForm(
      'The configuration, with the field names of BotUpdate; without status and secrets, which versions do not store.',
    ),
    author_id: Nullable(
      Type.String({ description: 'Id of the user who saved the version; null once the account is deleted.' }),
    ),
    author_name: Nullable(Type.String({ description: 'The user’s name; null if unknown.' })),
    created_at: DateTime('Time at which the version was saved.'),
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
      SingleLine({
        minLength: 1,
        maxLength: 255,
        description: 'Name of the copy; by default the bot’s name and “(copy)”.',
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
          'Whether to copy the bot’s flows, which are inactive in the copy. If the bot has flows, a key without the scope flows:read must send false.',
      }),
    ),
  },
  { $id: 'BotDuplicateRequest', description: 'A copy of a bot.' },
);

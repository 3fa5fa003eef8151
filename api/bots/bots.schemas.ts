import { Type, type Static } from '@sinclair/typebox';
import { DateTime, Nullable, PageParameters, Strict, Uuid } from '../http/schemas/schemas.ts';
import { allowedDomainsDescription, bot, Provider, Status } from './bot.resource.ts';

export const BotParams = Type.Object({ bot_id: Uuid('The bot.') });

export const BotCreate = Strict(bot.create, { $id: 'BotCreate', description: 'A new bot.' });
export type BotCreate = Static<typeof BotCreate>;

export const BotUpdate = Strict(bot.update, {
  $id: 'BotUpdate',
  description:
    'The fields to change. Null clears an optional field, resets a required field to its default, and leaves name and status unchanged.',
});
export type BotUpdate = Static<typeof BotUpdate>;

export const BotRead = Type.Object(bot.read, {
  $id: 'BotRead',
  description: 'A bot with its configuration and counters.',
});
export type BotRead = Static<typeof BotRead>;

export const BotListQuery = Type.Object(
  {
    ...PageParameters,
    status: Type.Optional(Status),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name.' })),
  },
  { additionalProperties: false },
);

export const EmbedSnippetRead = Type.Object(
  {
    snippet: Type.String({ description: 'The line to paste into a page, before </body>.' }),
    public_key: Type.String({ description: 'Identifies the bot in the snippet.' }),
    allowed_domains: Nullable(Type.Array(Type.String(), { description: allowedDomainsDescription })),
    identity_secret: Nullable(
      Type.String({
        description:
          'Key with which your server signs the identity tokens of the bot’s visitors; never put it in a page. Null for callers who may not change the bot, and for users who signed in more than ten minutes ago.',
        examples: ['idsec_Ql3mGk2Yb0m5o1s8a7ZpXr4tUv6wNcJd9eFhHiKyLbM'],
      }),
    ),
    former_identity_secret_until: Nullable(
      DateTime(
        'Time until which the previous secret stays valid after a rotation; null if no previous secret is valid.',
      ),
    ),
  },
  { $id: 'EmbedSnippetRead', description: 'Instructions for embedding the widget in a page.' },
);

export const ModelDescriptor = Type.Object(
  {
    id: Type.String({ description: 'The value for a bot’s `model`.', examples: ['gpt-4o-mini'] }),
    provider: Provider,
    name: Type.String({ description: 'Display name of the model.' }),
    max_input_tokens: Nullable(Type.Integer({ description: 'Context window in tokens; null if unknown.' })),
    max_output_tokens: Nullable(Type.Integer({ description: 'Maximum output in tokens; null if unknown.' })),
    supports_thinking: Type.Boolean({ description: 'Whether the model can reason before it answers.' }),
  },
  { $id: 'ModelDescriptor', description: 'A model that a bot can use.' },
);

export const ProviderTestResponse = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the model answered.' }),
    model: Nullable(Type.String({ description: 'The model that was called.' })),
    latency_ms: Nullable(Type.Integer({ description: 'Duration of the call.' })),
    error: Nullable(Type.String({ description: 'Reason why the call failed.' })),
  },
  { $id: 'ProviderTestResponse', description: 'The outcome of one minimal model call.' },
);

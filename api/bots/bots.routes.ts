import { isBotLanguage } from '../../services/bots/bot-language.ts';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation } from '../http/operation.ts';
import type { MemberContext } from '../http/access/principal.ts';
import { mayUse } from '../http/access/rights.ts';
import { Message, PageSchema } from '../http/schemas/schemas.ts';
import { mapPage } from '../../database/page.ts';
import { hasRole } from '../../services/team/roles.ts';
import { bot as resource } from './bot.resource.ts';
import { embedSnippet } from './embed-snippet.ts';
import { BotCreate, BotListQuery, BotParams, BotRead, BotUpdate, EmbedSnippetRead } from './bots.schemas.ts';

const { present: presentBot, toChanges } = resource;

const readAccess = { tag: 'bots', auth: 'member', scope: 'bots:read', role: 'viewer' } as const;
const writeAccess = { tag: 'bots', auth: 'member', scope: 'bots:write', role: 'member' } as const;

/**
 * Returns whether the caller may see the bot's identity secret. Requires the rights to change the bot and,
 * for sessions, a recent sign-in, since the secret is valid longer than a stolen access token.
 */
function maySeeSecret(ctx: MemberContext): boolean {
  const isProven = ctx.keyId !== null || ctx.hasFreshProof;
  return isProven && mayUse(ctx, writeAccess.scope) && hasRole(ctx.role, writeAccess.role);
}

export const listBots = defineOperation({
  ...readAccess,
  id: 'listBots',
  isLong: true,
  method: 'GET',
  path: '/api/bots',
  query: BotListQuery,
  responses: { 200: PageSchema(BotRead) },
  summary: 'A page of the workspace’s bots, newest first.',
  handle: async ({ ctx, query }, { bots: { bots } }) => mapPage(await bots.list(ctx, query), presentBot),
});

export const createBot = defineOperation({
  ...writeAccess,
  id: 'createBot',
  method: 'POST',
  path: '/api/bots',
  body: BotCreate,
  responses: { 201: BotRead },
  errors: ['url_refused', 'quota_exceeded'],
  summary: 'Create a draft bot with a new public_key.',
  unknownFieldHints: { status: 'a new bot is a draft; set status with PATCH' },
  exposes: 'content',
  notifies: 'handler',
  needsPrepare: ({ body }) => body.custom_endpoint_config !== undefined,
  prepare: ({ body }, { bots: { bots } }) => bots.checkEndpoint(toChanges(body), ''),
  handle: async ({ ctx, body, sentFields, notifyOwners }, { bots: { bots } }) => {
    const isLanguageChosen = sentFields.includes('language') && body.language !== null;
    const preset = isLanguageChosen ? null : ctx.defaultLanguage;
    // The workspace's default language may be invalid, since early releases did not validate it. In that
    // case, use the API's default.
    const language = preset !== null && isBotLanguage(preset) ? preset : body.language;
    const bot = await bots.create(ctx, { ...toChanges(body), language });
    const notice = accessWords.botAccessChanged(null, bot, body);
    if (notice) notifyOwners(notice);
    return presentBot(bot);
  },
});

export const getBot = defineOperation({
  ...readAccess,
  id: 'getBot',
  method: 'GET',
  path: '/api/bots/{bot_id}',
  params: BotParams,
  responses: { 200: BotRead },
  summary: 'Return a bot.',
  revision: {
    ignores: ['last_error', 'total_conversations', 'total_messages', 'indexed_chunk_count'],
    lock: ({ ctx, params }, { bots: { bots } }) => bots.lock(ctx, params.bot_id),
  },
  handle: async ({ ctx, params }, { bots: { bots } }) => presentBot(await bots.get(ctx, params.bot_id)),
});

export const updateBot = defineOperation({
  ...writeAccess,
  id: 'updateBot',
  method: 'PATCH',
  path: '/api/bots/{bot_id}',
  params: BotParams,
  body: BotUpdate,
  responses: { 200: BotRead },
  errors: ['conflict', 'url_refused', 'quota_exceeded'],
  summary: 'Change a bot. Absent fields stay unchanged.',
  revises: getBot,
  exposes: 'content',
  notifies: 'handler',
  needsPrepare: ({ body }) => body.custom_endpoint_config !== undefined,
  prepare: ({ body }, { bots: { bots } }) => bots.checkEndpoint(toChanges(body), ''),
  handle: async ({ ctx, params, body, notifyOwners }, { bots: { bots }, flows: { flows } }) => {
    const previous = await bots.get(ctx, params.bot_id);
    const bot = await bots.update(ctx, params.bot_id, toChanges(body));
    const exposures = await flows.listChangedExposures(ctx, previous, bot);
    const notice = accessWords.botAccessChanged(previous, bot, body, exposures);
    if (notice) notifyOwners(notice);
    return presentBot(bot);
  },
});

export const deleteBot = defineOperation({
  ...writeAccess,
  id: 'deleteBot',
  method: 'DELETE',
  path: '/api/bots/{bot_id}',
  role: 'admin',
  params: BotParams,
  responses: { 200: Message },
  summary:
    'Delete a bot: it is hidden immediately; its documents and conversations are removed in the background.',
  handle: async ({ ctx, params }, { bots: { bots } }) => {
    await bots.delete(ctx, params.bot_id);
    return { message: 'The bot is deleted; its documents and conversations are being removed.' };
  },
});

export const getBotEmbed = defineOperation({
  ...readAccess,
  id: 'getBotEmbed',
  method: 'GET',
  path: '/api/bots/{bot_id}/embed',
  params: BotParams,
  responses: { 200: EmbedSnippetRead },
  summary:
    'The embed snippet for the widget, its allowed domains, and the secret that signs visitors’ identities.',
  exposes: 'access',
  handle: async ({ ctx, params }, { bots: { bots }, settings }) => {
    const bot = await bots.get(ctx, params.bot_id);
    return {
      snippet: embedSnippet(bot, settings),
      public_key: bot.publicKey,
      allowed_domains: bot.allowedDomains,
      identity_secret: maySeeSecret(ctx) ? bots.getIdentitySecret(bot) : null,
      former_identity_secret_until: bots.getPreviousSecretExpiry(bot)?.toISOString() ?? null,
    };
  },
});

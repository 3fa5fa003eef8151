import { requireDirectoryLinks } from '../../services/bots/directory-links.ts';
import { DirectoryConfig } from './bots.config.schemas.ts';
import { BotParams } from './bots.schemas.ts';
import { defineOperation } from '../http/operation.ts';
import { PublicBotParams } from '../widget/widget.schemas.ts';
import { presentChoice, presentDirectory } from './directory.presenter.ts';
import { DirectoryResolveRequest, DirectoryResolveResponse } from './directory.schemas.ts';

export const getBotDirectory = defineOperation({
  id: 'getBotDirectory',
  method: 'GET',
  path: '/api/bots/{bot_id}/directory',
  tag: 'directory',
  auth: 'member',
  scope: 'bots:read',
  role: 'viewer',
  params: BotParams,
  responses: { 200: DirectoryConfig },
  summary: 'The settings of a bot’s directory, and all its entries.',
  handle: async ({ ctx, params }, { bots: { bots } }) => presentDirectory(await bots.get(ctx, params.bot_id)),
});

export const replaceBotDirectory = defineOperation({
  id: 'replaceBotDirectory',
  method: 'PUT',
  path: '/api/bots/{bot_id}/directory',
  tag: 'directory',
  auth: 'member',
  scope: 'bots:write',
  role: 'member',
  params: BotParams,
  body: DirectoryConfig,
  responses: { 200: DirectoryConfig },
  summary: 'Replace the whole directory; omitted fields get their defaults.',
  handle: async ({ ctx, params, body }, { bots: { bots } }) => {
    requireDirectoryLinks(body, 'entries');
    return presentDirectory(await bots.update(ctx, params.bot_id, { directoryConfig: body }));
  },
});

export const resolveWidgetDirectory = defineOperation({
  id: 'resolveWidgetDirectory',
  method: 'POST',
  path: '/api/public/bots/{public_key}/directory/resolve',
  tag: 'directory',
  auth: 'public',
  scope: null,
  role: null,
  cors: true,
  takesVisitorToken: true,
  transaction: 'statement',
  params: PublicBotParams,
  body: DirectoryResolveRequest,
  responses: { 200: DirectoryResolveResponse },
  errors: ['not_found', 'forbidden', 'unauthenticated', 'key_unavailable'],
  summary:
    'The link of a choice in the directory of an active bot, for a page on its allowed_domains. With a visitor token (Authorization: Bearer), the choice is stored in the visitor’s contact fields.',
  handle: async ({ ctx, params, body, headers }, { bots: { directory } }) => {
    const page = { origin: ctx.origin, referer: headers.referer };
    const visitorToken = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return presentChoice(await directory.resolve(ctx.db, params.public_key, page, { ...body, visitorToken }));
  },
});

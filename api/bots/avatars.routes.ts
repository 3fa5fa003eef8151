import { Strict, Uuid } from '../http/schemas/schemas.ts';
import { Type } from '@sinclair/typebox';
import { imageMimeTypes } from '../../adapters/images/image-type.ts';
import { bot as resource } from './bot.resource.ts';
import { BotParams, BotRead } from './bots.schemas.ts';
import { defineOperation, replyWith } from '../http/operation.ts';

/** An upload of an avatar has no form fields besides the file. */
const AvatarUploadFields = Strict({});
const AssetParams = Type.Object({ asset_id: Uuid('The image.') });

const MAX_AVATAR_BYTES = 2 * 1024 * 1024;

const fileTypes = Object.values(imageMimeTypes);

export const uploadBotAvatar = defineOperation({
  id: 'uploadBotAvatar',
  method: 'POST',
  path: '/api/bots/{bot_id}/theme/avatar',
  tag: 'bots',
  auth: 'member',
  scope: 'bots:write',
  role: 'member',
  params: BotParams,
  body: { multipart: AvatarUploadFields, fileTypes, maxFileBytes: MAX_AVATAR_BYTES },
  responses: { 200: BotRead },
  summary: 'Upload the bot’s avatar, a PNG, WebP or JPEG image. Its URL becomes avatar_url in widget_theme.',
  prepare: ({ ctx, params, body, getCloseSignal }, { bots: { avatars } }) =>
    avatars.receive(ctx, params.bot_id, body, getCloseSignal()),
  handle: async ({ ctx, prepared }, { bots: { avatars } }) =>
    resource.present(await avatars.publish(ctx, prepared)),
});

export const getPublicAsset = defineOperation({
  id: 'getPublicAsset',
  method: 'GET',
  path: '/api/public/assets/{asset_id}',
  tag: 'widget',
  auth: 'public',
  scope: null,
  role: null,
  cors: true,
  params: AssetParams,
  responses: {
    200: {
      content: Object.fromEntries(fileTypes.map((type) => [type, null])),
      description: 'The image; the content at this URL never changes.',
    },
  },
  errors: ['not_found'],
  summary: 'The avatar of a bot, cacheable by browsers.',
  handle: async ({ ctx, params }, { bots: { avatars } }) => {
    const { content, sizeBytes, mimeType } = await avatars.open(ctx.db, params.asset_id);
    return replyWith.file({
      content,
      sizeBytes,
      contentType: mimeType,
      headers: {
        'Cache-Control': 'public, max-age=31536000, immutable',
        // Permits pages with cross-origin isolation to embed the bot's avatar.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    });
  },
});

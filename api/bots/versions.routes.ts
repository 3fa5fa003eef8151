import { Type } from '@sinclair/typebox';
import { mayUse } from '../http/access/rights.ts';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation } from '../http/operation.ts';
import { bot as resource } from './bot.resource.ts';
import { botSnapshots } from './bot-snapshots.ts';
import { BotParams, BotRead } from './bots.schemas.ts';
import {
  BotDuplicateRequest,
  BotVersionCreate,
  BotVersionRead,
  presentVersion,
  DEFAULT_PAGE_SIZE,
  VersionListQuery,
  VersionParams,
} from './versions.schemas.ts';

const readAccess = { tag: 'versions', auth: 'member', scope: 'bots:read', role: 'viewer' } as const;
const writeAccess = { tag: 'versions', auth: 'member', scope: 'bots:write', role: 'member' } as const;

export const listBotVersions = defineOperation({
  ...readAccess,
  id: 'listBotVersions',
  isLong: true,
  method: 'GET',
  path: '/api/bots/{bot_id}/versions',
  params: BotParams,
  query: VersionListQuery,
  responses: { 200: Type.Array(BotVersionRead) },
  summary: 'Saved versions of the bot, newest first.',
  handle: async ({ ctx, params, query: { limit = DEFAULT_PAGE_SIZE, before } }, { bots: { botVersions } }) =>
    (await botVersions.list(ctx, params.bot_id, { limit, before })).map(presentVersion),
});

export const saveBotVersion = defineOperation({
  ...writeAccess,
  id: 'saveBotVersion',
  method: 'POST',
  path: '/api/bots/{bot_id}/versions',
  params: BotParams,
  body: BotVersionCreate,
  responses: { 201: BotVersionRead },
  summary: 'Save the current configuration as the next version.',
  handle: async ({ ctx, params, body }, { bots: { botVersions } }) =>
    presentVersion(await botVersions.save(ctx, params.bot_id, botSnapshots, body.note ?? null)),
});

export const getBotVersion = defineOperation({
  ...readAccess,
  id: 'getBotVersion',
  isLong: true,
  method: 'GET',
  path: '/api/bots/{bot_id}/versions/{version}',
  params: VersionParams,
  responses: { 200: BotVersionRead },
  summary: 'Return a version of the bot.',
  handle: async ({ ctx, params }, { bots: { botVersions } }) =>
    presentVersion(await botVersions.get(ctx, params.bot_id, params.version)),
});

export const restoreBotVersion = defineOperation({
  ...writeAccess,
  id: 'restoreBotVersion',
  method: 'POST',
  path: '/api/bots/{bot_id}/versions/{version}/restore',
  params: VersionParams,
  responses: { 200: BotRead },
  errors: ['conflict', 'url_refused'],
  summary:
    'Save the current configuration as a new version, then restore the given version. The status and the provider’s key stay unchanged. The secret of a custom endpoint is kept only if the restored version uses the same server.',
  exposes: 'content',
  notifies: 'handler',
  prepare: ({ ctx, params }, { bots: { botVersions } }) =>
    botVersions.prepare(ctx, params.bot_id, params.version, botSnapshots),
  handle: async (
    { ctx, params, prepared, notifyOwners },
    { bots: { bots, botVersions }, flows: { flows } },
  ) => {
    const previous = await bots.get(ctx, params.bot_id);
    const bot = await botVersions.restore(ctx, params.bot_id, prepared, botSnapshots);
    const exposures = await flows.listChangedExposures(ctx, previous, bot);
    const notice = accessWords.botAccessChanged(previous, bot, {}, exposures);
    if (notice) notifyOwners(notice);
    return resource.present(bot);
  },
});

export const duplicateBot = defineOperation({
  ...writeAccess,
  tag: 'bots',
  id: 'duplicateBot',
  method: 'POST',
  path: '/api/bots/{bot_id}/duplicate',
  params: BotParams,
  body: BotDuplicateRequest,
  responses: { 201: BotRead },
  errors: ['quota_exceeded'],
  summary:
    'Copy the bot to a new draft, in the same workspace or in another one that the caller administers. Secrets, documents, conversations, webhooks and versions are not copied.',
  prepare: ({ ctx, params, body }, { bots: { botDuplicates } }) =>
    botDuplicates.prepare(ctx, params.bot_id, body.org_id?.toLowerCase() ?? ctx.orgId),
  exposes: 'content',
  notifies: 'handler',
  handle: async ({ ctx, body, prepared, noteSubjects, notifyOwners }, { bots: { botDuplicates } }) => {
    const flows = body.include_flows === false ? 'omit' : mayUse(ctx, 'flows:read') ? 'copy' : 'unreadable';
    const copy = await botDuplicates.duplicate(ctx, prepared, botSnapshots, { name: body.name, flows });
    const { otherOrgName } = prepared;
    if (otherOrgName !== null)
      notifyOwners(
        accessWords.botCopied(prepared.source, copy, {
          target: otherOrgName,
          copied: flows === 'copy' ? 'its settings and flows' : 'its settings',
        }),
      );
    // Records that a configuration was copied, in the audit logs of both workspaces.
    if (copy.orgId !== ctx.orgId)
      noteSubjects([
        { resourceType: 'bot', resourceId: prepared.source.id },
        { orgId: copy.orgId, resourceType: 'bot', resourceId: copy.id },
      ]);
    return resource.present(copy);
  },
});

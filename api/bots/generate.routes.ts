import { deriveId, newId } from '../../core/ids.ts';
import { toCaller, type MemberContext } from '../http/access/principal.ts';
import { fingerprintRequest } from '../http/idempotency.ts';
import { defineOperation } from '../http/operation.ts';
import { bot as resource } from './bot.resource.ts';
import { botSnapshots } from './bot-snapshots.ts';
import { embedSnippet } from './embed-snippet.ts';
import { BotGenerateRequest, BotGenerateResponse } from './generate.schemas.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

export const generateBot = defineOperation({
  id: 'generateBot',
  readsContent: true,
  method: 'POST',
  path: '/api/bots/generate',
  tag: 'bots',
  auth: 'member',
  scope: 'bots:write',
  role: 'member',
  body: BotGenerateRequest,
  responses: { 201: BotGenerateResponse },
  errors: ['url_refused', 'quota_exceeded'],
  summary:
    'Draft a bot from a description and a website, and create it. Without a model, or if the model takes too long, the draft is rule-based.',
  limits: ({ ctx }, { settings, requests: { costLimits } }) =>
    costLimits.buildCharges(ctx, {
      name: 'generations',
      limit: settings.generationsPerHour,
      what: 'bots generated',
    }),
  prepare: async ({ ctx, body, idempotencyKey }, { bots: { generations } }) =>
    generations.prepare(ctx, {
      id: await generationId(ctx, idempotencyKey, body),
      description: body.description,
      websiteUrl: normalizeUrl(body.website_url),
    }),
  handle: async ({ ctx, body, prepared, noteSubjects }, { bots: { generations }, settings }) => {
    const { bot, isImportQueued } = await generations.create(ctx, prepared, botSnapshots, {
      isActive: body.activate === true,
      importsWebsite: body.import_website !== false,
    });
    noteSubjects([{ resourceType: 'bot', resourceId: bot.id }]);
    return {
      blueprint: prepared.draft.blueprint,
      bot: resource.present(bot),
      embed_snippet: embedSnippet(bot, settings),
      import_job_queued: isImportQueued,
    };
  },
});

/**
 * Returns the id under which a generated draft of a bot is stored. Requests with the same idempotency key get
 * the same id, so that a repeated request finds the first draft.
 */
async function generationId(
  ctx: MemberContext,
  key: string | undefined,
  body: BotGenerateRequest,
): Promise<string> {
  if (key === undefined) return newId();
  const { type, id } = toCaller(ctx).principal;
  return deriveId(await fingerprintRequest(['generateBot', ctx.orgId, type, id, key, body]));
}

function normalizeUrl(url: string | null | undefined): string | null {
  const address = url?.trim() ?? '';
  if (address === '') return null;
  return SCHEME.test(address) ? address : `https://${address}`;
}

import type { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { imageMimeTypes, detectImageType } from '../../../adapters/images/image-type.ts';
import { pollUntil } from '../../../core/concurrency/poll-until.ts';
import type { BotBlueprint } from '../../../core/bots/generation/blueprint.ts';
import { newId } from '../../../core/ids.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { requireVisible } from '../../../core/text/visible-text.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { BotGeneration, GenerationState } from '../../../entities/bots/bot-generation.entity.ts';
import type { AvatarRepository } from '../../../repositories/bots/avatar.repository.ts';
import type { BotGenerationRepository } from '../../../repositories/bots/bot-generation.repository.ts';
import type { AvatarService, ReceivedAvatar } from '../avatar-service.ts';
import type { BotService } from '../bot-service.ts';
import type { DocumentIntake } from '../../knowledge/document-intake.ts';
import type { QuotaUsage } from '../../usage/quota-usage.ts';
import type { Quotas } from '../../usage/quotas.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import type { BotVersionService } from '../versions/bot-version-service.ts';
import type { MemberScope } from '../../team/member-scope.ts';
import type { Snapshots } from '../versions/snapshots.ts';
import { finishByRules } from './finished-draft.ts';
import { buildGenerationCommand } from './generation-commands.ts';

export interface GenerationRequest {
  /** Id of the generation of a bot. A repeated request has the same id. */
  id: string;
  description: string;
  websiteUrl: string | null;
}

type Draft = Opened<BotGeneration> & { blueprint: BotBlueprint };

/**
 * A drafted bot whose row is not created yet. The avatar's file is already stored; `discard` deletes the
 * file.
 */
export interface DraftedBot {
  draft: Draft;
  botId: string;
  avatar: ReceivedAvatar['avatar'] | null;
  /** Value for the API's fingerprint, which identifies a repeated request; null, since a draft needs none. */
  fingerprint: null;
  discard(): Promise<void>;
}

export interface GeneratedBot {
  bot: Bot;
  isImportQueued: boolean;
}

export interface GenerationServiceDeps {
  generations: BotGenerationRepository;
  bots: BotService;
  versions: BotVersionService;
  documents: Pick<DocumentIntake, 'register'>;
  outbox: OutboxService;
  outbound: OutboundClient;
  avatars: AvatarService;
  avatarRows: AvatarRepository;
  log: Logger;
  settings: Pick<Settings, 'generationTimeoutMs'>;
  quotas: Quotas;
}

const MAX_NOTE_CHARS = 500;

/**
 * Reasons why the draft of a bot was not ready in time, by the unfinished state that the draft had reached.
 */
const LATE_MESSAGES: Partial<Record<GenerationState, string>> = {
  queued: 'No worker started the draft in time.',
  reading: 'Reading the website took too long.',
  drafting: 'The language model took too long.',
};

/** Returns true if no worker changes the generation of the bot any more. */
function isFinished(state: GenerationState): boolean {
  return LATE_MESSAGES[state] === undefined;
}

/** Creates bots from descriptions that users write. */
export class GenerationService {
  readonly #deps: GenerationServiceDeps;

  constructor(deps: GenerationServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Starts the workflow `generateBot` and waits for its draft of the bot. If that takes too long, drafts the
   * bot by rules in this process. Stores the website's icon as the bot's avatar.
   * @throws AppError `url_refused` for a website that may not be contacted; `validation_error`;
   *   `quota_exceeded`
   */
  async prepare(scope: OrgScope, { id, description, websiteUrl }: GenerationRequest): Promise<DraftedBot> {
    const { generations, outbox, outbound, settings, quotas } = this.#deps;
    const { generationTimeoutMs: timeoutMs } = settings;
    const deadline = performance.now() + timeoutMs;
    requireVisible(description, 'description');
    await quotas.check(scope, 'bots');
    if (websiteUrl !== null) await outbound.checkUrl(websiteUrl, { field: 'website_url' });
    await inTransaction(scope, async (tx) => {
      const isNew = await generations.insertNew(tx, { id, input: { description, websiteUrl } });
      const command = { orgId: scope.orgId, generationId: id, hasWebsite: websiteUrl !== null, timeoutMs };
      if (isNew) await outbox.command(tx, buildGenerationCommand(command));
    });
    const state = await pollUntil(
      async () => (await generations.findState(scope, id)) ?? 'queued',
      isFinished,
      deadline,
    );
    const row = await generations.open(scope, await generations.get(scope, id));
    const draft = isDrafted(row) ? row : await this.#finishLate(scope, row, state);
    const botId = newId();
    const avatar = await this.#storeIcon({ orgId: scope.orgId, botId }, draft);
    return {
      draft,
      botId,
      avatar,
      fingerprint: null,
      discard: async () => (avatar ? this.#deps.avatars.discard(avatar.storageKey) : undefined),
    };
  }

  /**
   * Creates the bot and its first version. If `importsWebsite` is true, also creates a document for its website,
   * unless the plan allows no more documents.
   */
  create(
    scope: MemberScope,
    { draft, botId, avatar }: DraftedBot,
    snapshots: Snapshots,
    { isActive, importsWebsite }: { isActive: boolean; importsWebsite: boolean },
  ): Promise<GeneratedBot> {
    const { bots, versions, documents, avatars, avatarRows, quotas } = this.#deps;
    const { websiteUrl } = draft.input;
    return inTransaction(scope, async (tx) => {
      const configuration = toConfiguration(draft.blueprint, snapshots);
      const widgetTheme = {
        ...configuration.widgetTheme,
        ...(avatar && { avatar_url: avatars.buildUrl(avatar.id) }),
      };
      const bot = await bots.insertConfigured(
        tx,
        botId,
        { ...configuration, widgetTheme, ...(isActive && { status: 'active' }) },
        draft.failure && `Drafted by rules, without a language model: ${draft.failure}`,
      );
      if (avatar) await avatarRows.insert(tx, avatar);
      await versions.add(tx, bot, snapshots, { note: describeGeneration(draft), authorId: scope.userId });
      const isImportQueued =
        importsWebsite &&
        websiteUrl !== null &&
        !draft.isSiteRefused &&
        canAddDocument(await quotas.lockUsage(tx, 'documents'));
      if (isImportQueued) {
        const document = {
          id: newId(),
          botId: bot.id,
          sourceType: 'sitemap',
          sourceUrl: websiteUrl,
        } as const;
        await documents.register(tx, { document: { ...document, title: '', tags: [] } });
      }
      return { bot, isImportQueued };
    });
  }

  /**
   * Stores the website's icon as the bot's avatar. Returns null if that fails, since a bot needs no avatar.
   */
  async #storeIcon(
    owner: { orgId: string; botId: string },
    { icon }: Draft,
  ): Promise<ReceivedAvatar['avatar'] | null> {
    const type = icon && detectImageType(icon);
    if (!icon || !type) return null;
    const { avatars, log } = this.#deps;
    return avatars.store(owner, { content: icon, mimeType: imageMimeTypes[type] }).catch((error: unknown) => {
      log.warn({ err: error, ...owner }, 'cannot store the icon of a generated bot');
      return null;
    });
  }

  /**
   * Drafts the bot by rules when a worker takes too long. Marks the generation as expired, so that the worker
   * stops.
   */
  async #finishLate(scope: OrgScope, row: Opened<BotGeneration>, state: GenerationState): Promise<Draft> {
    const { generations } = this.#deps;
    const finished = await finishByRules(row, LATE_MESSAGES[state] ?? null);
    await generations.advance(scope, row.id, { state: 'expired', ...finished });
    const current = await generations.open(scope, await generations.get(scope, row.id));
    return isDrafted(current) ? current : { ...row, ...finished };
  }
}

/** Returns true if the workspace's plan allows one more document. If not, the website is not imported. */
function canAddDocument(usage: QuotaUsage | null): boolean {
  return usage === null || usage.used < usage.limit;
}

function isDrafted(row: Opened<BotGeneration>): row is Draft {
  return row.blueprint !== null;
}

/**
 * Converts a draft to the complete configuration of a bot. Fields that the draft lacks get their defaults.
 */
function toConfiguration(blueprint: BotBlueprint, snapshots: Snapshots) {
  const { industry: _, suggested_kb_topics: __, ...fields } = structuredClone(blueprint);
  const configuration = { ...fields, handoff_enabled: true };
  const faults = snapshots.findFaults(configuration);
  if (faults.length > 0)
    throw new Error(`The blueprint is not a valid configuration of a bot: ${JSON.stringify(faults)}`);
  return snapshots.toChanges(configuration);
}

function describeGeneration({ input, site, generatedBy, notes }: Draft): string {
  const count = site?.pages.length ?? 0;
  const siteText =
    site && input.websiteUrl !== null
      ? ` and ${count} ${count === 1 ? 'page' : 'pages'} of ${site.host}`
      : '';
  return cutText(
    [`Generated by ${generatedBy} from the description${siteText}`, ...notes].join('; '),
    MAX_NOTE_CHARS,
  );
}

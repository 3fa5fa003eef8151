import { EXTRACTIVE_MODEL } from '../../../core/answers/extractive-model.ts';
import type { ModelFactory } from '../../../adapters/llm/model-factory.ts';
import { composeBlueprint } from '../../../core/bots/generation/compose-blueprint.ts';
import { RULES } from '../../../core/bots/generation/draft-by-rules.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { BotGeneration } from '../../../entities/bots/bot-generation.entity.ts';
import type { BotGenerationRepository } from '../../../repositories/bots/bot-generation.repository.ts';
import { finishByRules, detectDraftLanguage, collectNotes, type FinishedDraft } from './finished-draft.ts';
import { draftByModel, buildDraftRequest, type ModelDraft } from './model-draft.ts';
import { findPayerId } from '../../requests/payer-queue.ts';
import type { TokenUsage } from '../../usage/token-usage.ts';
import type { SiteReader } from './site-reader.ts';

/** Number of pages and characters read from the website for which a bot is drafted. */
export interface SiteCounts {
  pages: number;
  characters: number;
  isRefused: boolean;
}

/** Describes how a bot was drafted, without any content. */
export interface DraftReport {
  generatedBy: string;
  isByRules: boolean;
  isRepaired: boolean;
  tokens: { read: number; written: number } | null;
}

export interface DraftingServiceDeps {
  generations: BotGenerationRepository;
  reader: SiteReader;
  models: ModelFactory;
  tokens: TokenUsage;
}

/**
 * Share of the caller's waiting time in which a worker reads the website. Reading ends before the activity's
 * timeout, so that the activity can store the result.
 */
const READING_SHARE = 1 / 3;
const UNUSABLE = 'The language model returned no usable draft, even after Parley sent it the errors.';
const PLATFORM = { llmProvider: 'platform', model: null, apiKey: null, customEndpoint: null } as const;

/**
 * Performs the steps of drafting a bot from a description and website. Each step returns null if the caller
 * has already stopped waiting.
 */
export class DraftingService {
  readonly #deps: DraftingServiceDeps;

  constructor(deps: DraftingServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Reads the business's website and stores what it found for the draft of the bot.
   * @param timeoutMs milliseconds for which the caller waits for the bot
   */
  async readSite(
    scope: OrgScope,
    id: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<SiteCounts | null> {
    const { generations, reader } = this.#deps;
    if (!(await generations.advance(scope, id, { state: 'reading' }))) return null;
    const { input } = await generations.open(scope, await generations.get(scope, id));
    const { websiteUrl } = input;
    if (websiteUrl === null) return { pages: 0, characters: 0, isRefused: false };
    const { site, icon, isRefused, problem } = await reader.read(websiteUrl, {
      payerId: await findPayerId(scope),
      totalMs: timeoutMs * READING_SHARE,
      signal,
    });
    const notes = problem === null ? [] : [problem];
    const isAwaited = await generations.advance(scope, id, {
      state: 'drafting',
      site,
      icon,
      isSiteRefused: isRefused,
      notes,
    });
    const pages = site?.pages ?? [];
    const characters = pages.reduce((sum, { text }) => sum + text.length, 0);
    return isAwaited ? { pages: pages.length, characters, isRefused } : null;
  }

  /**
   * Drafts the bot with the platform's model. Falls back to rules if no model is configured or its reply is
   * unusable.
   * @throws ModelError, or the abort reason of `signal`
   */
  async draft(scope: OrgScope, id: string, signal: AbortSignal): Promise<DraftReport | null> {
    const { generations, models, tokens } = this.#deps;
    const model = models.createModel(PLATFORM);
    if (model.name === EXTRACTIVE_MODEL) return this.draftByRules(scope, id, null);
    if (!(await generations.advance(scope, id, { state: 'drafting' }))) return this.#findReport(scope, id);
    const row = await generations.open(scope, await generations.get(scope, id));
    const { input, site } = row;
    const language = await detectDraftLanguage(input, site);
    const draft = await draftByModel(model, buildDraftRequest(input, site, language), signal);
    await tokens.add(scope, { botId: null }, { ...draft, model: model.name });
    if (draft.parts === null) return this.draftByRules(scope, id, UNUSABLE, draft);
    const finished = {
      blueprint: composeBlueprint({ ...draft.parts, language: language ?? 'auto' }, input, site),
      generatedBy: model.name,
      failure: null,
      notes: [...collectNotes(row), ...(draft.isRepaired ? ['the model repaired its draft once'] : [])],
    };
    return this.#storeDraft(scope, id, finished, draft);
  }

  /**
   * Drafts the bot by rules, without a model.
   * @param failure reason why no model drafted the bot; null if no model is configured
   */
  async draftByRules(
    scope: OrgScope,
    id: string,
    failure: string | null,
    draft?: ModelDraft,
  ): Promise<DraftReport | null> {
    const { generations } = this.#deps;
    const row = await generations.find(scope, id);
    if (!row) return null;
    const finished = await finishByRules(await generations.open(scope, row), failure);
    return this.#storeDraft(scope, id, finished, draft);
  }

  async #storeDraft(
    scope: OrgScope,
    id: string,
    finished: FinishedDraft,
    draft?: ModelDraft,
  ): Promise<DraftReport | null> {
    const isAwaited = await this.#deps.generations.advance(scope, id, { state: 'drafted', ...finished });
    return isAwaited ? toDraftReport(finished, draft) : this.#findReport(scope, id);
  }

  /**
   * Returns the report of a bot's draft that an earlier attempt has stored; null if the caller has stopped
   * waiting.
   */
  async #findReport(scope: OrgScope, id: string): Promise<DraftReport | null> {
    const row = await this.#deps.generations.find(scope, id);
    return row?.state === 'drafted' ? toDraftReport(row) : null;
  }
}

function toDraftReport({ generatedBy }: Pick<BotGeneration, 'generatedBy'>, draft?: ModelDraft): DraftReport {
  return {
    generatedBy: generatedBy ?? RULES,
    isByRules: generatedBy === RULES,
    isRepaired: draft?.isRepaired ?? false,
    tokens: draft ? { read: draft.inputTokens, written: draft.outputTokens } : null,
  };
}

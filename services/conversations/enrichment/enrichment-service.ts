import type { ChatModel, ChatRequest } from '../../../core/answers/chat-model.ts';
import { EXTRACTIVE_MODEL } from '../../../core/answers/extractive-model.ts';
import { parsePrices, computeAnswerPrice } from '../../../adapters/llm/models-and-prices.ts';
import type { ModelFactory } from '../../../adapters/llm/model-factory.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { PriceTable, Settings } from '../../../core/settings/settings.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';
import type { BotRepository } from '../../../repositories/bots/bot.repository.ts';
import type {
  ConversationRepository,
  ModelUsage,
} from '../../../repositories/conversations/conversation.repository.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { TokenUsage } from '../../usage/token-usage.ts';
import { toModelConfig } from '../answering/bot-model-config.ts';
import { findLastDetails, maskDetails } from '../../contacts/details-in-text.ts';
import { learnContact, hasRefusedConsent, type LearnContactDeps } from '../../contacts/learn-contact.ts';
import {
  getContactFields,
  pickFittingValues,
  toLearnedContact,
  extractByPattern,
  type FieldValues,
} from './contact-fields.ts';
import { buildEnrichmentRequest } from './enrichment-prompt.ts';
import { toHeadline, parseEnrichmentReply, type Enrichment } from './enrichment-reply.ts';

/** Describes how title, summary and contact fields of a conversation were found, without any content. */
export interface EnrichmentReport {
  /** Name of the model that was used; null if only patterns were matched. */
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  fieldsFound: number;
  fieldsDeclared: number;
}

export interface EnrichmentServiceDeps extends LearnContactDeps {
  settings: Pick<Settings, 'modelPrices'>;
  keyring: Keyring;
  models: ModelFactory;
  bots: BotRepository;
  conversations: ConversationRepository;
  tokens: TokenUsage;
}

/** A conversation that will be enriched, with its newest messages. */
interface EnrichmentInput {
  bot: Bot;
  conversation: Opened<Conversation>;
  messages: Opened<Message>[];
  /** Texts of the visitor's own messages. */
  visitorTexts: string[];
}

interface EnrichmentFindings extends Enrichment {
  values: FieldValues;
}

const MAX_MESSAGES = 400;
/** Maximum number of characters of the visitor's newest messages that are searched for contact details. */
const MAX_VISITOR_CHARS = 60_000;

/** Enriches conversations with a title, a summary, the sentiment and contact fields. */
export class EnrichmentService {
  readonly #deps: EnrichmentServiceDeps;
  readonly #prices: PriceTable;

  constructor(deps: EnrichmentServiceDeps) {
    this.#deps = deps;
    this.#prices = parsePrices(deps.settings.modelPrices);
  }

  /**
   * Enriches a conversation with the bot's model. Uses patterns for email addresses and phone numbers instead
   * if the bot has no model or the visitor wrote nothing.
   * @returns null if the conversation or its bot was deleted
   * @throws ModelError if the model fails or its reply is invalid
   */
  async enrich(
    scope: OrgScope,
    conversationId: string,
    signal: AbortSignal,
  ): Promise<EnrichmentReport | null> {
    const { models, keyring, tokens } = this.#deps;
    const input = await this.#loadInput(scope, conversationId);
    if (!input) return null;
    const { bot, messages, visitorTexts } = input;
    const model = models.createModel(toModelConfig(bot, keyring));
    if (model.name === EXTRACTIVE_MODEL || visitorTexts.length === 0)
      return this.#storePatterns(scope, input);
    const { text, usage } = await this.#complete(model, buildEnrichmentRequest(bot, messages), signal);
    if (usage) await tokens.add(scope, { botId: bot.id, conversationId }, { ...usage, model: model.name });
    const { fields, ...enrichment } = parseEnrichmentReply(text);
    const values = pickFittingValues(getContactFields(bot), fields, visitorTexts.join('\n'));
    const isStored = await this.#storeFindings(scope, input, { ...enrichment, values });
    return isStored ? toEnrichmentReport(bot, values, model.name, usage) : null;
  }

  /**
   * Enriches a conversation without the model, after the model has failed. Stores a title, and any email
   * address and phone number in the visitor's messages.
   */
  async enrichByPatterns(scope: OrgScope, conversationId: string): Promise<EnrichmentReport | null> {
    const input = await this.#loadInput(scope, conversationId);
    return input && this.#storePatterns(scope, input);
  }

  async #loadInput(scope: OrgScope, conversationId: string): Promise<EnrichmentInput | null> {
    const { conversations, bots, messages } = this.#deps;
    const stored = await conversations.find(scope, conversationId);
    const bot = stored && (await bots.find(scope, stored.botId));
    if (!bot) return null;
    const conversation = await conversations.open(scope, stored);
    const thread = await messages.listNewest({ ...scope, conversationId }, MAX_MESSAGES);
    const visitorTexts = takeNewestWithin(
      MAX_VISITOR_CHARS,
      thread.flatMap(({ role, content }) => (role === 'user' ? [content] : [])),
    );
    return { bot, conversation, messages: thread, visitorTexts };
  }

  async #complete(
    model: ChatModel,
    request: ChatRequest,
    signal: AbortSignal,
  ): Promise<{ text: string; usage: ModelUsage | null }> {
    let text = '';
    let usage: ModelUsage | null = null;
    for await (const chunk of model.stream(request, signal)) {
      if (chunk.type === 'text') text += chunk.text;
      else {
        const { inputTokens, outputTokens } = chunk;
        usage = {
          inputTokens,
          outputTokens,
          costUsd: computeAnswerPrice(model.name, inputTokens, outputTokens, this.#prices),
        };
      }
    }
    return { text, usage };
  }

  async #storePatterns(scope: OrgScope, input: EnrichmentInput): Promise<EnrichmentReport | null> {
    const { bot, conversation, visitorTexts } = input;
    const first = await this.#deps.messages.findFirstVisitorMessage({
      ...scope,
      conversationId: conversation.id,
    });
    const values = extractByPattern(getContactFields(bot), visitorTexts);
    const title = conversation.title ?? toHeadline(first?.content ?? '');
    const isStored = await this.#storeFindings(scope, input, {
      title,
      summary: null,
      sentiment: null,
      values,
    });
    return isStored ? toEnrichmentReport(bot, values, null, null) : null;
  }

  /**
   * Stores the title, summary and contact fields of a conversation. A null leaves the stored value unchanged.
   * Returns false if the conversation was deleted.
   */
  #storeFindings(
    scope: OrgScope,
    { bot, conversation: { id }, visitorTexts }: EnrichmentInput,
    { values, ...enrichment }: EnrichmentFindings,
  ): Promise<boolean> {
    return inTransaction(scope, async (tx) => {
      const { conversations } = this.#deps;
      const locked = await conversations.findLocked(tx, id);
      if (!locked) return false;
      const conversation = await conversations.open(tx, locked);
      const isRefused = await hasRefusedConsent(this.#deps.contacts, tx, conversation);
      const maskIfRefused = (text: string | null) => (isRefused && text !== null ? maskDetails(text) : text);
      await conversations.update(tx, id, {
        title: maskIfRefused(enrichment.title ?? conversation.title),
        summary: maskIfRefused(enrichment.summary ?? conversation.summary),
        sentiment: enrichment.sentiment ?? conversation.sentiment,
        ...(!isRefused && {
          customFields: { ...conversation.customFields, ...values, ...conversation.leadDetails.fields },
        }),
      });
      const { details, customFields } = toLearnedContact(getContactFields(bot), values);
      const learned = { details: { ...findLastDetails(visitorTexts), ...details }, customFields };
      await learnContact(this.#deps, tx, conversation, learned);
      return true;
    });
  }
}

/** Returns the last of a visitor's texts that fit within the limit together, in their original order. */
function takeNewestWithin(maxChars: number, texts: string[]): string[] {
  let remainingChars = maxChars;
  const fits = texts.toReversed().map(({ length }) => (remainingChars -= length) >= 0);
  return texts.slice(texts.length - fits.filter(Boolean).length);
}

function toEnrichmentReport(
  bot: Bot,
  values: FieldValues,
  model: string | null,
  usage: ModelUsage | null,
): EnrichmentReport {
  return {
    model,
    inputTokens: usage?.inputTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    fieldsFound: Object.keys(values).length,
    fieldsDeclared: bot.contactFieldsConfig.length,
  };
}

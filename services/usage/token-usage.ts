import { parsePrices, computeAnswerPrice } from '../../adapters/llm/models-and-prices.ts';
import type { PriceTable, Settings } from '../../core/settings/settings.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ConversationRepository } from '../../repositories/conversations/conversation.repository.ts';
import type { UsageRepository } from '../../repositories/usage/usage.repository.ts';

/** Bot and conversation for which a model was called. */
interface UsageSubject {
  /** Id of the bot; null if the call of the model drafts a bot that does not exist yet. */
  botId: string | null;
  conversationId?: string;
}

/** Tokens that a model has reported for a call; null for a count that the model did not report. */
interface TokenCounts {
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Cost of the model call in US dollars, if known. If undefined, the cost is computed from the tokens. */
  costUsd?: number | null;
}

export interface TokenUsageDeps {
  usage: UsageRepository;
  conversations: Pick<ConversationRepository, 'addUsage'>;
  settings: Pick<Settings, 'modelPrices'>;
}

/** Records the tokens of model calls whose result is not stored as a message. */
export class TokenUsage {
  readonly #deps: TokenUsageDeps;
  readonly #prices: PriceTable;

  constructor(deps: TokenUsageDeps) {
    this.#deps = deps;
    this.#prices = parsePrices(deps.settings.modelPrices);
  }

  async add(scope: OrgScope, { botId, conversationId }: UsageSubject, used: TokenCounts): Promise<void> {
    const { model } = used;
    if (used.inputTokens === null && used.outputTokens === null) return;
    const tokens = { inputTokens: used.inputTokens ?? 0, outputTokens: used.outputTokens ?? 0 };
    const costUsd = used.costUsd ?? this.#computeCost(model, tokens);
    const { usage, conversations } = this.#deps;
    await inTransaction(scope, async (tx) => {
      if (conversationId !== undefined)
        await conversations.addUsage(tx, conversationId, { ...tokens, costUsd });
      const day = await usage.getToday(tx.db);
      await usage.insert(tx, { day, botId, model, messages: 0, ...tokens, costUsd });
    });
  }

  #computeCost(
    model: string | null,
    { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  ) {
    return model === null ? 0 : (computeAnswerPrice(model, inputTokens, outputTokens, this.#prices) ?? 0);
  }
}

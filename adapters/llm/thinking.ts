import type { ChatRequest } from '../../core/answers/chat-model.ts';

/**
 * Minimum number of additional tokens that a request allows for models that always reason before they answer.
 */
export const MIN_REASONING_TOKENS = 1_024;

/**
 * Maximum thinking budgets in tokens for which `low` and `medium` effort are requested. Models use about
 * 1,000, 8,000 and 24,000 tokens at `low`, `medium` and `high` effort.
 */
const MAX_EFFORT_TOKENS = { low: 4_096, medium: 16_384 };

/**
 * Converts a bot's thinking budget to an effort level, since OpenAI-compatible endpoints have no common
 * parameter for a number of tokens.
 */
export function toReasoningEffort({ thinking }: Pick<ChatRequest, 'thinking'>): 'low' | 'medium' | 'high' {
  if (!thinking || thinking.budgetTokens <= MAX_EFFORT_TOKENS.low) return 'low';
  return thinking.budgetTokens <= MAX_EFFORT_TOKENS.medium ? 'medium' : 'high';
}

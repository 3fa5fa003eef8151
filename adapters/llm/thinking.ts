import type { ChatRequest } from '../../core/answers/chat-model.ts';

/** Tokens for the reasoning that some models always do before they answer. */
export const MIN_REASONING_TOKENS = 1_024;

/** Limits between the budgets of the efforts: about 1,000, 8,000 and 24,000 tokens. */
const MAX_EFFORT_TOKENS = { low: 4_096, medium: 16_384 };

/** Converts a budget to the effort of OpenAI-compatible endpoints, which have no common field for the number. */
export function toReasoningEffort({ thinking }: Pick<ChatRequest, 'thinking'>): 'low' | 'medium' | 'high' {
  if (!thinking || thinking.budgetTokens <= MAX_EFFORT_TOKENS.low) return 'low';
  return thinking.budgetTokens <= MAX_EFFORT_TOKENS.medium ? 'medium' : 'high';
}

import type { ChatRequest } from '../../core/answers/chat-model.ts';

/** Room for the reasoning that some models always do before they answer. */
export const LEAST_REASONING_TOKENS = 1_024;

/** Between the budgets that endpoints give to each effort: about 1,000, 8,000 and 24,000 tokens. */
const MOST_TOKENS = { low: 4_096, medium: 16_384 };

/** A budget as OpenAI-compatible endpoints take it: none of them agree on a field for the number itself. */
export function reasoningEffort({ thinking }: Pick<ChatRequest, 'thinking'>): 'low' | 'medium' | 'high' {
  if (!thinking || thinking.budgetTokens <= MOST_TOKENS.low) return 'low';
  return thinking.budgetTokens <= MOST_TOKENS.medium ? 'medium' : 'high';
}

import type { ChatMessage, ChatModel } from '../../../core/answers/chat-model.ts';
import { EXTRACTIVE_MODEL } from '../../../core/answers/extractive-model.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import {
  hasPreviousTurns,
  refersBack,
  buildRewritingPrompt,
  extractRewrittenQuestion,
  appendPreviousTerms,
} from './follow-up.ts';

const MAX_TOKENS = 64;

export interface SearchQuery {
  /** The search query, in the form of a question. */
  question: string;
  /** Token counts of the model that rewrote the question; null if none did, or if it reported no counts. */
  usage: { inputTokens: number; outputTokens: number } | null;
}

export type RewritingSettings = Pick<Settings, 'questionRewriteMs'>;

/**
 * Returns the search query for a visitor's last message. If it refers to earlier messages, the bot's model
 * rewrites it as a standalone question. If the model fails or times out, terms of earlier messages are
 * appended instead.
 * @throws the abort reason of `signal`
 */
export async function chooseSearchQuery(
  messages: readonly ChatMessage[],
  createModel: () => ChatModel,
  { questionRewriteMs }: RewritingSettings,
  signal: AbortSignal,
): Promise<SearchQuery> {
  const message = messages.at(-1)?.content ?? '';
  if (!hasPreviousTurns(messages) || !refersBack(message)) return { question: message, usage: null };
  const rewritten =
    questionRewriteMs === 0 ? null : await rewriteQuestion(messages, createModel, questionRewriteMs, signal);
  signal.throwIfAborted();
  return rewritten ?? { question: appendPreviousTerms(messages), usage: null };
}

/** Lets the model rewrite the question. Returns null if it fails, times out or returns no question. */
async function rewriteQuestion(
  messages: readonly ChatMessage[],
  createModel: () => ChatModel,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<SearchQuery | null> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const model = createModel();
    if (model.name === EXTRACTIVE_MODEL) return null;
    const request = {
      ...buildRewritingPrompt(messages),
      temperature: 0,
      maxTokens: MAX_TOKENS,
      passages: [],
    };
    let reply = '';
    let usage: SearchQuery['usage'] = null;
    for await (const chunk of model.stream(request, within)) {
      if (chunk.type === 'text') reply += chunk.text;
      else usage = { inputTokens: chunk.inputTokens, outputTokens: chunk.outputTokens };
    }
    const question = extractRewrittenQuestion(reply);
    return question === null ? null : { question, usage };
  } catch {
    // Ignore the error here: if the model is down, generating the answer fails too and reports it.
    return null;
  }
}

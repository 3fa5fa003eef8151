import type { ChatMessage, ChatModel } from '../../../core/answers/chat-model.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import {
  hasPreviousTurns,
  refersBack,
  buildRewritingPrompt,
  extractRewrittenQuestion,
  appendPreviousTerms,
} from '../../../core/answers/follow-up.ts';
import { readShortReply, type ReplyUsage } from './short-reply.ts';

const MAX_TOKENS = 64;

export interface SearchQuery {
  /** Query for the document search, in the form of a question. */
  question: string;
  /**
   * Token counts of the model that rewrote the visitor's question; null if no model did, or if it reported no
   * counts.
   */
  usage: ReplyUsage | null;
}

export type RewritingSettings = Pick<Settings, 'questionRewriteMs'>;

/**
 * Returns the query with which the documents are searched for a visitor's last message. If it refers to
 * earlier messages, the bot's model rewrites it as a standalone question. If the model fails or times out,
 * terms of earlier messages are appended instead.
 * @throws the abort reason of `signal`
 */
export async function chooseSearchQuery(
  messages: readonly ChatMessage[],
  createModel: () => ChatModel,
  { questionRewriteMs: timeoutMs }: RewritingSettings,
  signal: AbortSignal,
): Promise<SearchQuery> {
  const message = messages.at(-1)?.content ?? '';
  if (!hasPreviousTurns(messages) || !refersBack(message)) return { question: message, usage: null };
  const prompt = { ...buildRewritingPrompt(messages), maxTokens: MAX_TOKENS, timeoutMs };
  const reply = timeoutMs === 0 ? null : await readShortReply(createModel, prompt, signal);
  signal.throwIfAborted();
  const question = reply && extractRewrittenQuestion(reply.text);
  return question === null
    ? { question: appendPreviousTerms(messages), usage: null }
    : { question, usage: reply!.usage };
}

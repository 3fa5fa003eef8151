import type { ChatMessage, ChatModel } from '../../../core/answers/chat-model.ts';
import { EXTRACTIVE_MODEL } from '../../../core/answers/extractive-model.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import {
  hasTurnsBefore,
  refersBack,
  rewritingPrompt,
  rewrittenQuestion,
  withWordsBefore,
} from './follow-up.ts';

const MAX_TOKENS = 64;

export interface SearchedQuestion {
  /** What is searched for. */
  question: string;
  /** What the model read and wrote for it; null where it was not asked, or did not count. */
  usage: { inputTokens: number; outputTokens: number } | null;
}

export type RewritingSettings = Pick<Settings, 'questionRewriteMs'>;

/**
 * What is searched for a visitor's last message: that message, unless it refers back to the turns before. Then the model makes a
 * question of both, where there is one that does so in time, or their telling words are added.
 * @throws what ends `signal`
 */
export async function questionSearched(
  messages: readonly ChatMessage[],
  modelOf: () => ChatModel,
  { questionRewriteMs }: RewritingSettings,
  signal: AbortSignal,
): Promise<SearchedQuestion> {
  const message = messages.at(-1)?.content ?? '';
  if (!hasTurnsBefore(messages) || !refersBack(message)) return { question: message, usage: null };
  const rewritten =
    questionRewriteMs === 0 ? null : await rewrite(messages, modelOf, questionRewriteMs, signal);
  signal.throwIfAborted();
  return rewritten ?? { question: withWordsBefore(messages), usage: null };
}

/** Null where the model does not help, for whatever reason. */
async function rewrite(
  messages: readonly ChatMessage[],
  modelOf: () => ChatModel,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<SearchedQuestion | null> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const model = modelOf();
    if (model.name === EXTRACTIVE_MODEL) return null;
    const request = { ...rewritingPrompt(messages), temperature: 0, maxTokens: MAX_TOKENS, passages: [] };
    let reply = '';
    let usage: SearchedQuestion['usage'] = null;
    for await (const chunk of model.stream(request, within)) {
      if (chunk.type === 'text') reply += chunk.text;
      else usage = { inputTokens: chunk.inputTokens, outputTokens: chunk.outputTokens };
    }
    const question = rewrittenQuestion(reply);
    return question === null ? null : { question, usage };
  } catch {
    // The model's failure is told where the answer fails, too.
    return null;
  }
}

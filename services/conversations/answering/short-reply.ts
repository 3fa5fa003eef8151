import type { ChatMessage, ChatModel } from '../../../core/answers/chat-model.ts';
import { EXTRACTIVE_MODEL } from '../../../core/answers/extractive-model.ts';

/** Token counts of a model's replies. */
export interface ReplyUsage {
  inputTokens: number;
  outputTokens: number;
}

export interface ShortPrompt {
  system: string;
  messages: ChatMessage[];
  maxTokens: number;
  timeoutMs: number;
}

export interface ShortReply {
  text: string;
  /** Token counts of the reply; null if the model reported none. */
  usage: ReplyUsage | null;
}

/**
 * Lets the bot's model write a short reply that prepares an answer, such as a rewritten question.
 * @returns null if the model fails, takes too long or can only quote passages
 */
export async function readShortReply(
  createModel: () => ChatModel,
  { timeoutMs, ...prompt }: ShortPrompt,
  signal: AbortSignal,
): Promise<ShortReply | null> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const reply: ShortReply = { text: '', usage: null };
  try {
    const model = createModel();
    if (model.name === EXTRACTIVE_MODEL) return null;
    for await (const chunk of model.stream({ ...prompt, temperature: 0, passages: [] }, within)) {
      if (chunk.type === 'text') reply.text += chunk.text;
      else reply.usage = { inputTokens: chunk.inputTokens, outputTokens: chunk.outputTokens };
    }
    return reply;
  } catch {
    // Ignores the error here: if the model is down, generating the answer fails too and reports the error.
    return null;
  }
}

/** Adds the token counts of several replies of models. Returns null if no model reported any. */
export function addUsage(...usages: (ReplyUsage | null)[]): ReplyUsage | null {
  const reported = usages.filter((usage) => usage !== null);
  if (reported.length === 0) return null;
  return {
    inputTokens: reported.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: reported.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}

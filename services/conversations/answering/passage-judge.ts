import type { ChatModel, Passage } from '../../../core/answers/chat-model.ts';
import { buildJudgmentPrompt, readJudgment } from '../../../core/answers/passage-judgment.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { readShortReply, type ReplyUsage } from './short-reply.ts';

const MAX_TOKENS = 32;

export interface Judgment {
  /** Passages that answer the question, best first. */
  passages: Passage[];
  usage: ReplyUsage | null;
}

/**
 * Lets the bot's model judge which passages answer the question.
 * @returns null if the model fails, takes too long or replies with anything but numbers of passages
 * @throws the abort reason of `signal`
 */
export async function judgePassages(
  question: string,
  passages: readonly Passage[],
  createModel: () => ChatModel,
  { passageJudgmentMs: timeoutMs }: Pick<Settings, 'passageJudgmentMs'>,
  signal: AbortSignal,
): Promise<Judgment | null> {
  const prompt = { ...buildJudgmentPrompt(question, passages), maxTokens: MAX_TOKENS, timeoutMs };
  const reply = await readShortReply(createModel, prompt, signal);
  signal.throwIfAborted();
  const judged = reply && readJudgment(reply.text, passages);
  return judged && { passages: judged, usage: reply.usage };
}

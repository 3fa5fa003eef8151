import type { ChatMessage } from '../../core/answers/chat-model.ts';
import { EXTRACTIVE_MODEL } from '../../core/answers/extractive-model.ts';
import type { ModelFactory } from '../../adapters/llm/model-factory.ts';
import { trimHistory } from '../../core/answers/prompt.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { cutText } from '../../core/text/cut-text.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import { toModelConfig, toThinkingOptions } from '../conversations/answering/bot-model-config.ts';

/**
 * Maximum number of characters of a flow step's instructions to the model, after placeholders were replaced.
 */
const MAX_INSTRUCTIONS = 8000;
const HISTORY_TOKENS = 6000;

export interface ModelText {
  text: string;
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
}

/**
 * Streams a text that the bot's model writes according to the instructions of a flow's step. Returns null if
 * the bot has no generative model.
 * @param messages the conversation so far; blank messages are skipped
 * @throws ModelError
 */
export async function* askModel(
  { models, keyring }: { models: ModelFactory; keyring: Keyring },
  bot: Bot,
  { instructions: fullInstructions, messages }: { instructions: string; messages: ChatMessage[] },
  signal: AbortSignal,
): AsyncGenerator<string, ModelText | null> {
  const model = models.createModel(toModelConfig(bot, keyring));
  if (model.name === EXTRACTIVE_MODEL) return null;
  const instructions = cutText(fullInstructions, MAX_INSTRUCTIONS);
  const nonBlank = messages.filter(({ content }) => content.trim() !== '');
  const endsWithUserMessage = nonBlank.at(-1)?.role === 'user';
  const request = {
    system: `${bot.systemPrompt}\n\n${instructions}`.trim(),
    messages: trimHistory(
      endsWithUserMessage ? nonBlank : [...nonBlank, { role: 'user', content: instructions }],
      HISTORY_TOKENS,
    ),
    temperature: bot.temperature,
    maxTokens: bot.maxTokens,
    ...toThinkingOptions(bot),
    passages: [],
  };
  const result: ModelText = { text: '', model: model.name, inputTokens: null, outputTokens: null };
  for await (const chunk of model.stream(request, signal)) {
    if (chunk.type === 'usage') {
      result.inputTokens = (result.inputTokens ?? 0) + chunk.inputTokens;
      result.outputTokens = (result.outputTokens ?? 0) + chunk.outputTokens;
    } else {
      result.text += chunk.text;
      yield chunk.text;
    }
  }
  return result;
}

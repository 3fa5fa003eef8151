import type { ChatRequest } from '../../../core/answers/chat-model.ts';
import type { BotModelConfig } from '../../../adapters/llm/model-factory.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';

/** Where a bot's secrets are sealed for; a value copied to another bot does not open. */
export const sealedPlaces = {
  apiKey: (botId: string) => `bots.api_key:${botId}`,
  authHeaderValue: (botId: string) => `bots.auth_header_value:${botId}`,
};

/** What a request to the bot's model says of thinking. */
export function thinkingOf(bot: Bot): Pick<ChatRequest, 'thinking'> {
  return bot.thinkingEnabled ? { thinking: { budgetTokens: bot.thinkingBudgetTokens } } : {};
}

/** What the model factory needs of a bot, its secrets opened. */
export function modelConfigOf(bot: Bot, keyring: Keyring): BotModelConfig {
  const endpoint = bot.customEndpointConfig;
  const { sealedApiKey, sealedAuthHeaderValue } = bot;
  return {
    llmProvider: bot.llmProvider,
    model: bot.model,
    apiKey: sealedApiKey === null ? null : keyring.open(sealedApiKey, sealedPlaces.apiKey(bot.id)),
    customEndpoint: endpoint && {
      endpointUrl: endpoint.endpoint_url,
      authHeaderName: endpoint.auth_header_name,
      authHeaderValue:
        sealedAuthHeaderValue === null
          ? null
          : keyring.open(sealedAuthHeaderValue, sealedPlaces.authHeaderValue(bot.id)),
      model: endpoint.model,
      responsePath: endpoint.response_path,
    },
  };
}

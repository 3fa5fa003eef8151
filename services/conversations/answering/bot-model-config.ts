import type { ChatRequest } from '../../../core/answers/chat-model.ts';
import type { BotModelConfig } from '../../../adapters/llm/model-factory.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';

/**
 * Contexts to which the encryption binds a bot's secrets. A secret that is copied to another bot's row cannot
 * be decrypted.
 */
export const botSecretContexts = {
  apiKey: (botId: string) => `bots.api_key:${botId}`,
  authHeaderValue: (botId: string) => `bots.auth_header_value:${botId}`,
};

/** Returns the request options that set the thinking effort of the bot's model. */
export function toThinkingOptions(bot: Bot): Pick<ChatRequest, 'thinking'> {
  return bot.thinkingEnabled ? { thinking: { budgetTokens: bot.thinkingBudgetTokens } } : {};
}

/** Converts a bot to the configuration of its model, with decrypted secrets. */
export function toModelConfig(bot: Bot, keyring: Keyring): BotModelConfig {
  const endpoint = bot.customEndpointConfig;
  const { sealedApiKey, sealedAuthHeaderValue } = bot;
  return {
    llmProvider: bot.llmProvider,
    model: bot.model,
    apiKey: sealedApiKey === null ? null : keyring.open(sealedApiKey, botSecretContexts.apiKey(bot.id)),
    customEndpoint: endpoint && {
      endpointUrl: endpoint.endpoint_url,
      authHeaderName: endpoint.auth_header_name,
      authHeaderValue:
        sealedAuthHeaderValue === null
          ? null
          : keyring.open(sealedAuthHeaderValue, botSecretContexts.authHeaderValue(bot.id)),
      model: endpoint.model,
      responsePath: endpoint.response_path,
    },
  };
}

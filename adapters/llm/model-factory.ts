import type { Settings } from '../../core/settings/settings.ts';
import { type ChatModel, ModelError } from '../../core/answers/chat-model.ts';
import { type CustomEndpoint, CustomEndpointModel } from './custom-endpoint-model.ts';
import { ExtractiveModel } from '../../core/answers/extractive-model.ts';
import type { FetchFunction } from './call-model.ts';
import { OpenAiChatModel } from './openai-chat-model.ts';

export interface ModelFactoryOptions {
  settings: Pick<
    Settings,
    'modelBaseUrl' | 'modelApiKey' | 'modelName' | 'byokBaseUrl' | 'modelFirstTokenTimeoutMs'
  >;
  /** Function `fetch` that only reaches public addresses, for model URLs that a workspace configured. */
  guardedFetch: FetchFunction;
  /**
   * Function like `guardedFetch` for requests with an API key. It permits plain http only for addresses in
   * the operator's allow list.
   */
  secretFetch: FetchFunction;
  /** Function `fetch` for the model URL that the operator configured, which may be internal. */
  trustedFetch: FetchFunction;
}

export interface BotModelConfig {
  llmProvider: 'platform' | 'byok' | 'custom';
  model: string | null;
  /** Decrypted API key of the workspace for the model's provider. */
  apiKey: string | null;
  customEndpoint: CustomEndpoint | null;
}

export interface ModelFactory {
  /**
   * Creates the language model with which a bot answers.
   * @throws ModelError `model_refused` if the bot lacks the API key or URL that its provider requires
   */
  createModel(config: BotModelConfig): ChatModel;
}

/**
 * Maximum duration of a model's answer in milliseconds: visitors wait no longer, and can ask again after a
 * truncated answer.
 */
const ANSWER_TIMEOUT_MS = 60_000;

export function createModelFactory(options: ModelFactoryOptions): ModelFactory {
  const { settings, guardedFetch, secretFetch, trustedFetch } = options;
  const timeouts = { silenceMs: settings.modelFirstTokenTimeoutMs, totalMs: ANSWER_TIMEOUT_MS };
  const providers = {
    platform: ({ model }: BotModelConfig) =>
      settings.modelBaseUrl
        ? new OpenAiChatModel({
            baseUrl: settings.modelBaseUrl,
            apiKey: settings.modelApiKey ?? null,
            model: model ?? settings.modelName,
            fetch: trustedFetch,
            ...timeouts,
          })
        : new ExtractiveModel(),
    byok: ({ model, apiKey }: BotModelConfig) =>
      new OpenAiChatModel({
        baseUrl: settings.byokBaseUrl,
        apiKey: apiKey ?? throwNotConfigured(missingSettings.byok),
        model: model ?? settings.modelName,
        fetch: guardedFetch,
        ...timeouts,
      }),
    custom: ({ model, customEndpoint }: BotModelConfig) => {
      const endpoint = customEndpoint ?? throwNotConfigured(missingSettings.custom);
      return new CustomEndpointModel({
        endpoint: { ...endpoint, model: endpoint.model ?? model },
        fetch: endpoint.authHeaderValue === null ? guardedFetch : secretFetch,
        ...timeouts,
      });
    },
  };
  return { createModel: (config) => providers[config.llmProvider](config) };
}

/** Error messages for bots that lack the field which their model provider requires. */
export const missingSettings = {
  byok: 'llm_provider is byok, but the bot has no key for its language model; set api_key.',
  custom:
    'llm_provider is custom, but the bot has no URL for its language model; set custom_endpoint_config.endpoint_url.',
};

function throwNotConfigured(message: string): never {
  throw new ModelError('model_refused', undefined, message);
}

import type { Bot, BotUpdate } from '../../client/types.ts';

/** Form values of the language model's provider. */
export interface ProviderDraft {
  llm_provider: Bot['llm_provider'];
  /** New API key of the workspace at the model's provider; empty to keep the stored key. */
  api_key: string;
  endpoint_url: string;
  endpoint_header: string;
  /** New secret value of the header for the model's endpoint; empty to keep the stored value. */
  endpoint_secret: string;
  endpoint_model: string;
  endpoint_path: string;
}

export function toProviderDraft({ llm_provider, custom_endpoint_config: endpoint }: Bot): ProviderDraft {
  return {
    llm_provider,
    api_key: '',
    endpoint_url: endpoint?.endpoint_url ?? '',
    endpoint_header: endpoint?.auth_header_name ?? '',
    endpoint_secret: '',
    endpoint_model: endpoint?.model ?? '',
    endpoint_path: endpoint?.response_path ?? '',
  };
}

/**
 * Converts form values about the model's provider to the fields of the bot. Omits secrets that the user has
 * not entered.
 */
export function toProviderConfig(draft: ProviderDraft): BotUpdate {
  const secret = draft.endpoint_secret.trim();
  return {
    llm_provider: draft.llm_provider,
    ...(draft.api_key.trim() && { api_key: draft.api_key.trim() }),
    custom_endpoint_config:
      draft.endpoint_url.trim() === ''
        ? null
        : {
            endpoint_url: draft.endpoint_url.trim(),
            auth_header_name: draft.endpoint_header.trim() || null,
            ...(secret && { auth_header_value: secret }),
            model: draft.endpoint_model.trim() || null,
            response_path: draft.endpoint_path.trim() || null,
          },
  };
}

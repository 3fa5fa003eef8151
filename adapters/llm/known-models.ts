interface KnownModel {
  name: string;
  maxInputTokens: number;
  maxOutputTokens: number;
  alwaysReasons: boolean;
}

const defineModel = (
  name: string,
  maxInputTokens: number,
  maxOutputTokens: number,
  alwaysReasons = false,
): KnownModel => ({ name, maxInputTokens, maxOutputTokens, alwaysReasons });

/** Chat models of OpenAI, with the limits that OpenAI documents. */
export const knownModels: Readonly<Record<string, KnownModel>> = {
  'gpt-4o-mini': defineModel('GPT-4o mini', 128_000, 16_384),
  'gpt-4o': defineModel('GPT-4o', 128_000, 16_384),
  'gpt-4.1-nano': defineModel('GPT-4.1 nano', 1_047_576, 32_768),
  'gpt-4.1-mini': defineModel('GPT-4.1 mini', 1_047_576, 32_768),
  'gpt-4.1': defineModel('GPT-4.1', 1_047_576, 32_768),
  'gpt-5-nano': defineModel('GPT-5 nano', 272_000, 128_000, true),
  'gpt-5-mini': defineModel('GPT-5 mini', 272_000, 128_000, true),
  'gpt-5': defineModel('GPT-5', 272_000, 128_000, true),
  'o3-mini': defineModel('o3-mini', 200_000, 100_000, true),
  'o4-mini': defineModel('o4-mini', 200_000, 100_000, true),
  o3: defineModel('o3', 200_000, 100_000, true),
};

/** Returns the name of a model without the date of its snapshot: `gpt-4o-2024-08-06` becomes `gpt-4o`. */
export function parseModelFamily(model: string): string {
  return model.replace(/-\d{4}-\d{2}-\d{2}$/, '');
}

export function findKnownModel(model: string): KnownModel | undefined {
  const family = parseModelFamily(model);
  return Object.hasOwn(knownModels, family) ? knownModels[family] : undefined;
}

/** Returns whether the model is known to reason before each answer. */
export function alwaysReasons(model: string): boolean {
  return findKnownModel(model)?.alwaysReasons ?? false;
}

/**
 * Returns whether to send the bot's thinking setting to the model. True for unknown models, because the bot's
 * owner has chosen the setting for this model.
 */
export function acceptsThinkingParameter(model: string): boolean {
  return findKnownModel(model)?.alwaysReasons ?? true;
}

interface KnownModel {
  name: string;
  maxInputTokens: number;
  maxOutputTokens: number;
  supportsThinking: boolean;
}

const known = (
  name: string,
  maxInputTokens: number,
  maxOutputTokens: number,
  supportsThinking = false,
): KnownModel => ({ name, maxInputTokens, maxOutputTokens, supportsThinking });

/** OpenAI's chat models, with the limits that its model pages state. */
export const knownModels: Readonly<Record<string, KnownModel>> = {
  'gpt-4o-mini': known('GPT-4o mini', 128_000, 16_384),
  'gpt-4o': known('GPT-4o', 128_000, 16_384),
  'gpt-4.1-nano': known('GPT-4.1 nano', 1_047_576, 32_768),
  'gpt-4.1-mini': known('GPT-4.1 mini', 1_047_576, 32_768),
  'gpt-4.1': known('GPT-4.1', 1_047_576, 32_768),
  'gpt-5-nano': known('GPT-5 nano', 272_000, 128_000, true),
  'gpt-5-mini': known('GPT-5 mini', 272_000, 128_000, true),
  'gpt-5': known('GPT-5', 272_000, 128_000, true),
  'o3-mini': known('o3-mini', 200_000, 100_000, true),
  'o4-mini': known('o4-mini', 200_000, 100_000, true),
  o3: known('o3', 200_000, 100_000, true),
};

/** Returns the name without the date of a snapshot: `gpt-4o-2024-08-06` becomes `gpt-4o`. */
export function modelFamily(model: string): string {
  return model.replace(/-\d{4}-\d{2}-\d{2}$/, '');
}

export function knownModel(model: string): KnownModel | undefined {
  const family = modelFamily(model);
  return Object.hasOwn(knownModels, family) ? knownModels[family] : undefined;
}

/** Returns whether the model always reasons before it answers. */
export function supportsThinking(model: string): boolean {
  return knownModel(model)?.supportsThinking ?? false;
}

/** Returns whether the model accepts a thinking parameter. For an unknown model, the bot's owner decides. */
export function takesThinking(model: string): boolean {
  return knownModel(model)?.supportsThinking ?? true;
}

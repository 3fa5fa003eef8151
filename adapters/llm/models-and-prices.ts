import type { PriceTable, Settings } from '../../core/settings/settings.ts';
import { EXTRACTIVE_MODEL } from '../../core/answers/extractive-model.ts';
import { findKnownModel, knownModels, parseModelFamily } from './known-models.ts';

/** A language model that a bot can use. Its limits are null if unknown. */
export interface ModelDescriptor {
  id: string;
  provider: 'platform' | 'byok';
  name: string;
  max_input_tokens: number | null;
  max_output_tokens: number | null;
  supports_thinking: boolean;
}

type ModelSettings = Pick<Settings, 'modelBaseUrl' | 'modelName' | 'modelPrices'>;

/**
 * Lists the language models that owners can select for a bot, the default model first. Bots with a custom
 * endpoint name their model themselves.
 */
export function listModels(settings: ModelSettings): ModelDescriptor[] {
  const platform = settings.modelBaseUrl
    ? [...new Set([settings.modelName, ...Object.keys(parsePrices(settings.modelPrices))])]
    : [EXTRACTIVE_MODEL];
  return [
    ...platform.map((id) => toModelDescriptor(id, 'platform')),
    ...Object.keys(knownModels).map((id) => toModelDescriptor(id, 'byok')),
  ];
}

function toModelDescriptor(id: string, provider: ModelDescriptor['provider']): ModelDescriptor {
  const knownModel = findKnownModel(id);
  return {
    id,
    provider,
    name: id === EXTRACTIVE_MODEL ? 'Quotes from your documents' : (knownModel?.name ?? id),
    max_input_tokens: knownModel?.maxInputTokens ?? null,
    max_output_tokens: knownModel?.maxOutputTokens ?? null,
    supports_thinking: knownModel?.alwaysReasons ?? false,
  };
}

/** Parses the price table of language models from the settings, which were validated at startup. */
export function parsePrices(modelPrices: string): PriceTable {
  return JSON.parse(modelPrices) as PriceTable;
}

/** Number of units per US dollar to which prices are rounded, as in stored sums and rows. */
const PRICE_UNITS = 1e8;

/**
 * Returns the price of one model answer in US dollars. Null if the token counts or the price are unknown.
 * Dated snapshots cost the same as their model family.
 */
export function computeAnswerPrice(
  model: string,
  inputTokens: number | null,
  outputTokens: number | null,
  prices: PriceTable,
): number | null {
  const name = [model, parseModelFamily(model)].find((candidate) => Object.hasOwn(prices, candidate));
  const price = name === undefined ? undefined : prices[name];
  if (!price || inputTokens === null || outputTokens === null) return null;
  return (
    Math.round(((inputTokens * price.input + outputTokens * price.output) / 1_000_000) * PRICE_UNITS) /
    PRICE_UNITS
  );
}

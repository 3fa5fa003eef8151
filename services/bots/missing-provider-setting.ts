import { missingSettings } from '../../adapters/llm/model-factory.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';

export type ProviderColumns = Pick<Bot, 'llmProvider' | 'sealedApiKey' | 'customEndpointConfig'>;

/**
 * Returns the text for a bot's `last_error` if the bot lacks a setting that its model provider requires. Null
 * if nothing is missing. Such a bot can be saved, because callers may set the fields one after another.
 */
export function describeMissingSetting(bot: Partial<ProviderColumns>): string | null {
  if (bot.llmProvider === 'byok' && !bot.sealedApiKey) return missingSettings.byok;
  if (bot.llmProvider === 'custom' && !bot.customEndpointConfig) return missingSettings.custom;
  return null;
}

/**
 * Returns the change of a bot's `lastError` when the settings of its model provider become incomplete or
 * complete.
 */
export function reportMissingSetting(
  before: ProviderColumns,
  changes: Partial<Bot>,
): Pick<Partial<Bot>, 'lastError'> {
  const missing = describeMissingSetting({ ...before, ...changes });
  if (missing !== null) return { lastError: missing };
  return describeMissingSetting(before) === null ? {} : { lastError: null };
}

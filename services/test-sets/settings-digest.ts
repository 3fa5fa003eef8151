import { shortDigest } from '../../core/short-digest.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';

/** Settings of a bot that its answers depend on. */
const settings = [
  'llmProvider',
  'model',
  'customEndpointConfig',
  'systemPrompt',
  'temperature',
  'maxTokens',
  'thinkingEnabled',
  'thinkingBudgetTokens',
  'fallbackMessage',
  'strictKbMode',
  'language',
  'handoffEnabled',
  'handoffConfig',
  'directoryConfig',
] as const satisfies (keyof Bot)[];

/**
 * Returns a digest of the settings that answers depend on. Configurations with the same digest give the same
 * answers.
 */
export function digestSettings(bot: Bot): string {
  const values = settings.map((name) => bot[name] ?? null);
  return shortDigest(JSON.stringify(values, sortKeys));
}

/** Sorts the keys of an object: PostgreSQL does not keep their order. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

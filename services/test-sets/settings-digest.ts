import { listIncludedNames } from '../../core/included-names.ts';
import { computeShortDigest } from '../../core/short-digest.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';

/**
 * True for the columns of a bot on which its answers depend. Stored digests depend on the order of these
 * columns.
 */
const affectsAnswers = {
  llmProvider: true,
  model: true,
  customEndpointConfig: true,
  systemPrompt: true,
  temperature: true,
  maxTokens: true,
  thinkingEnabled: true,
  thinkingBudgetTokens: true,
  fallbackMessage: true,
  strictKbMode: true,
  language: true,
  handoffEnabled: true,
  handoffConfig: true,
  directoryConfig: true,
  id: false,
  orgId: false,
  name: false,
  description: false,
  status: false,
  publicKey: false,
  sealedApiKey: false,
  sealedAuthHeaderValue: false,
  welcomeMessage: false,
  starterQuestions: false,
  leadCaptureConfig: false,
  contactFieldsConfig: false,
  widgetTheme: false,
  allowedDomains: false,
  isPublic: false,
  rateLimitPerMinute: false,
  monthlyMessageCap: false,
  identitySecretVersion: false,
  formerIdentitySecretUntil: false,
  lastError: false,
  totalConversations: false,
  totalMessages: false,
  indexedChunkCount: false,
  activeFlowCount: false,
  createdAt: false,
  updatedAt: false,
  deletedAt: false,
} as const satisfies Record<keyof Bot, boolean>;
const settings = listIncludedNames(affectsAnswers);

/**
 * Returns a digest of the bot's settings on which its answers depend. Configurations with the same digest
 * give the same answers.
 */
export function digestSettings(bot: Bot): string {
  const values = settings.map((name) => bot[name] ?? null);
  return computeShortDigest(JSON.stringify(values, sortKeys));
}

/** Sorts the keys of an object before it is digested: PostgreSQL does not keep their order. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

import { listKeys, type BotDraft } from '../fields/bot-draft.ts';
import type { SectionId } from './sections.ts';

const appearanceFields = ['welcome_message', 'starter_questions'];
const deployFields = [
  'is_public',
  'isLimitedToDomains',
  'allowed_domains',
  'rate_limit_per_minute',
  'monthly_message_cap',
];

/** Returns the section of the bot studio that has the input of a field. */
export function findFieldSection(name: string): SectionId {
  if (name.startsWith('theme_') || appearanceFields.includes(name)) return 'appearance';
  if (name.startsWith('handoff_')) return 'handoff';
  if (name.startsWith('lead_') || name === 'captured_fields') return 'leads';
  if (name.startsWith('directory_')) return 'directory';
  return deployFields.includes(name) ? 'deploy' : 'instructions';
}

/** Lists the bot fields whose inputs a section of the bot studio shows with the given values. */
export function listShownFields(section: SectionId, draft: BotDraft): (keyof BotDraft)[] {
  return listKeys(draft).filter(
    (name) =>
      findFieldSection(name) === section &&
      (draft.handoff_enabled || !name.startsWith('handoff_')) &&
      (draft.lead_enabled || !name.startsWith('lead_')) &&
      (draft.llm_provider === 'byok' || name !== 'api_key') &&
      (draft.llm_provider === 'custom' || !name.startsWith('endpoint_')) &&
      !/^theme_(from|to|angle|light|dark)/.test(name),
  );
}

/**
 * Labels of inputs in the bot studio by name of the field in the API's error, for errors in other sections.
 */
export const fieldLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  system_prompt: 'Prompt',
  fallback_message: 'Fallback message',
  model: 'Model',
  api_key: 'API key',
  temperature: 'Temperature',
  max_tokens: 'Max response length',
  thinking_budget_tokens: 'Thinking budget',
  welcome_message: 'Welcome message',
  starter_questions: 'Starter questions',
  allowed_domains: 'Allowed domains',
  rate_limit_per_minute: 'Rate limit',
  monthly_message_cap: 'Monthly response limit',
};

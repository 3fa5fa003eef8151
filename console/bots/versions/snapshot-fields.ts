import type { BotUpdate } from '../../client/types.ts';

/** Labels of the bot's fields that a snapshot contains. TypeScript reports a missing field. */
export const snapshotFields: Record<
  Exclude<keyof BotUpdate, 'status' | 'api_key' | 'rotate_identity_secret'>,
  string
> = {
  name: 'Name',
  description: 'Description',
  system_prompt: 'Prompt',
  welcome_message: 'Welcome message',
  starter_questions: 'Starter questions',
  fallback_message: 'Fallback message',
  strict_kb_mode: 'Only answer from knowledge',
  language: 'Language',
  llm_provider: 'Provider',
  model: 'Model',
  temperature: 'Temperature',
  max_tokens: 'Max response length',
  thinking_enabled: 'Think before answering',
  thinking_budget_tokens: 'Thinking budget',
  custom_endpoint_config: 'Custom endpoint',
  handoff_enabled: 'Allow handoff to a human',
  handoff_config: 'Handoff',
  lead_capture_config: 'Lead form',
  contact_fields_config: 'Auto-captured fields',
  directory_config: 'Directory',
  widget_theme: 'Appearance',
  allowed_domains: 'Allowed domains',
  is_public: 'Publicly available',
  rate_limit_per_minute: 'Rate limit',
  monthly_message_cap: 'Monthly response limit',
};

/** Labels of keys within a bot's field, where the label differs from the key. */
export const partNames: Readonly<Record<string, string>> = {
  waiting_message: 'Waiting message',
  closed_message: 'Out-of-office message',
  accepts_when_closed: 'Accept requests outside business hours',
  notify: 'Notify by email',
  endpoint_url: 'Endpoint URL',
  auth_header_name: 'Auth header',
  avatar_url: 'Avatar',
  primary_color: 'Brand color',
  from_color: 'From',
  to_color: 'To',
  trigger: 'Show form',
  trigger_value: 'Visitor messages',
  intro: 'Form description',
  key: 'Key',
  required: 'Required',
};

/** Keys in a bot's snapshot that say whether a secret is set, since snapshots do not include the secret. */
export const secretFlags: ReadonlySet<string> = new Set(['has_auth_header_value']);

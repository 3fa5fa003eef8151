import type { BotUpdate } from '../../client/types.ts';

/** Labels of the bot's fields that a snapshot contains. TypeScript reports a missing field. */
export const snapshotFields: Record<
  Exclude<keyof BotUpdate, 'status' | 'api_key' | 'rotate_identity_secret'>,
  string
> = {
  name: 'Name',
  description: 'Description',
  system_prompt: 'Prompt',
  welcome_message: 'Welcome',
  starter_questions: 'Starter questions',
  fallback_message: 'When the documents have no answer',
  strict_kb_mode: 'Answer from the documents or not at all',
  language: 'Language',
  llm_provider: 'Provider',
  model: 'Model',
  temperature: 'Temperature',
  max_tokens: 'Longest answer, in tokens',
  thinking_enabled: 'Thinking',
  thinking_budget_tokens: 'Tokens to think with',
  custom_endpoint_config: 'Endpoint',
  handoff_enabled: 'Visitors can ask for a person',
  handoff_config: 'Handoff',
  lead_capture_config: 'Contact details',
  contact_fields_config: 'Noted from conversations',
  directory_config: 'Directory',
  widget_theme: 'Looks of the widget',
  allowed_domains: 'Hosts',
  is_public: 'The widget serves the bot',
  rate_limit_per_minute: 'Visitors’ messages a minute',
  monthly_message_cap: 'Answers a month',
};

/** Labels of keys within a field, where the label differs from the key. */
export const partNames: Readonly<Record<string, string>> = {
  waiting_message: 'While a visitor waits',
  closed_message: 'Outside these hours',
  accepts_when_closed: 'Take requests outside these hours',
  notify: 'Who is mailed',
  endpoint_url: 'Address',
  auth_header_name: 'Header with the credential',
  avatar_url: 'Picture',
  primary_color: 'Colour',
  from_color: 'From',
  to_color: 'To',
  trigger: 'When to ask',
  trigger_value: 'After so many messages',
  intro: 'Sentence above the fields',
  key: 'Kept as',
  required: 'Needed',
};

/** Keys that say whether a secret is set, since snapshots do not include the secret. */
export const secretFlags: ReadonlySet<string> = new Set(['has_auth_header_value']);

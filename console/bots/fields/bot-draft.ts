import { findChangedFields } from '../../client/find-changed-fields.ts';
import type { HandoffConfig } from '../../../core/conversations/handoff-config.ts';
import type { Bot, BotUpdate } from '../../client/types.ts';
import { flag, lines, number, optionalNumber, optionalText, text } from './form-field.ts';
import { toHandoffConfig, toHandoffDraft, type HandoffDraft } from './handoff-draft.ts';
import { toDirectoryConfig, toDirectoryDraft, type DirectoryDraft } from './directory-draft.ts';
import { toCapturedConfig, toLeadConfig, toLeadDraft, type LeadDraft } from './lead-draft.ts';
import { toProviderConfig, toProviderDraft, type ProviderDraft } from './provider-draft.ts';
import { findThemeChanges, toThemeDraft, type ThemeDraft } from './theme-draft.ts';

/** Fields of a bot with one form input each, with the conversions between stored and form values. */
const formFields = {
  name: text,
  description: optionalText,
  model: optionalText,
  system_prompt: text,
  welcome_message: optionalText,
  starter_questions: lines,
  fallback_message: optionalText,
  strict_kb_mode: flag,
  language: text,
  temperature: number,
  max_tokens: number,
  thinking_enabled: flag,
  thinking_budget_tokens: number,
  handoff_enabled: flag,
  is_public: flag,
  rate_limit_per_minute: number,
  monthly_message_cap: optionalNumber,
} as const;

type FormFields = typeof formFields;
type FieldName = keyof FormFields;

/** Fields of a bot with several form inputs each. */
type CompositeField =
  | 'handoff_config'
  | 'lead_capture_config'
  | 'contact_fields_config'
  | 'directory_config'
  | 'allowed_domains'
  | 'widget_theme'
  | 'llm_provider'
  | 'api_key'
  | 'custom_endpoint_config';

/**
 * @public Fields of a bot that the form lacks, with the reason. TypeScript reports a field that is neither in
 * this list nor in the form.
 */
export const notInForm: Record<Exclude<keyof BotUpdate, FieldName | CompositeField>, string> = {
  status: 'The header of the studio has a switch for it.',
  rotate_identity_secret: 'The deploy section has a button for it.',
};

type FormValues = { [N in FieldName]: ReturnType<FormFields[N]['show']> };

/** Values of the form for a bot. Numbers and lists are strings. */
export interface BotDraft
  extends FormValues, HandoffDraft, LeadDraft, ThemeDraft, ProviderDraft, DirectoryDraft {
  isLimitedToDomains: boolean;
  /** Domains that may embed the widget, one per line. */
  allowed_domains: string;
}

export function toBotDraft(bot: Bot): BotDraft {
  const values = Object.fromEntries(
    listKeys(formFields).map((name) => [
      name,
      (formFields[name].show as (value: unknown) => unknown)(bot[name]),
    ]),
  ) as FormValues;
  return {
    ...values,
    ...toHandoffDraft(bot.handoff_config as HandoffConfig | null),
    ...toLeadDraft(
      bot.lead_capture_config as NonNullable<BotUpdate['lead_capture_config']> | null,
      bot.contact_fields_config,
    ),
    ...toProviderDraft(bot),
    ...toDirectoryDraft(bot),
    ...toThemeDraft(bot.widget_theme),
    isLimitedToDomains: bot.allowed_domains !== null,
    allowed_domains: lines.show(bot.allowed_domains ?? []),
  };
}

/** Names of bot fields in API requests whose form inputs have other names. */
const requestFields: Partial<Record<keyof BotDraft, string>> = {
  handoff_waiting: 'handoff_config.waiting_message',
  handoff_closed: 'handoff_config.closed_message',
  handoff_timezone: 'handoff_config.hours.timezone',
  handoff_hours: 'handoff_config.hours.periods',
  lead_title: 'lead_capture_config.title',
  lead_intro: 'lead_capture_config.intro',
  lead_after: 'lead_capture_config.trigger_value',
  lead_fields: 'lead_capture_config.fields',
  captured_fields: 'contact_fields_config',
  directory_entries: 'directory_config.entries',
  directory_category: 'directory_config.category_label',
  directory_choice: 'directory_config.choice_label',
  endpoint_url: 'custom_endpoint_config.endpoint_url',
  endpoint_header: 'custom_endpoint_config.auth_header_name',
  endpoint_secret: 'custom_endpoint_config.auth_header_value',
  endpoint_model: 'custom_endpoint_config.model',
  endpoint_path: 'custom_endpoint_config.response_path',
  theme_color: 'widget_theme.primary_color',
  theme_from: 'widget_theme.gradient.from_color',
  theme_to: 'widget_theme.gradient.to_color',
  theme_angle: 'widget_theme.gradient.angle',
};

export function toRequestField(name: keyof BotDraft): string {
  return requestFields[name] ?? name;
}

/** Returns the changed fields of the bot as an API request. */
export function findBotChanges(bot: Bot, draft: BotDraft): BotUpdate {
  const stored = toBotDraft(bot);
  const theme = findThemeChanges(stored, draft);
  return {
    ...findChangedFields(toConfiguration(stored, bot), toConfiguration(draft, bot)),
    // Send only changed keys of the widget theme, which the API merges into the stored theme.
    ...(theme && { widget_theme: theme }),
  };
}

/** Converts form values to the fields of the bot, except for its widget theme. */
export function toConfiguration(draft: BotDraft, bot: Bot): BotUpdate {
  const values = Object.fromEntries(
    listKeys(formFields).map((name) => [
      name,
      (formFields[name].read as (values: unknown) => unknown)(draft[name]),
    ]),
  ) as BotUpdate;
  return {
    ...values,
    handoff_config: toHandoffConfig(draft, bot.handoff_config as HandoffConfig | null),
    ...toProviderConfig(draft),
    lead_capture_config: toLeadConfig(draft),
    contact_fields_config: toCapturedConfig(draft),
    directory_config: toDirectoryConfig(draft, bot),
    allowed_domains: draft.isLimitedToDomains ? lines.read(draft.allowed_domains) : null,
  };
}

export function listKeys<T extends object>(fields: T): (keyof T)[] {
  return Object.keys(fields) as (keyof T)[];
}

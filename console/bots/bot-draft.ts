import type { HandoffConfig } from '../../core/conversations/handoff-config.ts';
import type { BotRead, BotUpdate } from '../client/types.ts';
import { handoffConfigOf, handoffDraftOf, type HandoffDraft } from './handoff-draft.ts';
import { leadConfigOf, leadDraftOf, type LeadDraft } from './lead-draft.ts';

/** The configuration as a form holds it: numbers and lists as they are typed. */
export interface BotDraft extends HandoffDraft, LeadDraft {
  name: string;
  description: string;
  model: string;
  system_prompt: string;
  welcome_message: string;
  /** One a line. */
  starter_questions: string;
  fallback_message: string;
  strict_kb_mode: boolean;
  language: string;
  temperature: string;
  max_tokens: string;
  handoff_enabled: boolean;
  is_public: boolean;
  isLimitedToDomains: boolean;
  /** One a line. */
  allowed_domains: string;
  rate_limit_per_minute: string;
  monthly_message_cap: string;
}

export function draftOf(bot: BotRead): BotDraft {
  return {
    name: bot.name,
    description: bot.description ?? '',
    model: bot.model ?? '',
    system_prompt: bot.system_prompt,
    welcome_message: bot.welcome_message ?? '',
    starter_questions: bot.starter_questions.join('\n'),
    fallback_message: bot.fallback_message ?? '',
    strict_kb_mode: bot.strict_kb_mode,
    language: bot.language,
    temperature: String(bot.temperature),
    max_tokens: String(bot.max_tokens),
    handoff_enabled: bot.handoff_enabled,
    ...handoffDraftOf(bot.handoff_config as HandoffConfig | null),
    ...leadDraftOf(bot.lead_capture_config as BotUpdate['lead_capture_config'] & object),
    is_public: bot.is_public,
    isLimitedToDomains: bot.allowed_domains !== null,
    allowed_domains: bot.allowed_domains?.join('\n') ?? '',
    rate_limit_per_minute: String(bot.rate_limit_per_minute),
    monthly_message_cap: bot.monthly_message_cap === null ? '' : String(bot.monthly_message_cap),
  };
}

/** What differs from the bot as it is stored. */
export function changesOf(bot: BotRead, draft: BotDraft): BotUpdate {
  const before = configurationOf(draftOf(bot));
  const changed = Object.entries(configurationOf(draft)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof BotUpdate]),
  );
  return Object.fromEntries(changed);
}

function configurationOf({ isLimitedToDomains, ...whole }: BotDraft): BotUpdate {
  const {
    handoff_waiting: _waiting,
    handoff_closed: _closed,
    handoff_timezone: _timezone,
    handoff_hours: _hours,
    handoff_accepts: _accepts,
    handoff_notify: _notify,
    lead_enabled: _enabled,
    lead_title: _title,
    lead_intro: _intro,
    lead_trigger: _trigger,
    lead_after: _after,
    lead_fields: _fields,
    ...draft
  } = whole;
  return {
    ...draft,
    handoff_config: handoffConfigOf(whole),
    lead_capture_config: leadConfigOf(whole),
    description: draft.description || null,
    model: draft.model || null,
    welcome_message: draft.welcome_message || null,
    starter_questions: linesOf(draft.starter_questions),
    fallback_message: draft.fallback_message || null,
    temperature: Number(draft.temperature),
    max_tokens: Number(draft.max_tokens),
    allowed_domains: isLimitedToDomains ? linesOf(draft.allowed_domains) : null,
    rate_limit_per_minute: Number(draft.rate_limit_per_minute),
    monthly_message_cap: draft.monthly_message_cap === '' ? null : Number(draft.monthly_message_cap),
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

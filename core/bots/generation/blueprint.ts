import type { SiteColors } from './site-theme.ts';

/** Data that a user enters to generate a bot. */
export interface GenerationInput {
  description: string;
  websiteUrl: string | null;
}

/** A person or place that a website describes in its JSON-LD, with the page about it. */
interface SiteEntry {
  name: string;
  category: string;
  link: string;
}

/** Data that Parley read from a business's website to generate a bot. None of it can be trusted. */
export interface SiteDigest {
  host: string;
  pages: { url: string; title: string; text: string }[];
  /** Possible names of the business whose website was read, most likely first. */
  names: string[];
  /** ISO 639-1 code of the language that the pages declare; null if the pages declare no language. */
  language: string | null;
  description: string | null;
  /** Labels in the navigation of the website, as topics for the bot. */
  topics: string[];
  questions: string[];
  entries: SiteEntry[];
  /** Email addresses in the website's links and JSON-LD. */
  mails: string[];
  phones: string[];
  colors: SiteColors;
}

/** Settings of a bot's lead form, in the API's field names. */
export type LeadForm = {
  enabled: true;
  title: string;
  trigger: 'after_n_messages';
  trigger_value: number;
  fields: { key: string; label: string; type: 'text' | 'email' | 'phone'; required: boolean }[];
};

/** Draft of a bot that rules or a language model have written. Its texts still have to be cleaned. */
export interface DraftParts {
  name: string;
  description: string;
  industry: string;
  /** Language of the draft's texts: an ISO 639-1 code, or `auto` if unknown. */
  language: string;
  role: string;
  tone: string;
  facts: string[];
  rules: string[];
  welcome_message: string;
  fallback_message: string;
  starter_questions: string[];
  suggested_kb_topics: string[];
}

/** Complete configuration of a generated bot, with the names of the API's fields. */
export interface BotBlueprint {
  name: string;
  description: string;
  industry: string;
  system_prompt: string;
  welcome_message: string;
  fallback_message: string;
  language: string;
  starter_questions: string[];
  suggested_kb_topics: string[];
  temperature: number;
  strict_kb_mode: boolean;
  lead_capture_config: LeadForm | null;
  directory_config: Record<string, unknown> | null;
  contact_fields_config: { key: string; label: string; type: 'text' | 'email' | 'phone' }[];
  widget_theme: Record<string, unknown>;
}

/** Maximum lengths of the texts in a bot's draft, which are within the API's limits for a bot. */
export const partLimits = {
  name: 80,
  description: 500,
  industry: 60,
  role: 400,
  tone: 200,
  fact: 400,
  facts: 12,
  rule: 300,
  rules: 8,
  message: 500,
  question: 140,
  questions: 6,
  topic: 80,
  topics: 8,
} as const;

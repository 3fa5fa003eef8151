import type { SiteColours } from './site-theme.ts';

/** The user's request. */
export interface GenerationInput {
  description: string;
  websiteUrl: string | null;
}

/** A person or place that a site names in its JSON-LD, with a page of the site. */
interface SiteEntry {
  name: string;
  category: string;
  link: string;
}

/** Data read from a website; all of it may be untrusted. */
export interface SiteDigest {
  host: string;
  pages: { url: string; title: string; text: string }[];
  /** Candidate names, most likely first. */
  names: string[];
  /** ISO 639-1 code that its pages declare. */
  language: string | null;
  description: string | null;
  /** Labels of its navigation. */
  topics: string[];
  questions: string[];
  entries: SiteEntry[];
  /** Addresses in its links and JSON-LD. */
  mails: string[];
  phones: string[];
  colours: SiteColours;
}

/** The lead form with the API's field names. */
export type LeadForm = {
  enabled: true;
  title: string;
  trigger: 'after_n_messages';
  trigger_value: number;
  fields: { key: string; label: string; type: 'text' | 'email' | 'phone'; required: boolean }[];
};

/** The draft by rules or a model, before it is cleaned and composed. */
export interface DraftParts {
  name: string;
  description: string;
  industry: string;
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

/** The bot with the API's field names. */
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

/** The parts' bounds; each is within those of a bot's configuration. */
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

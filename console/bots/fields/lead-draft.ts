import { normalizeText } from '../../../core/text/normalize-text.ts';
import type { BotUpdate } from '../../client/types.ts';

type LeadConfig = NonNullable<BotUpdate['lead_capture_config']>;
export type LeadField = NonNullable<LeadConfig['fields']>[number];
/** Field of a contact that the model fills from the conversation. */
export type CapturedField = NonNullable<BotUpdate['contact_fields_config']>[number];
export type LeadTrigger = NonNullable<LeadConfig['trigger']>;

/** Form values of a bot's lead form. */
export interface LeadDraft {
  lead_enabled: boolean;
  lead_title: string;
  lead_intro: string;
  lead_trigger: LeadTrigger;
  lead_after: string;
  /** Fields of the lead form as JSON, so that form values can be compared as strings. */
  lead_fields: string;
  /** Fields that the model captures from conversations, as JSON. */
  captured_fields: string;
}

const KEY_LENGTH = 40;

export const commonFields: readonly LeadField[] = [
  { key: 'name', label: 'Name', type: 'text' },
  { key: 'email', label: 'Email', type: 'email', required: true },
];

export function toLeadDraft(config: LeadConfig | null, captured: readonly unknown[]): LeadDraft {
  return {
    lead_enabled: config?.enabled ?? false,
    lead_title: config?.title ?? '',
    lead_intro: config?.intro ?? '',
    lead_trigger: config?.trigger ?? 'after_n_messages',
    lead_after: String(config?.trigger_value ?? 2),
    lead_fields: JSON.stringify(config?.fields ?? []),
    captured_fields: JSON.stringify(captured),
  };
}

/** Converts form values to the bot's lead form; null if the form is disabled and empty. */
export function toLeadConfig(draft: LeadDraft): LeadConfig | null {
  const fields = parseLeadFields(draft);
  const [title, intro] = [draft.lead_title.trim(), draft.lead_intro.trim()];
  if (!draft.lead_enabled && fields.length === 0 && title === '' && intro === '') return null;
  const isCounted = draft.lead_trigger === 'after_n_messages';
  return {
    enabled: draft.lead_enabled,
    title: title || null,
    intro: intro || null,
    trigger: draft.lead_trigger,
    ...(isCounted && { trigger_value: Number(draft.lead_after) }),
    fields: assignKeys(fields),
  };
}

export function parseLeadFields({ lead_fields: fields }: Pick<LeadDraft, 'lead_fields'>): LeadField[] {
  return JSON.parse(fields) as LeadField[];
}

export function parseCapturedFields({
  captured_fields: fields,
}: Pick<LeadDraft, 'captured_fields'>): CapturedField[] {
  return JSON.parse(fields) as CapturedField[];
}

/** Converts form values to the fields that the model captures, without empty options. */
export function toCapturedConfig(draft: Pick<LeadDraft, 'captured_fields'>): CapturedField[] {
  return assignKeys(parseCapturedFields(draft)).map(({ options, ...field }) => ({
    ...field,
    ...(field.type === 'select' && { options: (options ?? []).map((each) => each.trim()).filter(Boolean) }),
  }));
}

/** Assigns a unique key to each field of a lead form without a key, derived from the field's label. */
function assignKeys<F extends { key: string; label: string }>(fields: readonly F[]): F[] {
  const usedKeys = new Set(fields.map(({ key }) => key));
  return fields.map((field) => {
    if (field.key !== '') return field;
    const plain = normalizeText(field.label, 'NFKD', Infinity).toLowerCase();
    const words = plain.replace(/\p{M}/gu, '').replace(/[^a-z0-9]+/g, '_');
    const base = words.replace(/^[^a-z]+|_+$/g, '').slice(0, KEY_LENGTH - 3) || 'field';
    let key = base;
    for (let next = 2; usedKeys.has(key); next += 1) key = `${base}_${next}`;
    usedKeys.add(key);
    return { ...field, key };
  });
}

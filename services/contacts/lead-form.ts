import { isEmailAddress } from '../../core/contacts/email-address.ts';
import { MAX_DETAILS, validationError, type ErrorDetail } from '../../core/errors/errors.ts';
import { describeLineFault, toSingleLine } from '../../core/text/single-line.ts';
import { isVisible } from '../../core/text/visible-text.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import {
  getFieldDetail,
  resolveFieldType,
  getFieldLimit,
  PHONE,
  type FieldValue,
  type TypedField,
} from './field-values.ts';

type LeadField = TypedField & { required: boolean };

/** A bot's form that asks visitors for contact details, from an enabled `lead_capture_config`. */
export type LeadForm = {
  fields: LeadField[];
  trigger: 'before_chat' | 'after_n_messages' | 'manual';
  trigger_value: number | null;
};

/** A lead form as a visitor has filled it in. */
export interface Lead {
  /** All values that the visitor has entered, by the key of the form's field. */
  fields: Record<string, FieldValue>;
  /** All values that the visitor has entered, by the contact field that they fill. */
  details: { name?: string; email?: string; phone?: string; custom_fields: Record<string, FieldValue> };
}

/** Number of the visitor's messages before the lead form appears, if the bot defines no number. */
export const DEFAULT_LEAD_FORM_MESSAGES = 2;

export function getLeadForm({ leadCaptureConfig: config }: Pick<Bot, 'leadCaptureConfig'>): LeadForm | null {
  return config?.['enabled'] === true ? (config as LeadForm) : null;
}

/**
 * Returns the bot's lead form as the widget shows it, with the options of select fields; null if the bot has
 * no form.
 */
export function toShownForm(bot: Bot): (LeadForm & { fields: { options?: string[] }[] }) | null {
  const form = getLeadForm(bot);
  if (!form) return null;
  const fields = form.fields.map((field) => {
    const options = findOptions(bot, field);
    return options ? { ...field, options } : field;
  });
  return { ...form, fields };
}

/**
 * Validates a lead form that a visitor has submitted.
 * @throws AppError `validation_error` with each invalid field
 */
export function readLead(form: LeadForm, bot: Bot, submitted: Record<string, unknown>): Lead {
  const keys = form.fields.map(({ key }) => key);
  const values = new Map(
    keys.flatMap((key) => {
      const value = Object.hasOwn(submitted, key) ? submitted[key] : null;
      return isBlankValue(value) ? [] : [[key, trimIfText(value)] as const];
    }),
  );
  const faults = [
    ...findUnknownKeys(submitted, new Set(keys)).flatMap((key) =>
      toLeadFault(key, 'unknown_key', 'is not a field of the form'),
    ),
    ...form.fields.flatMap((field) => findLeadFaults(field, values.get(field.key), findOptions(bot, field))),
  ];
  if (faults.length === 0 && values.size === 0)
    faults.push({
      field: 'fields',
      in: 'body',
      code: 'required',
      message: 'must contain at least one field of the form',
    });
  if (faults.length > 0) throw validationError(faults);
  return toLead(form.fields, values as Map<string, FieldValue>);
}

/**
 * Returns submitted keys that are not in the lead form. Stops after one key more than an error response can
 * list.
 */
function findUnknownKeys(submitted: Record<string, unknown>, known: ReadonlySet<string>): string[] {
  const unknown: string[] = [];
  for (const key in submitted) {
    if (!known.has(key)) unknown.push(key);
    if (unknown.length > MAX_DETAILS) break;
  }
  return unknown;
}

function isBlankValue(value: unknown): boolean {
  return value === null || (typeof value === 'string' && !isVisible(value));
}

function trimIfText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return describeLineFault(value, { mayBeBlank: true }) === null ? value.trim() : toSingleLine(value);
}

function findLeadFaults(field: LeadField, value: unknown, options: string[] | null): ErrorDetail[] {
  const { key } = field;
  if (value === undefined) return field.required ? toLeadFault(key, 'required', 'is required') : [];
  const kind = resolveFieldType(field);
  if (kind === 'number') return typeof value === 'number' ? [] : toLeadFault(key, 'type', 'must be a number');
  if (typeof value !== 'string') return toLeadFault(key, 'type', 'must be a string');
  if (options && !options.includes(value))
    return toLeadFault(
      key,
      'enum',
      `must be one of ${options.map((option) => JSON.stringify(option)).join(', ')}`,
    );
  const limit = getFieldLimit(field);
  if (value.length > limit) return toLeadFault(key, 'maxLength', `must have at most ${limit} characters`);
  if (kind === 'email' && !isEmailAddress(value))
    return toLeadFault(key, 'format', 'must be an email address such as ada@example.com');
  if (kind === 'phone' && !PHONE.test(value))
    return toLeadFault(key, 'format', 'must be a phone number such as +49 30 901820');
  return [];
}

/**
 * Returns the options of a select field in a lead form; null for other fields. The contact field with the
 * same key defines them.
 */
function findOptions({ contactFieldsConfig }: Bot, { key, type }: LeadField): string[] | null {
  if (type !== 'select') return null;
  const definition = contactFieldsConfig.find((field) => field['key'] === key);
  const options = definition?.['options'];
  return Array.isArray(options) && options.length > 0 ? options.map(String) : null;
}

function toLead(form: LeadField[], values: ReadonlyMap<string, FieldValue>): Lead {
  const details: Lead['details'] = { custom_fields: {} };
  for (const field of form) {
    const value = values.get(field.key);
    if (value === undefined) continue;
    const detail = getFieldDetail(field, form);
    if (detail) details[detail] = String(value);
    else details.custom_fields[field.key] = value;
  }
  return { fields: Object.fromEntries(values), details };
}

function toLeadFault(key: string, code: string, message: string): ErrorDetail[] {
  return [{ field: `fields.${key}`, path: ['fields', key], in: 'body', code, message }];
}

import { isEmailAddress } from '../../../core/contacts/email-address.ts';
import { toSingleLine } from '../../../core/text/single-line.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import { findEmails, findLastDetails, findNumbers } from '../../contacts/details-in-text.ts';
import {
  getFieldDetail,
  resolveFieldType,
  getFieldLimit,
  PHONE,
  type FieldValue,
  type TypedField,
} from '../../contacts/field-values.ts';
import type { LearnedContact } from '../../contacts/learn-contact.ts';

/** A contact field from a bot's `contact_fields_config`, which the enrichment of conversations fills. */
export type ContactField = TypedField & { label: string; options: string[] | null };

export type FieldValues = Record<string, FieldValue>;

/**
 * Maximum difference in digits between two forms of the same phone number, since one form may lack the
 * country prefix.
 */
const PREFIX_DIGITS = 3;
const MIN_DIGITS = 5;

export function getContactFields({ contactFieldsConfig }: Pick<Bot, 'contactFieldsConfig'>): ContactField[] {
  return contactFieldsConfig as ContactField[];
}

/**
 * Returns the model's values that belong to configured contact fields and have the right type. Email
 * addresses and phone numbers must occur in the visitor's messages: the model may have invented any other
 * value, or read it in a document.
 * @param visitorText text of the visitor's messages
 */
export function pickFittingValues(
  fields: ContactField[],
  values: Record<string, unknown>,
  visitorText: string,
): FieldValues {
  const writtenDetails = new WrittenContactDetails(visitorText);
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = Object.hasOwn(values, field.key)
        ? toFieldValue(field, values[field.key], writtenDetails)
        : undefined;
      return value === undefined ? [] : [[field.key, value]];
    }),
  );
}

/**
 * Fills contact fields without a model: finds email addresses and phone numbers in the texts by their
 * patterns.
 */
export function extractByPattern(fields: ContactField[], texts: string[]): FieldValues {
  const details = findLastDetails(texts);
  return Object.fromEntries(
    fields.flatMap((field) => {
      const detail = getFieldDetail(field, fields);
      const value = detail === 'email' || detail === 'phone' ? details[detail] : undefined;
      return value === undefined ? [] : [[field.key, value]];
    }),
  );
}

/**
 * Splits the values of contact fields into contact details (name, email address, phone number) and custom
 * fields.
 */
export function toLearnedContact(fields: ContactField[], values: FieldValues): LearnedContact {
  const learned: LearnedContact = { details: {}, customFields: {} };
  for (const field of fields) {
    const value = values[field.key];
    if (value === undefined) continue;
    const detail = getFieldDetail(field, fields);
    if (detail) learned.details[detail] = String(value);
    else learned.customFields[field.key] = value;
  }
  return learned;
}

function toFieldValue(
  field: ContactField,
  value: unknown,
  written: WrittenContactDetails,
): FieldValue | undefined {
  const kind = resolveFieldType(field);
  if (kind === 'number') return parseNumberValue(value);
  if (typeof value !== 'string') return undefined;
  const text = toSingleLine(value);
  if (text === '' || text.length > getFieldLimit(field)) return undefined;
  if (kind === 'email') return isEmailAddress(text) && written.hasEmail(text) ? text : undefined;
  if (kind === 'phone') return PHONE.test(text) && written.hasNumber(text) ? text : undefined;
  if (kind === 'select' && field.options?.length)
    return field.options.find((option) => option.toLowerCase() === text.toLowerCase());
  return text;
}

function parseNumberValue(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Email addresses and phone numbers in the visitor's messages, extracted once and used for all fields. */
class WrittenContactDetails {
  readonly #visitorText: string;
  #emails: Set<string> | undefined;
  #numbers: Set<string> | undefined;

  constructor(visitorText: string) {
    this.#visitorText = visitorText;
  }

  hasEmail(email: string): boolean {
    this.#emails ??= new Set(findEmails(this.#visitorText).map((each) => each.toLowerCase()));
    return this.#emails.has(email.toLowerCase());
  }

  /**
   * Returns true if the visitor has written this phone number. Compares digits only; one form may lack the
   * country prefix.
   */
  hasNumber(phone: string): boolean {
    this.#numbers ??= new Set(findNumbers(this.#visitorText).map(normalizeDigits));
    const digits = normalizeDigits(phone);
    for (const each of this.#numbers) {
      const [short, long] = digits.length < each.length ? [digits, each] : [each, digits];
      const added = long.length - short.length;
      if (short.length >= MIN_DIGITS && added <= PREFIX_DIGITS && long.endsWith(short)) return true;
    }
    return false;
  }
}

/**
 * Returns the digits of a phone number without leading zeros: such zeros begin or replace a country prefix.
 */
function normalizeDigits(phone: string): string {
  return phone.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '');
}

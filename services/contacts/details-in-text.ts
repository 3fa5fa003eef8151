import { contactLimits } from '../../core/contacts/contact-details.ts';
import { isEmailAddress } from '../../core/contacts/email-address.ts';
import { PHONE } from './field-values.ts';

/**
 * Matches a URL. URLs are removed from a text first, since their digits and `@` signs look like contact
 * details.
 */
const LINK = /\bhttps?:\/\/\S+/gi;

/**
 * Matches an email address. The pattern starts at the `@` and finds the local part by a lookbehind, because a
 * pattern that starts at every letter would be slow.
 */
const EMAIL =
  /@(?<=(?<![\p{L}\p{N}._%+@/-])([\p{L}\p{N}._%+-]{1,64})@)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,7}\.\p{L}{2,24}(?![\p{L}\p{N}@-])/gu;

/** Matches digits with separators, as in a phone number. */
const DIGITS = /(?=[+(\d])(?<![\p{L}\p{N}#@.,/-])(?:\+|\()?\d[\d ()./-]{5,30}\d(?![\p{L}\p{N}]|\s?[%€$£])/gu;

/** Matches five digits or more with at most three separators in a row. */
const NUMBER = /(?=[+(\d])(?<![\p{L}\p{N}@])[+(]?\d(?:[ ()./-]{0,3}\d){4,20}(?![\p{L}\p{N}@])/gu;

/** Matches numbers in the form of a phone number: with a country or trunk prefix, or like 555-123-4567. */
const DIALLED = /^(?:\+|\(?0[\d) /-]|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}$)/u;
const CALL_WORD =
  /(?:phone|tel|telephone|mobile|cell|call(?: me)?(?: at| on)?|whatsapp|telefon|handy|mobil|rufnummer|téléphone|portable|teléfono|móvil|telefono|cellulare)(?:\s*(?:number|nummer|is|ist|no|nr))?\s*[:.]?\s*$/iu;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?:\s|$)/u;
const DIGIT_COUNT = { min: 7, max: 15 };
const WORD_BEFORE_CHARS = 40;

export interface ContactDetails {
  email?: string;
  phone?: string;
}

/** Finds the first email address and the first phone number in a text. */
export function findDetails(text: string): ContactDetails {
  const [email] = findEmails(text);
  const phone = findPhone(maskEmails(text.replace(LINK, ' '), ' '));
  return { ...(email !== undefined && { email }), ...(phone !== undefined && { phone }) };
}

/** Returns all email addresses in a text. */
export function findEmails(text: string): string[] {
  return [...text.replace(LINK, ' ').matchAll(EMAIL)]
    .map(([domain, local]) => `${local}${domain}`)
    .filter((email) => isContactEmail(email));
}

/**
 * Returns everything in a text that may be a phone number. For callers that compare it with a known number.
 */
export function findNumbers(text: string): string[] {
  return text.replace(LINK, ' ').match(NUMBER) ?? [];
}

/**
 * Finds contact details in several texts. If several texts contain the same kind of detail, the detail in the
 * last text counts.
 */
export function findLastDetails(texts: string[]): ContactDetails {
  return texts.reduce<ContactDetails>((details, text) => ({ ...details, ...findDetails(text) }), {});
}

/** Replaces email addresses and phone numbers in a text by an ellipsis. */
export function maskDetails(text: string): string {
  return maskEmails(text, '…').replace(DIGITS, (number, offset: number, whole: string) =>
    isPhoneNumber(number, whole.slice(0, offset)) ? '…' : number,
  );
}

function maskEmails(text: string, replacement: string): string {
  let masked = '';
  let from = 0;
  for (const { 0: domain, 1: local, index } of text.matchAll(EMAIL)) {
    masked += text.slice(from, index - (local?.length ?? 0)) + replacement;
    from = index + domain.length;
  }
  return masked + text.slice(from);
}

function isContactEmail(email: string): boolean {
  return email.length <= contactLimits.email && isEmailAddress(email);
}

function findPhone(text: string): string | undefined {
  for (const match of text.matchAll(DIGITS))
    if (isPhoneNumber(match[0], text.slice(0, match.index))) return match[0].replace(/\s+/g, ' ');
  return undefined;
}

function isPhoneNumber(number: string, before: string): boolean {
  const digits = number.replace(/\D/g, '').length;
  if (digits < DIGIT_COUNT.min || digits > DIGIT_COUNT.max || DATE.test(number)) return false;
  if (!PHONE.test(number)) return false;
  return DIALLED.test(number) || CALL_WORD.test(before.slice(-WORD_BEFORE_CHARS));
}

import { contactLimits, PHONE_PATTERN } from '../../contacts/contact-details.ts';
import { isEmailAddress } from '../../contacts/email-address.ts';
import { runBounds } from '../flow-graph.ts';
import type { questionInputKinds } from '../node-type.ts';

const PHONE = new RegExp(PHONE_PATTERN);
const NUMERAL = /^[+-]?\d{1,15}([.,]\d{1,10})?$/;
const ISO_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const DOTTED_DATE = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;

interface AnswerFormat {
  input: (typeof questionInputKinds)[number];
  min?: number;
  max?: number;
}

/** Validates and normalizes a visitor's typed answer to a question. Returns null if the answer is invalid. */
export function normalizeTypedAnswer(
  { input, min = -Infinity, max = Infinity }: AnswerFormat,
  typed: string,
): string | number | null {
  const text = typed.trim();
  switch (input) {
    case 'email':
      return text.length <= contactLimits.email && isEmailAddress(text) ? text : null;
    case 'phone':
      return PHONE.test(text) ? text : null;
    case 'number': {
      const number = NUMERAL.test(text) ? Number(text.replace(',', '.')) : NaN;
      return number >= min && number <= max ? number : null;
    }
    case 'date':
      return parseDate(text);
    case 'choice':
    case 'text': {
      const { length } = [...text];
      return length > 0 && length >= min && length <= Math.min(max, runBounds.variableLength) ? text : null;
    }
  }
}

/** Parses a date such as `2026-03-01` or `1.3.2026` to the form `2026-03-01`. */
function parseDate(text: string): string | null {
  const [, isoYear, isoMonth, isoDay] = ISO_DATE.exec(text) ?? [];
  const [, day = isoDay, month = isoMonth, year = isoYear] = DOTTED_DATE.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : null;
}

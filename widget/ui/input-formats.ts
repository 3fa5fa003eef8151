import type { InputRequest } from '../session/api-client.ts';
import type { Texts } from '../texts.ts';

/** Format of an input, and its field. */
export interface InputFormat {
  /** Attributes of the field, which choose the keyboard or picker and the autofill. */
  attributes: Record<string, string>;
  /** Rough check of the format; the API validates the value. */
  pattern: RegExp;
  /** Text for values that do not match. */
  problem: keyof Texts;
}

export const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const INPUT_FORMATS: Partial<Record<InputRequest['kind'], InputFormat>> = {
  email: {
    attributes: { type: 'email', autocomplete: 'email' },
    pattern: EMAIL_PATTERN,
    problem: 'invalidEmail',
  },
  phone: {
    attributes: { type: 'tel', autocomplete: 'tel' },
    pattern: /^(?=(\D*\d){5})\+?[\d ()./-]{5,32}$/,
    problem: 'invalidPhone',
  },
  // A field of the type `number` would hide invalid values.
  number: {
    attributes: { inputmode: 'decimal' },
    pattern: /^[+-]?\d{1,15}([.,]\d{1,10})?$/,
    problem: 'invalidNumber',
  },
  date: { attributes: { type: 'date' }, pattern: /^\d{4}-/, problem: 'required' },
};

/** Returns null for free text and choices. */
export function findInputFormat(inputRequest: InputRequest | null): InputFormat | null {
  return (inputRequest && INPUT_FORMATS[inputRequest.kind]) ?? null;
}

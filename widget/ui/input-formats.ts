import type { InputRequest } from '../session/api-client.ts';
import type { Texts } from '../texts.ts';

/** How the widget asks for one kind of input in a flow and checks it. */
export interface InputFormat {
  /** HTML attributes of the field for the input. They select the keyboard or picker, and autofill. */
  attributes: Record<string, string>;
  /** Rough check of the visitor's text; the API validates it completely. */
  pattern: RegExp;
  /** Warning for a visitor's text that does not match `pattern`. */
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
  // Use a text field with a numeric keyboard: a field of the type `number` returns no value for an invalid
  // number.
  number: {
    attributes: { inputmode: 'decimal' },
    pattern: /^[+-]?\d{1,15}([.,]\d{1,10})?$/,
    problem: 'invalidNumber',
  },
  date: { attributes: { type: 'date' }, pattern: /^\d{4}-/, problem: 'required' },
};

/** Returns the format of an input that a flow asks for; null for free text and for choices. */
export function findInputFormat(inputRequest: InputRequest | null): InputFormat | null {
  return (inputRequest && INPUT_FORMATS[inputRequest.kind]) ?? null;
}

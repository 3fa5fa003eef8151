import type { AskedInput } from '../session/api-client.ts';
import type { Texts } from '../texts.ts';

/** How an answer of a kind is typed. */
export interface TypedKind {
  /** Of the field: what keyboard or picker it brings up, and what the browser fills in. */
  attributes: Record<string, string>;
  /** What it looks like: the API decides, and takes nothing that does not look so. */
  pattern: RegExp;
  /** Said of what does not. */
  problem: keyof Texts;
}

export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const kinds: Partial<Record<AskedInput['kind'], TypedKind>> = {
  email: { attributes: { type: 'email', autocomplete: 'email' }, pattern: EMAIL, problem: 'invalidEmail' },
  phone: {
    attributes: { type: 'tel', autocomplete: 'tel' },
    pattern: /^(?=(\D*\d){5})\+?[\d ()./-]{5,32}$/,
    problem: 'invalidPhone',
  },
  // A field of the type `number` would swallow what is none.
  number: {
    attributes: { inputmode: 'decimal' },
    pattern: /^[+-]?\d{1,15}([.,]\d{1,10})?$/,
    problem: 'invalidNumber',
  },
  date: { attributes: { type: 'date' }, pattern: /^\d{4}-/, problem: 'required' },
};

/** Null for what is written, or chosen. */
export function typedKindOf(asked: AskedInput | null): TypedKind | null {
  return (asked && kinds[asked.kind]) ?? null;
}

import { toSubscript, toSuperscript } from './office/equation-parts.ts';

/** Position of a text relative to its line: an exponent is raised, an index is lowered. */
export type TextPosition = 'raised' | 'lowered';

/** Number of characters before a raised or lowered text that decide how it is written. */
export const BASE_CHARS = 20;
const MAX_CHARS = 12;
const NUMBER = /^[+\-−–]?\d+[+\-−–]?$|^[+\-−]$/;
const TERM = /^[\p{L}\d+\-−*/().,]+$/u;
const OPERATOR = /[\d+\-−*/]/;
/** Matches letters that are used as exponents, unlike the letters of ordinals such as 2ᵉ, 1ᵒ and 3ʳᵈ. */
const VARIABLE = /^[ijkmnpqrtxyzNT]$/;
/** Matches a number or a single letter, which can have an exponent or an index. */
const SINGLE_TERM = /(?:^|[^\p{L}\p{M}])(?:\p{L}|\p{N}+|[)\]])$/u;
const PRICE = /[$€£¥]\s?\d{1,6}$/;

/**
 * Writes a raised or lowered text so that it does not merge with the text before: `10³`, not `103`. Ordinals
 * such as `1st` and longer texts stay the same.
 * @param before text before the raised text, with at least `BASE_CHARS` characters
 */
export function writePositioned(before: string, text: string, position: TextPosition): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_CHARS || /\s/.test(trimmed)) return text;
  const base = before.slice(-BASE_CHARS);
  const positioned = position === 'raised' ? writeRaised(base, trimmed) : writeLowered(base, trimmed);
  return positioned === trimmed ? text : text.replace(trimmed, () => positioned);
}

function writeRaised(base: string, text: string): string {
  if (NUMBER.test(text)) {
    if (/\d[.,]$/.test(base)) return text;
    return /^\d{2}$/.test(text) && PRICE.test(base) ? `.${text}` : toSuperscript(text.replace('–', '-'));
  }
  const isTerm = VARIABLE.test(text) || (TERM.test(text) && OPERATOR.test(text));
  return isTerm && SINGLE_TERM.test(base) ? toSuperscript(text) : text;
}

function writeLowered(base: string, text: string): string {
  if (NUMBER.test(text)) return /[\p{L}\p{N}\p{No})\]/⁄]$/u.test(base) ? toSubscript(text) : text;
  return TERM.test(text) && SINGLE_TERM.test(base) ? toSubscript(text) : text;
}

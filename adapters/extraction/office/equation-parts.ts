import { normalizeText } from '../../../core/text/normalize-text.ts';

/**
 * Parts of equations as plain text, such as `x²`, `(a+b)/c` and `√2`, which people, search and language
 * models can read.
 */

const RAISED = new Map([...'0123456789+-−=()'].map((plain, index) => [plain, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾'[index]!]));
const LOWERED = new Map([...'0123456789+-−=()'].map((plain, index) => [plain, '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'[index]!]));
/**
 * Letters that have a raised form (superscript) or lowered form (subscript) in fonts. Such forms are used
 * only for individual letters, since words made of them are hard to read.
 */
const RAISED_LETTERS = new Map(
  [...'abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW'].map((plain, index) => [
    plain,
    'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ'[index]!,
  ]),
);
const LOWERED_LETTERS = new Map(
  [...'aehijklmnoprstuvx'].map((plain, index) => [plain, 'ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ'[index]!]),
);
/** Matches exponents that follow their base unchanged: primes, degrees, stars and superscript digits. */
const MARKS = /^[′″‴⁗'°*†‡⁺⁻⁰¹²³⁴-⁹]+$/u;
/** Letters and digits of mathematical fonts, which mean the same as plain letters and digits. */
const FONT_VARIANTS = /[\u{1d400}-\u{1d7ff}\u2102-\u2134]/gu;
/** Maximum number of characters of an equation's term that is examined. Longer terms are put in brackets. */
const MAX_TERM_LENGTH = 1000;
const OPENING = '([{⟨⌈⌊';
const CLOSING = ')]}⟩⌉⌋';

/** Matches operators in a term of an equation, which show that the term has several parts. */
const OPERATORS = /[+\-−±×÷·*/=<>≤≥√^_]|\S\s+\S/u;

export const raise = (base: string, exponent: string) => bracketTerm(base) + toSuperscript(exponent);
export const lower = (base: string, index: string) => bracketTerm(base) + toSubscript(index);

export function toSuperscript(exponent: string): string {
  if (exponent.length > MAX_TERM_LENGTH) return `^(${exponent})`;
  if (!exponent || MARKS.test(exponent)) return exponent;
  return mapAll(exponent, RAISED) ?? RAISED_LETTERS.get(exponent) ?? `^${group(exponent)}`;
}

export function toSubscript(index: string): string {
  if (index.length > MAX_TERM_LENGTH) return `_(${index})`;
  if (!index) return '';
  return mapAll(index, LOWERED) ?? LOWERED_LETTERS.get(index) ?? `_${group(index)}`;
}

export function divide(numerator: string, denominator: string): string {
  const isPlain =
    denominator.length <= MAX_TERM_LENGTH && /^(?:[\p{L}\p{M}]+|[\p{N}.,]+!?)$/u.test(denominator);
  return `${group(numerator)}/${isPlain || isBracketed(denominator) ? denominator : `(${denominator})`}`;
}

const ROOT_SIGNS = new Map([
  ['', '√'],
  ['2', '√'],
  ['3', '∛'],
  ['4', '∜'],
]);

export function takeRoot(radicand: string, degree: string): string {
  return `${ROOT_SIGNS.get(degree) ?? `${toSuperscript(degree)}√`}${group(radicand)}`;
}

/** Joins an operator of an equation, such as ∑, with its limits and its operand. */
export function operate(operator: string, from: string, to: string, operand: string): string {
  const limits = `${from && `_${group(from)}`}${to && `^${group(to)}`}`;
  return `${operator}${limits}${operand && ` ${operand}`}`;
}

export function applyFunction(name: string, argument: string): string {
  if (isBracketed(argument) || !name || !argument) return name + argument;
  if (argument.length > MAX_TERM_LENGTH) return `${name}(${argument})`;
  const hasLimit = /[_^]/.test(name);
  return OPERATORS.test(argument) && !hasLimit ? `${name}(${argument})` : `${name} ${argument}`;
}

/** Joins the parts of an equation's term. Separates a raised or lowered letter from a letter after it. */
export function join(parts: readonly string[]): string {
  return parts
    .map((part, index) => {
      const before = parts[index - 1]?.slice(-20) ?? '';
      const isAmbiguous = /[_^][\p{L}\p{N}]+$/u.test(before) && /^[\p{L}\p{N}]/u.test(part);
      return isAmbiguous ? ` ${part}` : part;
    })
    .join('');
}

/**
 * Adds an accent to a single character of an equation. Longer bases stay plain, since accents would make
 * their words unreadable.
 */
export function accent(base: string, mark: string): string {
  return base.length <= 2 && [...base].length === 1 && /^\p{M}$/u.test(mark) ? base + mark : base;
}

/** Renders a matrix as text, with commas between columns and semicolons between rows. */
export const arrange = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.join(', ')).join('; ');

/** Replaces letters of mathematical fonts, such as 𝑥 and ℎ, with plain letters. */
export const plainLetters = (text: string) =>
  text.replace(FONT_VARIANTS, (letter) => normalizeText(letter, 'NFKC', 4));

function group(text: string): string {
  if (text.length > MAX_TERM_LENGTH) return `(${text})`;
  return /^[\p{L}\p{M}\p{N}\p{No}.,′″∞…!%°]*$/u.test(text) || isBracketed(text) ? text : `(${text})`;
}

const bracketTerm = (text: string) =>
  text.length > MAX_TERM_LENGTH || (OPERATORS.test(text) && !isBracketed(text)) ? `(${text})` : text;

/** Returns whether one pair of brackets surrounds the whole text of an equation's term. */
function isBracketed(text: string): boolean {
  if (
    !text ||
    text.length > MAX_TERM_LENGTH ||
    !OPENING.includes(text[0]!) ||
    !CLOSING.includes(text.at(-1)!)
  )
    return false;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    if (OPENING.includes(text[index]!)) depth++;
    else if (CLOSING.includes(text[index]!)) depth--;
    if (depth === 0) return index === text.length - 1;
  }
  return false;
}

function mapAll(text: string, forms: ReadonlyMap<string, string>): string | null {
  const mapped = [...text].map((character) => forms.get(character));
  return mapped.every((character) => character !== undefined) ? mapped.join('') : null;
}

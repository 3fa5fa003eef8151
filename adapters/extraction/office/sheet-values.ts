import { cleanLine } from '../clean-text.ts';

/** How a cell style formats numbers. */
export type NumberStyle =
  { kind: 'number'; pattern: string } | { kind: 'date'; date: boolean; time: boolean; elapsed: boolean };

const DAY_SECONDS = 86_400;
/** Day 0 of Excel's two date systems (1900 and 1904), in days since 1970. */
const EPOCH_1900 = -25_569;
const EPOCH_1904 = -24_107;
/** Number of 29 February 1900 in Excel, a day that never existed. Later days are counted one too high. */
const LEAP_BUG_DAY = 60;
/** Significant digits to show; further ones are rounding errors of binary fractions. */
const DIGITS = 15;

const GENERAL = 'General';
/** Maximum length of a number format in Excel. Parsing longer ones could take hours. */
const MAX_PATTERN_LENGTH = 255;

/** Number formats that files refer to by a fixed id, without a pattern. The general format is omitted. */
const builtIn = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '$#,##0;-$#,##0'],
  [6, '$#,##0;-$#,##0'],
  [7, '$#,##0.00;-$#,##0.00'],
  [8, '$#,##0.00;-$#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(
    (id) => [id, 'yyyy-mm-dd'] as const,
  ),
  ...[18, 19, 20, 21, 32, 33, 45, 47].map((id) => [id, 'h:mm:ss'] as const),
  [22, 'yyyy-mm-dd h:mm'],
  ...[37, 38].map((id) => [id, '#,##0;(#,##0)'] as const),
  ...[39, 40].map((id) => [id, '#,##0.00;(#,##0.00)'] as const),
  ...[41, 42].map((id) => [id, '#,##0'] as const),
  ...[43, 44].map((id) => [id, '#,##0.00'] as const),
  [46, '[h]:mm:ss'],
]);

/**
 * Creates a number style.
 * @param id id of the number format
 * @param patterns patterns that the workbook defines, by id
 */
export function createNumberStyle(id: number, patterns: ReadonlyMap<number, string>): NumberStyle {
  const known = patterns.get(id) ?? builtIn.get(id) ?? GENERAL;
  const pattern = known.length > MAX_PATTERN_LENGTH ? GENERAL : known;
  const symbols = pattern
    .replace(/"[^"]*"|\\.|[_*]./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .replace(/general/gi, '');
  if (!/[dyhmse]/i.test(symbols.replace(/e[+-]/gi, ''))) return { kind: 'number', pattern };
  const time = /[hs]/i.test(symbols);
  return { kind: 'date', time, date: /[dy]/i.test(symbols) || !time, elapsed: /\[[hms]+\]/i.test(symbols) };
}

/** Formats a number as its cell shows it. Dates become ISO 8601, which does not depend on a country. */
export function formatNumber(raw: string, style: NumberStyle | undefined, is1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  if (style?.kind === 'date') return formatDate(value, style, is1904) ?? formatGeneral(value);
  return style ? formatByPattern(value, style.pattern) : formatGeneral(value);
}

function formatDate(
  value: number,
  { date, time, elapsed }: { date: boolean; time: boolean; elapsed: boolean },
  is1904: boolean,
): string | null {
  const seconds = Math.round(value * DAY_SECONDS);
  if (elapsed || !date) return formatClock(elapsed ? seconds : seconds % DAY_SECONDS);
  const day = Math.floor(seconds / DAY_SECONDS);
  const sinceEpoch = day + (is1904 ? EPOCH_1904 : EPOCH_1900 + (day < LEAP_BUG_DAY ? 1 : 0));
  const moment = new Date(sinceEpoch * DAY_SECONDS * 1000);
  if (value < 0 || Number.isNaN(moment.getTime()) || moment.getUTCFullYear() > 9999) return null;
  const rest = seconds % DAY_SECONDS;
  return moment.toISOString().slice(0, 10) + (time && rest > 0 ? ` ${formatClock(rest)}` : '');
}

function formatClock(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return [two(hours), two(minutes), ...(rest > 0 ? [two(rest)] : [])].join(':');
}

function formatGeneral(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)));
}

/** Matches one section of a number format: text, digit placeholders, text. */
const sectionForm = /^([^0#?]*)([0#?,]*(?:\.[0#?]*)?,*)([^0#?]*)$/;

/**
 * Formats a number by an Excel pattern. Ignores patterns for fractions, exponents, conditions and parts of a
 * number.
 */
function formatByPattern(value: number, pattern: string): string {
  const [positive = '', negative, zero] = splitPattern(pattern);
  const hasOwnSign = value < 0 && negative !== undefined;
  const section = hasOwnSign ? negative : value === 0 && zero !== undefined ? zero : positive;
  if (section === '' && pattern.includes(';')) return '';
  const [, before = '', digits = '', after = ''] = sectionForm.exec(section) ?? [];
  if (!/[0#?]/.test(digits) || /general|@|[/<>=]|e[+-]/i.test(section)) {
    return /^[^0#?@/<>=]+$/.test(section) && !/general/i.test(section)
      ? cleanLine(revealLiteral(section))
      : formatGeneral(value);
  }
  const percents = section.split('%').length - 1;
  const thousands = /,+$/.exec(digits)?.[0].length ?? 0;
  const scaled = (Math.abs(value) * 100 ** percents) / 1000 ** thousands;
  if (scaled >= 1e15) return formatGeneral(value);
  const sign = value < 0 && !hasOwnSign ? '-' : '';
  return cleanLine(
    sign + revealLiteral(before) + formatDigits(scaled, digits.replace(/,+$/, '')) + revealLiteral(after),
  );
}

/** First character of the placeholders for literal text, which has no meaning in a pattern. */
const literalBase = 0xe000;

function splitPattern(pattern: string): string[] {
  const kept = pattern
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, (_all, currency: string) => hideLiteral(currency))
    .replace(/"([^"]*)"/g, (_all, text: string) => hideLiteral(text))
    .replace(/\\(.)/g, (_all, text: string) => hideLiteral(text))
    .replace(/_./g, ' ')
    .replace(/\*./g, '')
    .replace(/\[[a-z]+\d*\]/gi, '');
  return kept.split(';');
}

const hideLiteral = (text: string) =>
  text.replace(/[ -~]/g, (character) => String.fromCharCode(literalBase + character.charCodeAt(0)));
const revealLiteral = (text: string) =>
  text.replace(/[\ue000-\ue07f]/g, (character) => String.fromCharCode(character.charCodeAt(0) - literalBase));

function formatDigits(value: number, digits: string): string {
  const [whole = '', fraction = ''] = digits.split('.');
  const least = fraction.replace(/[^0]/g, '').length;
  const fixed = Number(value.toPrecision(DIGITS)).toFixed(Math.min(fraction.length, DIGITS));
  const [integer = '0', decimals = ''] = fixed.split('.');
  const padded = integer.padStart(whole.replace(/[^0]/g, '').length, '0');
  const grouped = whole.includes(',') ? padded.replace(/\B(?=(?:\d{3})+$)/g, ',') : padded;
  const shown = decimals.slice(0, least) + decimals.slice(least).replace(/0+$/, '');
  return shown ? `${grouped}.${shown}` : grouped;
}

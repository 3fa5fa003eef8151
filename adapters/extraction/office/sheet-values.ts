import { format, getFormatDateInfo } from 'numfmt';

/** Way in which a style of Excel cells shows numbers. */
export interface NumberStyle {
  pattern: string;
  /** Parts of a date that the style shows; null for numbers other than dates. */
  date: DateParts | null;
  /** True if the number style also changes texts of cells, by hiding them or adding words. */
  changesText: boolean;
}

interface DateParts {
  year: boolean;
  month: boolean;
  day: boolean;
  /** True if Excel writes the date or the time in the format of the reader's computer. */
  isRegional: boolean;
  hasTime: boolean;
}

const DAY_SECONDS = 86_400;
/**
 * First day of Excel's date system of 1900, in days since 1970. Then the first day of Excel's system of 1904,
 * as a number of the system of 1900.
 */
const EPOCH_1900 = -25_569;
const DAYS_TO_1904 = 1462;
/**
 * Excel's number of 29 February 1900, a day that never existed. The numbers of later days are one too high.
 */
const LEAP_BUG_DAY = 60;
/**
 * Number of significant digits of a cell's value that are shown; further digits are rounding errors of binary
 * fractions.
 */
const DIGITS = 15;

const GENERAL = 'General';
const GENERAL_STYLE: NumberStyle = { pattern: GENERAL, date: null, changesText: false };
/** Maximum number of characters of a number format in Excel. Parsing a longer format could take hours. */
const MAX_PATTERN_LENGTH = 255;
/**
 * Maximum number of number formats of a workbook. With more, none is applied. Excel itself allows 250, and
 * the formatting library caches each format permanently.
 */
const MAX_PATTERNS = 1000;

/** Options of the formatting library: dates after 9999 are numbers. */
const options = { dateSpanLarge: false };

const ACCOUNTING = (symbol: string, digits: string, zero: string) =>
  `_(${symbol}* ${digits}_);_(${symbol}* \\(${digits}\\);_(${symbol}* "-"${zero}_);_(@_)`;

/**
 * Excel's number formats to which files refer by a fixed id, without a pattern. The general format is
 * omitted.
 */
const builtIn = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  ...[5, 6].map((id) => [id, '$#,##0_);\\($#,##0\\)'] as const),
  ...[7, 8].map((id) => [id, '$#,##0.00_);\\($#,##0.00\\)'] as const),
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  ...[37, 38].map((id) => [id, '#,##0_);\\(#,##0\\)'] as const),
  ...[39, 40].map((id) => [id, '#,##0.00_);\\(#,##0.00\\)'] as const),
  [41, ACCOUNTING('', '#,##0', '')],
  [42, ACCOUNTING('$', '#,##0', '')],
  [43, ACCOUNTING('', '#,##0.00', '??')],
  [44, ACCOUNTING('$', '#,##0.00', '??')],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
]);

/** Excel's formats of dates and times with fixed ids, which look different in each country. */
const regional = new Map<number, DateParts>([
  ...[14, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(
    (id) => [id, { year: true, month: true, day: true, isRegional: true, hasTime: false }] as const,
  ),
  [22, { year: true, month: true, day: true, isRegional: true, hasTime: true }],
  ...[32, 33].map(
    (id) => [id, { year: false, month: false, day: false, isRegional: true, hasTime: true }] as const,
  ),
]);

/**
 * Creates the number style of an Excel cell style.
 * @param id id of the number format
 * @param patterns patterns that the workbook defines, by id
 */
export function createNumberStyle(id: number, patterns: ReadonlyMap<number, string>): NumberStyle {
  const customPattern = patterns.get(id);
  const fixed = customPattern === undefined ? regional.get(id) : undefined;
  if (fixed) return { pattern: GENERAL, date: fixed, changesText: false };
  const pattern = customPattern ?? builtIn.get(id) ?? GENERAL;
  const isTooLong = pattern.length > MAX_PATTERN_LENGTH || patterns.size > MAX_PATTERNS;
  return isTooLong ? GENERAL_STYLE : parsePattern(pattern);
}

function parsePattern(pattern: string): NumberStyle {
  const isRegional = /\[\$-[xX]?[fF](?:400|800)\]/.test(pattern);
  // Remove codes of countries from the pattern. They change names of months and days, but not decimal points,
  // which depend on the computer.
  const withoutRegion = pattern.replace(/\[\$-[xX]?[fF](?:400|800)\]/g, '');
  try {
    const { year, month: hasM, day, hours, minutes, seconds } = getFormatDateInfo(withoutRegion);
    const hasTime = hours || minutes || seconds;
    // The letter `m` in a pattern means minutes only next to a time.
    const month = hasM && (year || day || !hasTime);
    const changesText =
      withoutRegion !== '@' && (withoutRegion.includes('@') || withoutRegion.split(';').length > 3);
    if (year || month || day || hasTime)
      return { pattern: withoutRegion, date: { year, month, day, isRegional, hasTime }, changesText };
    return { pattern: withoutRegion.replace(/\[\$([^\]-]*)-[^\]]*\]/g, quote), date: null, changesText };
  } catch {
    return GENERAL_STYLE;
  }
}

const quote = (_all: string, currency: string) => [...currency].map((character) => `\\${character}`).join('');

/**
 * Formats a number as its Excel cell shows it. Appends ISO 8601 to a date, because ISO 8601 does not depend
 * on a country: `03/04/26 (2026-04-03)`.
 */
export function formatNumber(raw: string, style: NumberStyle | undefined, is1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  if (style?.date) return formatDate(value, style.pattern, style.date, is1904);
  return formatByPattern(value, style?.pattern ?? GENERAL);
}

/** Formats a text as its Excel cell shows it: a pattern such as `;;;` hides the text. */
export function formatText(text: string, style: NumberStyle | undefined): string {
  if (!style?.changesText || !text) return text;
  try {
    return format(style.pattern, text, options);
  } catch {
    return text;
  }
}

function formatDate(value: number, pattern: string, date: DateParts, is1904: boolean): string {
  const hasDate = date.year || date.month || date.day;
  const serial = is1904 && hasDate ? value + DAYS_TO_1904 : value;
  if (date.isRegional && pattern === GENERAL) {
    const iso = hasDate ? toIsoDate(serial) : '';
    const seconds = Math.round(serial * DAY_SECONDS) % DAY_SECONDS;
    if (iso === null) return formatGeneral(value);
    return [iso, date.hasTime && (seconds > 0 || !hasDate) ? formatClock(seconds) : '']
      .filter(Boolean)
      .join(' ');
  }
  const formatted = formatByPattern(serial, pattern);
  const iso = toIsoDate(serial);
  if (!hasDate || iso === null || (date.year && !date.month && !date.day)) return formatted;
  const exact = date.day ? iso : iso.slice(0, 7);
  return formatted.includes(exact) ? formatted : `${formatted} (${exact})`;
}

/** Returns the date of Excel's day number; null before 1900 and after 9999. */
function toIsoDate(serial: number): string | null {
  const day = Math.floor(Math.round(serial * DAY_SECONDS) / DAY_SECONDS);
  const moment = new Date((day + EPOCH_1900 + (day < LEAP_BUG_DAY ? 1 : 0)) * DAY_SECONDS * 1000);
  const isValid =
    serial >= 0 && day !== LEAP_BUG_DAY && !Number.isNaN(moment.getTime()) && moment.getUTCFullYear() <= 9999;
  return isValid ? moment.toISOString().slice(0, 10) : null;
}

function formatClock(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return [two(hours), two(minutes), ...(rest > 0 ? [two(rest)] : [])].join(':');
}

/** Shows all digits of whole numbers, such as article numbers, which Excel rounds to the column's width. */
function formatGeneral(value: number): string {
  const isLong = Number.isInteger(value) && Math.abs(value) < 10 ** DIGITS;
  return isLong ? String(value) : format(GENERAL, Number(value.toPrecision(DIGITS)), options);
}

function formatByPattern(value: number, pattern: string): string {
  if (/^general$/i.test(pattern) || pattern === '@') return formatGeneral(value);
  try {
    const exact = Number(value.toPrecision(DIGITS));
    const formatted = formatMixed(exact, pattern) ?? format(pattern, exact, options);
    return /^#+$/.test(formatted) ? formatGeneral(value) : formatted.replace(/\s+/g, ' ').trim();
  } catch {
    return formatGeneral(value);
  }
}

/** Matches the whole number before a fraction in an Excel pattern such as `# ?/?`. */
const WHOLE = /[#0?]+\s+(?=[#0?]+\/[#0?\d])/;
/**
 * Minimum fraction for which the formatting library makes an error: it rounds the whole number up, and then
 * adds the fraction again.
 */
const ROUNDED_UP = 0.95;

/** Formats a whole number with a large fraction, such as 3 19/20; null for other numbers. */
function formatMixed(value: number, pattern: string): string | null {
  const fraction = Math.abs(value) % 1;
  if (fraction < ROUNDED_UP || !WHOLE.test(pattern)) return null;
  const wholeNumber = Math.trunc(Math.abs(value));
  const formattedFraction = format(pattern.replace(WHOLE, ''), fraction, options).trim();
  const [, over, under] = /(\d+) *\/ *(\d+)/.exec(formattedFraction) ?? [];
  if (over === under) return format(pattern, Math.sign(value) * (wholeNumber + 1), options);
  return `${value < 0 ? '-' : ''}${wholeNumber > 0 ? `${wholeNumber} ` : ''}${formattedFraction}`;
}

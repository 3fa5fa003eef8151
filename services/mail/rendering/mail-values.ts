import { toCurrentZoneName } from '../../../core/current-zone-names.ts';
import { abridge } from '../../../core/text/cut-text.ts';

/** Texts that replace the placeholders of an email template. */
export type MailValues = Record<string, string>;

const MAX_LENGTH = 2000;
const MAX_LINES = 1000;
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
/**
 * Converts the values of an email to lines of text: one line for each value, several lines for a list.
 * Removes characters that could end a header or reverse the reading direction. Leaves the operator's Markdown
 * unchanged.
 */
export function toMailValues(data: object, timeZone = 'UTC'): MailValues {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      key === 'markdown' ? String(value) : toText(value, timeZone),
    ]),
  );
}

function toText(value: unknown, timeZone: string): string {
  if (Array.isArray(value))
    return value
      .slice(0, MAX_LINES)
      .map((each) => toText(each, timeZone))
      .join('\n')
      .trim();
  if (value instanceof Date) return timeText(value, timeZone);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const line = String(value).replace(UNPRINTABLE, ' ').trim();
  return abridge(line, MAX_LENGTH);
}

function timeText(time: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone });
  return `${format.format(time)} ${timeZone === 'UTC' ? timeZone : `(${toCurrentZoneName(timeZone)})`}`;
}

import { locales, type Language } from '../../../core/languages.ts';
import { cutText } from '../../../core/text/cut-text.ts';

/** Matches characters in an alert message that could end a line or reverse the reading direction. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
const MAX_NAME_LENGTH = 80;

/** Returns the text on one line. Replaces control characters by spaces. */
export function toPrintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, ' ').trim();
}

export function shortenText(text: string, maxLength: number): string {
  const line = toPrintable(text);
  return line.length <= maxLength ? line : `${cutText(line, maxLength - 1)}…`;
}

export function shortenName(name: string): string {
  return shortenText(name, MAX_NAME_LENGTH);
}

/** Language in which a message is written, and time zone in which it shows times. */
export interface ReaderClock {
  language: Language;
  /** Time zone of the alert policy. */
  timezone: string;
}

const forms = {
  /** Format of a date in a message. It includes the year, so that the date is unambiguous. */
  date: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  time: {},
} as const;

export function formatTime(
  instant: Date,
  { language, timezone: timeZone }: ReaderClock,
  form: keyof typeof forms,
): string {
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  return new Intl.DateTimeFormat(locales[language], { ...forms[form], ...clock }).format(instant);
}

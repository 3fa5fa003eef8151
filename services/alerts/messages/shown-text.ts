import { locales, type Language } from '../../../core/languages.ts';
import { cutText } from '../../../core/text/cut-text.ts';

/** Whatever could end a line, or turn the reading direction around. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
const LONGEST_NAME = 80;

/** On one line, as it is written. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, ' ').trim();
}

export function shortened(text: string, most: number): string {
  const line = printable(text);
  return line.length <= most ? line : `${cutText(line, most - 1)}…`;
}

export function shownName(name: string): string {
  return shortened(name, LONGEST_NAME);
}

/** How a reader of alerts reads the clock. */
export interface ReadersClock {
  language: Language;
  /** Of the policy. */
  timezone: string;
}

const forms = {
  /** With the year, which nobody takes for another day. */
  date: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  time: {},
} as const;

export function timeText(
  instant: Date,
  { language, timezone: timeZone }: ReadersClock,
  form: keyof typeof forms,
): string {
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  return new Intl.DateTimeFormat(locales[language], { ...forms[form], ...clock }).format(instant);
}

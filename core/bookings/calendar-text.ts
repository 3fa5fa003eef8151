/**
 * Matches line breaks of a calendar text that are replaced with `\n`. The last three would break lines of an
 * iCalendar file.
 */
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
/** Matches control characters that neither iCalendar nor XML can contain. */
const CONTROL_CHARACTERS = /(?!\n|\t)\p{Cc}/gu;

/** Removes characters from a user's text that some calendars cannot store. */
export function toCalendarText(text: string): string {
  return text.replace(LINE_ENDS, '\n').replace(CONTROL_CHARACTERS, '').toWellFormed();
}

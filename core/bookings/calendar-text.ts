/** Line ends of people and programs; the last three would break lines of a calendar file. */
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
/** Characters that neither iCalendar nor XML can represent. */
const UNSAYABLE = /(?!\n|\t)\p{Cc}/gu;

/** Cleans typed text so that every calendar can store it. */
export function calendarText(text: string): string {
  return text.replace(LINE_ENDS, '\n').replace(UNSAYABLE, '').toWellFormed();
}

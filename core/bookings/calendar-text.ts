/** Ends of lines as people and programs make them; the last three would end a line of a calendar file, or of nothing else. */
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
/** Neither iCalendar nor XML has a way to say these. */
const UNSAYABLE = /(?!\n|\t)\p{Cc}/gu;

/** Cleans typed text so that every calendar can store it. */
export function calendarText(text: string): string {
  return text.replace(LINE_ENDS, '\n').replace(UNSAYABLE, '').toWellFormed();
}

import { ANONYMOUS } from '../anonymous.ts';

/** Suffix in the file names of the booking part's translations, which the build inserts. */
declare const WORDS_NAME: string;

/** Milliseconds to wait for a translation. After this time, the booking part starts in English. */
const LOADING_TIMEOUT_MS = 5000;

/** English texts of the booking part. Each translation has the same keys. */
export const english = {
  title: 'Book a meeting',
  zone: 'Time zone',
  day: 'Day',
  times: 'Times on {day}',
  count: 'Free times on {day}: {count}',
  looking: 'Looking for free times…',
  nothing: 'No times available',
  nothingBefore: 'Next available: {day}',
  more: 'More days',
  again: 'Try again',
  paused: 'Booking is currently unavailable.',
  unknown: 'The calendar cannot be reached at present.',
  retried: 'Trying again in {seconds} seconds.',
  taken: 'That time was just taken. Pick another.',
  another: 'Another time',
  name: 'Name',
  email: 'Email',
  knownEmail: 'The email you shared',
  about: 'What is it about?',
  meeting: 'Meeting',
  book: 'Book',
  booking: 'Booking…',
  tooMany: "You've reached the limit of upcoming meetings. Cancel one to book another.",
  booked: 'Your meeting is booked',
  cancelled: 'This meeting is canceled',
  file: 'Add to calendar',
  details: 'Show the meeting',
  cancel: 'Cancel the meeting',
  cancelQuestion: 'Cancel this meeting?',
  keep: 'Keep it',
  notCancelled: 'The meeting could not be canceled.',
  optional: 'optional',
  required: 'This field is required.',
  invalidEmail: 'Enter a valid email, e.g. ada@example.com.',
  consent: 'I agree to the storage of my contact details for this meeting.',
  consentNeeded: 'Please tick the box to book.',
  offline: "You're offline. Try again when you're back online.",
  failed: 'Something went wrong. Please try again.',
  wait: 'Too many attempts. Try again in {seconds} s.',
  waitLong: 'Too many attempts. Try again in {minutes} min.',
  none: 'No time suits me',
};

export type Words = Record<keyof typeof english, string>;

/** Loads the texts of the booking part in the widget's language. If that fails, returns the English texts. */
export async function loadWords(language: string): Promise<Words> {
  if (language === 'en') return english;
  try {
    const signal = AbortSignal.timeout(LOADING_TIMEOUT_MS);
    const url = new URL(`booking-${language}${WORDS_NAME}`, import.meta.url);
    const response = await fetch(url, { ...ANONYMOUS, signal });
    return response.ok ? { ...english, ...((await response.json()) as Partial<Words>) } : english;
  } catch {
    return english;
  }
}

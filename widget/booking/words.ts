import { ANONYMOUS } from '../anonymous.ts';

/** Suffix of the translations' file names, which the build inserts. */
declare const WORDS_NAME: string;

/** Time limit for loading a translation. After it, the booking part starts in English. */
const LOADING_TIMEOUT_MS = 5000;

/** English texts. Each translation has the same keys. */
export const english = {
  title: 'Book a meeting',
  zone: 'Time zone',
  day: 'Day',
  times: 'Times on {day}',
  count: 'Free times on {day}: {count}',
  looking: 'Looking for free times …',
  nothing: 'No time is free at present.',
  nothingBefore: 'No time is free before {day}.',
  more: 'More days',
  again: 'Try again',
  paused: 'No meetings can be booked at present.',
  unknown: 'The calendar cannot be reached at present.',
  retried: 'Trying again in {seconds} seconds.',
  taken: 'This time is no longer free. Please choose another one.',
  another: 'Another time',
  name: 'Name',
  email: 'Email',
  knownEmail: 'The address that you have left',
  about: 'What is it about?',
  meeting: 'Meeting',
  book: 'Book',
  booking: 'Booking …',
  tooMany: 'This address has reached its limit of upcoming meetings. Cancel one of them first.',
  booked: 'Your meeting is booked',
  cancelled: 'This meeting is canceled',
  file: 'Add to calendar',
  details: 'Show the meeting',
  cancel: 'Cancel the meeting',
  cancelQuestion: 'Cancel this meeting?',
  keep: 'Keep it',
  notCancelled: 'The meeting could not be canceled.',
  optional: 'optional',
  required: 'Please fill this in.',
  invalidEmail: 'Please enter an email address such as ada@example.com.',
  consent: 'I agree that my contact details are stored, so that the meeting can take place.',
  consentNeeded: 'Please agree: a meeting needs contact details.',
  offline: 'You are offline. Please try again when the connection is back.',
  failed: 'Something went wrong. Please try again.',
  wait: 'That was a lot at once. Please try again in {seconds} seconds.',
  waitLong: 'That was a lot at once. Please try again in {minutes} minutes.',
  none: 'No time suits me',
};

export type Words = Record<keyof typeof english, string>;

/** Loads the texts in the widget's language. If that fails, returns the English ones. */
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

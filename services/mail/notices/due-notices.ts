import type { Document } from '../../../entities/knowledge/document.entity.ts';
import type { FailingBot } from '../../../repositories/mail/due-notice.repository.ts';

/** What fails within it is one piece of news. */
const COLLECTING_SECONDS = 10 * 60;
const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How long the team hears no more of a bot's documents, in SQL. */
export const CONTENT_NOTICE_EVERY = `interval '${DAY_SECONDS} seconds'`;

/** Once a day, ten minutes after the first failure; documents that are still being read are waited for, an hour at most. */
export function isContentNoticeDue({
  toldSecondsAgo,
  oldestSeconds,
  isReading,
}: Pick<FailingBot, 'toldSecondsAgo' | 'oldestSeconds' | 'isReading'>): boolean {
  if (toldSecondsAgo !== null && toldSecondsAgo <= DAY_SECONDS) return false;
  return oldestSeconds >= (isReading ? HOUR_SECONDS : COLLECTING_SECONDS);
}

/** Of a month, the highest first: whoever has used up all of it is not told of less. */
export const USED_PERCENT = [100, 80];

/** What a document is called, and why it failed. */
export function failureText({
  title,
  sourceUrl,
  filename,
  errorMessage,
}: Pick<Document, 'title' | 'sourceUrl' | 'filename' | 'errorMessage'>): string {
  const [reason] = (errorMessage ?? 'It could not be read.').split('\n');
  return `${title || sourceUrl || filename || 'A document'}: ${reason}`;
}

export function usageMeaning(percent: number): string {
  return percent >= 100
    ? 'Visitors get no more answers until the month ends (UTC), or until you raise the cap.'
    : 'At the end of them visitors get no more answers until the month ends (UTC).';
}

/** @param creditsLeft messages of top-ups */
export function planMeaning(percent: number, creditsLeft: number): string {
  const isUsedUp = percent >= 100;
  if (creditsLeft > 0)
    return `${isUsedUp ? 'Now' : 'After that'} top-ups are used, which have ${creditsLeft} messages left.`;
  const ending = 'visitors get no more answers until the month ends (UTC)';
  const help = 'or until an owner chooses a larger plan or buys a top-up';
  return isUsedUp ? `V${ending.slice(1)}, ${help}.` : `At the end of them ${ending}, ${help}.`;
}

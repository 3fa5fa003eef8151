import type { Document } from '../../entities/knowledge/document.entity.ts';
import type { FailingBot } from '../../repositories/mail/due-notice.repository.ts';

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

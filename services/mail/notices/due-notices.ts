import type { Document } from '../../../entities/knowledge/document.entity.ts';
import type { FailingBot } from '../../../repositories/mail/due-notice.repository.ts';

/**
 * Seconds between a bot's first failed document and the email about it. Failures within this time are
 * reported in one email.
 */
const COLLECTING_SECONDS = 10 * 60;
const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Minimum time between two emails about a bot's failed documents, as an SQL interval. */
export const CONTENT_NOTICE_INTERVAL = `interval '${DAY_SECONDS} seconds'`;

/**
 * Returns whether an email about a bot's failed documents must be sent to the team: at most once a day, ten
 * minutes after the first failure. While other documents are still being read, the email waits for up to an
 * hour.
 */
export function isContentNoticeDue({
  notifiedSecondsAgo,
  oldestSeconds,
  isReading,
}: Pick<FailingBot, 'notifiedSecondsAgo' | 'oldestSeconds' | 'isReading'>): boolean {
  if (notifiedSecondsAgo !== null && notifiedSecondsAgo <= DAY_SECONDS) return false;
  return oldestSeconds >= (isReading ? HOUR_SECONDS : COLLECTING_SECONDS);
}

/**
 * Percentages of a bot's monthly cap at which an email is sent to the team, highest first. If a bot has
 * reached both percentages, the team gets one email about the higher percentage.
 */
export const USED_PERCENT = [100, 80];

/** Describes a document that could not be read, and the reason, for an email. */
export function describeFailedDocument({
  title,
  sourceUrl,
  filename,
  errorMessage,
}: Pick<Document, 'title' | 'sourceUrl' | 'filename' | 'errorMessage'>): string {
  const [reason] = (errorMessage ?? 'The document could not be read.').split('\n');
  return `${title || sourceUrl || filename || 'A document'}: ${reason}`;
}

export function describeUsage(percent: number): string {
  return percent >= 100
    ? 'Visitors get no more answers until the month ends (UTC), or until you raise the cap.'
    : 'Once all answers are used up, visitors get no more answers until the month ends (UTC).';
}

/**
 * Describes what happens once this percentage of the plan's monthly messages is used.
 * @param creditsLeft remaining messages of top-ups
 */
export function describePlanUsage(percent: number, creditsLeft: number): string {
  const isUsedUp = percent >= 100;
  if (creditsLeft > 0)
    return `${isUsedUp ? 'Now' : 'After that'} top-ups are used; they have ${creditsLeft} messages left.`;
  const ending = 'visitors get no more answers until the month ends (UTC)';
  const help = 'or until an owner chooses a larger plan or buys a top-up';
  return isUsedUp ? `V${ending.slice(1)}, ${help}.` : `Once all messages are used up, ${ending}, ${help}.`;
}

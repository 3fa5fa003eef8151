import { isUuid } from '../../../core/ids.ts';
import type { NoticeReader } from '../../../repositories/mail/notice.sql.ts';

/**
 * Returns the recipients of an email that the bot's settings name. If none of them may still answer
 * conversations, returns all recipients.
 */
export function selectReaders(readers: NoticeReader[], notify: string[] | null): NoticeReader[] {
  if (notify === null || notify.length === 0) return notify === null ? readers : [];
  const names = new Set(notify.map((name) => name.toLowerCase()));
  const namedReaders = readers.filter(
    ({ userId, email }) => names.has(userId) || names.has(email.toLowerCase()),
  );
  return namedReaders.length > 0 ? namedReaders : readers;
}

/** Parses the contact's id from the key of an email about a lead. */
export function parseLeadId(key: string | null): string | null {
  const [workflow, contactId] = key?.split('/') ?? [];
  return workflow === 'notify-lead' && contactId !== undefined && isUuid(contactId) ? contactId : null;
}

import { isUuid } from '../../../core/ids.ts';
import type { NoticeReader } from '../../../repositories/mail/notice.sql.ts';

/** Where those who were chosen have left, or may not answer any more, all others hear of it. */
export function chosenOf(readers: NoticeReader[], notify: string[] | null): NoticeReader[] {
  if (notify === null || notify.length === 0) return notify === null ? readers : [];
  const names = new Set(notify.map((name) => name.toLowerCase()));
  const chosen = readers.filter(({ userId, email }) => names.has(userId) || names.has(email.toLowerCase()));
  return chosen.length > 0 ? chosen : readers;
}

/** The contact that a mail is about, by the key that its workflow has given it. */
export function leadOf(key: string | null): string | null {
  const [workflow, contactId] = key?.split('/') ?? [];
  return workflow === 'notify-lead' && contactId !== undefined && isUuid(contactId) ? contactId : null;
}

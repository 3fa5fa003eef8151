import { MailRow } from '../../entities/mail/mail.entity.ts';
import { decryptMail } from '../../services/mail/mail-content.ts';
import type { SharedParley } from './parley.ts';
import { findOpened } from './find-opened.ts';

/** Reads the values of the access notices that were emailed to a person, oldest first. */
export async function readAccessMails(
  { database, runtime }: Pick<SharedParley, 'database' | 'runtime'>,
  userId: string,
): Promise<Record<string, string>[]> {
  const where = { userId, template: 'access_notice' };
  const rows = await findOpened(database, MailRow, { where, order: { id: 'ASC' } });
  return rows.map(({ id, content }) => decryptMail(runtime.keyring, id, content!).values);
}

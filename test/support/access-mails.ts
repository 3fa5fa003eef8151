import { MailRow } from '../../entities/mail/mail.entity.ts';
import { decryptMail } from '../../services/mail/mail-content.ts';
import type { SharedParley, TestParley } from './parley.ts';
import { findOpened } from './find-opened.ts';

/** Returns the values of the emails that told a person about changes of access, oldest first. */
export async function readAccessMails(
  { database, runtime }: Pick<SharedParley, 'database' | 'runtime'>,
  userId: string,
): Promise<Record<string, string>[]> {
  const where = { userId, template: 'access_notice' };
  const rows = await findOpened(database, MailRow, { where, order: { id: 'ASC' } });
  return rows.map(({ id, content }) => decryptMail(runtime.keyring, id, content!).values);
}

/** Returns a function. It returns the changes in a person's emails about access since its last call, by email. */
export function watchAccessItems(parley: SharedParley, userId: string): () => Promise<string[][]> {
  let seen = 0;
  return async () => {
    const mails = await readAccessMails(parley, userId);
    const items = mails.slice(seen).map((mail) => mail['items']!.split('\n'));
    seen = mails.length;
    return items;
  };
}

/** Ends the period in which Parley gathers changes of access, so that it emails the next change at once. */
export async function endGathering(parley: TestParley): Promise<void> {
  await parley.passTime(15 * 60);
  await parley.runtime.services.team.accessNotices.sendGathered(parley.database);
}

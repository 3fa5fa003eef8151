import { In } from 'typeorm';
import { openRow, sealedRow } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { isNewerThan } from '../../database/times.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { MailRow, type MailState } from '../../entities/mail/mail.entity.ts';

export type NewMail = Pick<Opened<MailRow>, 'id' | 'template' | 'orgId' | 'userId' | 'key' | 'content'>;
/** One that tells content. */
type TellingMail = NewMail & { orgId: string };
export type EndState = Exclude<MailState, 'pending'>;

/** Mails on their way out. */
export class MailRepository {
  /** Returns false when there is one with that key already. */
  async insert(db: Database, mail: NewMail): Promise<boolean> {
    return (await insertOrIgnore(db.repository(MailRow), mail)) !== null;
  }

  /** The same for one that tells content. @throws AppError `key_unavailable` */
  async insertTelling(db: Database, mail: TellingMail): Promise<boolean> {
    return this.insert(db, await sealedRow(db.dataSource, MailRow, mail));
  }

  find(db: Database, id: string): Promise<MailRow | null> {
    return db.repository(MailRow).findOneBy({ id });
  }

  /** @throws AppError `key_unavailable` */
  open(db: Database, mail: MailRow): Promise<Opened<MailRow>> {
    return openRow(db, MailRow, mail);
  }

  /** How many of a workspace were queued in the last 24 hours. */
  countOfDay({ db, orgId }: OrgScope, templates: string[]): Promise<number> {
    const createdAt = isNewerThan("interval '24 hours'");
    return db.repository(MailRow).countBy({ orgId, template: In(templates), createdAt });
  }

  /** The same for one reader. */
  countOfReader({ db, orgId }: OrgScope, userId: string, templates: readonly string[]): Promise<number> {
    const createdAt = isNewerThan("interval '24 hours'");
    return db.repository(MailRow).countBy({ orgId, userId, template: In(templates), createdAt });
  }

  /** Newest first. */
  listKept(db: Database, limit: number): Promise<MailRow[]> {
    return db
      .repository(MailRow)
      .find({ where: { state: 'kept' }, order: { createdAt: 'DESC', id: 'DESC' }, take: limit });
  }

  async markDeferred(db: Database, id: string, reason: string): Promise<void> {
    await db.repository(MailRow).update({ id, state: 'pending' }, { attempts: () => 'attempts + 1', reason });
  }

  /** What was secret in it goes with its end; one that is kept can still be read. */
  async finish(
    db: Database,
    id: string,
    { state, reason, isAttempt }: { state: EndState; reason: string | null; isAttempt: boolean },
  ): Promise<void> {
    await db.repository(MailRow).update(
      { id, state: 'pending' },
      {
        state,
        reason,
        finishedAt: () => 'now()',
        ...(isAttempt && { attempts: () => 'attempts + 1' }),
        ...(state !== 'kept' && { content: null }),
      },
    );
  }
}

import { In } from 'typeorm';
import { decryptRow, sealRow } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { isNewerThan } from '../../database/times.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { MailRow, type MailState } from '../../entities/mail/mail.entity.ts';

export type NewMail = Pick<Opened<MailRow>, 'id' | 'template' | 'orgId' | 'userId' | 'key' | 'content'>;
/**
 * An email whose text contains content of a workspace; the email is stored encrypted if the workspace
 * encrypts content.
 */
type ContentMail = NewMail & { orgId: string };
export type EndState = Exclude<MailState, 'pending'>;

/** Queue of emails to send, and log of sent emails. */
export class MailRepository {
  /**
   * Queues an email to send.
   * @returns false if an email with the same idempotency key exists
   */
  async insert(db: Database, mail: NewMail): Promise<boolean> {
    return (await insertOrIgnore(db.repository(MailRow), mail)) !== null;
  }

  /**
   * Queues an email that contains content of a workspace, like `insert`.
   * @throws AppError `key_unavailable`
   */
  async insertWithContent(db: Database, mail: ContentMail): Promise<boolean> {
    return this.insert(db, await sealRow(db.dataSource, MailRow, mail));
  }

  find(db: Database, id: string): Promise<MailRow | null> {
    return db.repository(MailRow).findOneBy({ id });
  }

  /**
   * Decrypts a queued or logged email.
   * @throws AppError `key_unavailable`
   */
  open(db: Database, mail: MailRow): Promise<Opened<MailRow>> {
    return decryptRow(db, MailRow, mail);
  }

  /** Counts the workspace's emails with these templates that were queued in the last 24 hours. */
  countLastDay({ db, orgId }: OrgScope, templates: string[]): Promise<number> {
    const createdAt = isNewerThan("interval '24 hours'");
    return db.repository(MailRow).countBy({ orgId, template: In(templates), createdAt });
  }

  /** Counts the emails to one account, like `countLastDay`. */
  countLastDayForReader(
    { db, orgId }: OrgScope,
    userId: string,
    templates: readonly string[],
  ): Promise<number> {
    const createdAt = isNewerThan("interval '24 hours'");
    return db.repository(MailRow).countBy({ orgId, userId, template: In(templates), createdAt });
  }

  /** Lists captured emails, which Parley stored instead of sending, newest first. */
  listCaptured(db: Database, limit: number): Promise<MailRow[]> {
    return db
      .repository(MailRow)
      .find({ where: { state: 'kept' }, order: { createdAt: 'DESC', id: 'DESC' }, take: limit });
  }

  async markDeferred(db: Database, id: string, reason: string): Promise<void> {
    await db.repository(MailRow).update({ id, state: 'pending' }, { attempts: () => 'attempts + 1', reason });
  }

  /** Stores the final state of an email and deletes its content, except for captured emails (state `kept`). */
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

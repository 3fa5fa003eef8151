import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { MailRow, type MailState } from '../../entities/mail/mail.entity.ts';

export type NewMail = Pick<MailRow, 'id' | 'template' | 'orgId' | 'userId' | 'key' | 'content'>;
export type EndState = Exclude<MailState, 'pending'>;

/** Mails on their way out, and the addresses that take none. */
export class MailRepository {
  /** Returns false when there is one with that key already. */
  async queue(db: Database, { id, orgId, userId, template, key, content }: NewMail): Promise<boolean> {
    const rows = await db.sql(
      `INSERT INTO mails (id, org_id, user_id, template, key, content) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING RETURNING id`,
      [id, orgId, userId, template, key, content],
    );
    return rows.length > 0;
  }

  find(db: Database, id: string): Promise<MailRow | null> {
    return db.repository(MailRow).findOneBy({ id });
  }

  /** How many of a workspace were queued in the last 24 hours. */
  countOfDay({ db, orgId }: OrgScope, templates: string[]): Promise<number> {
    return db
      .repository(MailRow)
      .createQueryBuilder('mail')
      .where('mail.org_id = :orgId AND mail.template IN (:...templates)', { orgId, templates })
      .andWhere(`mail.created_at > now() - interval '24 hours'`)
      .getCount();
  }

  /** Newest first. */
  kept(db: Database, limit: number): Promise<MailRow[]> {
    return db
      .repository(MailRow)
      .find({ where: { state: 'kept' }, order: { createdAt: 'DESC', id: 'DESC' }, take: limit });
  }

  async noteDeferral(db: Database, id: string, reason: string): Promise<void> {
    await db.sql(
      `UPDATE mails SET attempts = attempts + 1, reason = $2 WHERE id = $1 AND state = 'pending'`,
      [id, reason],
    );
  }

  /** What was secret in it goes with its end; one that is kept can still be read. */
  async finish(
    db: Database,
    id: string,
    { state, reason, isAttempt }: { state: EndState; reason: string | null; isAttempt: boolean },
  ): Promise<void> {
    await db.sql(
      `UPDATE mails SET state = $2, reason = $3, attempts = attempts + $4, finished_at = now(),
         content = CASE WHEN $2 = 'kept' THEN content END
       WHERE id = $1 AND state = 'pending'`,
      [id, state, reason, isAttempt ? 1 : 0],
    );
  }

  async isRefused(db: Database, address: string): Promise<boolean> {
    const rows = await db.sql('SELECT FROM refused_addresses WHERE address = lower($1)', [address]);
    return rows.length > 0;
  }

  async markRefused(db: Database, address: string, reason: string): Promise<void> {
    await db.sql(
      `INSERT INTO refused_addresses (address, reason) VALUES (lower($1), $2)
       ON CONFLICT (address) DO UPDATE SET reason = $2, refused_at = now()`,
      [address, reason],
    );
  }

  async unmarkRefused(db: Database, address: string): Promise<void> {
    await db.sql('DELETE FROM refused_addresses WHERE address = lower($1)', [address]);
  }
}

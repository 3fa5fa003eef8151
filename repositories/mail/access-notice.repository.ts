import { In, IsNull, Not } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { isNewerThan, isOlderThan } from '../../database/times.ts';
import { AccessNoticeRow } from '../../entities/mail/access-notice.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import type { NoticeReader } from './notice.sql.ts';

type NewAccessNotice = Pick<AccessNoticeRow, 'id' | 'actor' | 'kind' | 'readerIds' | 'content'>;

/** Changes of access, made with one credential in one workspace, that wait to be emailed together. */
export interface WaitingNotices {
  orgId: string;
  actor: string;
}

/** Stores notices to workspace owners about access changes, such as new API keys. */
export class AccessNoticeRepository {
  /** Returns those of the given accounts that are active and have a verified email address. */
  async listReaders(db: Database, ids: readonly string[]): Promise<NoticeReader[]> {
    const users = await db.repository(User).find({
      where: { id: In([...ids]), isActive: true, emailVerifiedAt: Not(IsNull()) },
      select: { id: true, email: true, fullName: true },
      order: { id: 'ASC' },
    });
    return users.map(({ id: userId, email, fullName }) => ({ userId, email, fullName }));
  }

  async findPerson(db: Database, id: string): Promise<Pick<User, 'fullName' | 'email'> | null> {
    return db.repository(User).findOne({ where: { id }, select: { fullName: true, email: true } });
  }

  /**
   * Returns an API key's name and creator. Searches all workspaces, because a key of a workspace above may
   * also change access.
   */
  async findKey(db: Database, id: string): Promise<Pick<ApiKey, 'name' | 'createdById'> | null> {
    return db.repository(ApiKey).findOne({ where: { id }, select: { name: true, createdById: true } });
  }

  async insertSent({ db, orgId }: OrgScope, notice: NewAccessNotice): Promise<void> {
    await db
      .repository(AccessNoticeRow)
      .insert({ ...notice, orgId, content: null, notifiedAt: () => 'now()' });
  }

  async insertWaiting({ db, orgId }: OrgScope, notice: NewAccessNotice): Promise<void> {
    await db.repository(AccessNoticeRow).insert({ ...notice, orgId });
  }

  /**
   * Returns whether a notice about a change of this kind with this credential was sent within the interval.
   * @param interval SQL interval until now
   */
  hasSent(
    { db, orgId }: OrgScope,
    { actor, kind }: Pick<AccessNoticeRow, 'actor' | 'kind'>,
    interval: string,
  ): Promise<boolean> {
    return db.repository(AccessNoticeRow).existsBy({ orgId, actor, kind, notifiedAt: isNewerThan(interval) });
  }

  /**
   * Lists groups of access notices whose oldest notice has waited at least for the interval.
   * @param interval SQL interval
   */
  listDue(db: Database, interval: string, limit: number): Promise<WaitingNotices[]> {
    return db
      .repository(AccessNoticeRow)
      .createQueryBuilder('notice')
      .select('notice.orgId', 'orgId')
      .addSelect('notice.actor', 'actor')
      .where({ notifiedAt: IsNull(), createdAt: isOlderThan(interval) })
      .groupBy('notice.orgId')
      .addGroupBy('notice.actor')
      .orderBy('min(notice.createdAt)')
      .limit(limit)
      .getRawMany<WaitingNotices>();
  }

  async listWaitingActors({ db, orgId }: OrgScope): Promise<string[]> {
    const rows = await db
      .repository(AccessNoticeRow)
      .createQueryBuilder('notice')
      .select('DISTINCT notice.actor', 'actor')
      .where({ orgId, notifiedAt: IsNull() })
      .getRawMany<{ actor: string }>();
    return rows.map(({ actor }) => actor);
  }

  /** Lists the waiting notices about changes with a credential, oldest change first. */
  listWaiting({ db, orgId }: OrgScope, actor: string): Promise<AccessNoticeRow[]> {
    return db.repository(AccessNoticeRow).find({
      where: { orgId, actor, notifiedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  async markSent({ db, orgId }: OrgScope, actor: string): Promise<void> {
    await db
      .repository(AccessNoticeRow)
      .update({ orgId, actor, notifiedAt: IsNull() }, { notifiedAt: () => 'now()', content: null });
  }

  /**
   * Deletes access notices that were sent before the interval began.
   * @param interval SQL interval until now
   */
  async deleteSent(db: Database, interval: string): Promise<void> {
    await db.repository(AccessNoticeRow).delete({ notifiedAt: isOlderThan(interval) });
  }
}

import { IsNull } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { isOlderThan } from '../../database/times.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { WeeklyMail } from '../../entities/mail/weekly-mail.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { CLAIM_WEEKLY_READERS } from './weekly-mail.sql.ts';

/** Reads and claims the recipients of the weekly email, and their workspaces. */
export class WeeklyMailRepository {
  /** Lists the distinct time zones of all workspaces. */
  async listZones(db: Database): Promise<string[]> {
    const rows = await db
      .repository(Org)
      .createQueryBuilder('org')
      .select("DISTINCT coalesce(org.settings ->> 'time_zone', 'UTC')", 'zone')
      .where({ deletedAt: IsNull(), isActive: true })
      .getRawMany<{ zone: string }>();
    return rows.map(({ zone }) => zone);
  }

  /** Claims recipients of the weekly email in the time zones whose email of this week was not claimed yet. */
  async claimReaders(db: Database, week: string, zones: string[], limit: number): Promise<string[]> {
    const rows = await db.run(CLAIM_WEEKLY_READERS, [week, zones, limit]);
    return rows.map(({ userId }) => userId);
  }

  async deleteOld(db: Database): Promise<void> {
    await db.repository(WeeklyMail).delete({ createdAt: isOlderThan("interval '60 days'") });
  }

  /**
   * Returns the account of a recipient of the weekly email; null if the account is inactive or its email
   * address is unverified.
   */
  async findReader(db: Database, userId: string): Promise<User | null> {
    const user = await db.repository(User).findOneBy({ id: userId, isActive: true });
    return user?.emailVerifiedAt ? user : null;
  }

  /** Lists the workspaces of an account, the default workspace first. */
  async listWorkspaces(db: Database, userId: string, limit: number): Promise<Org[]> {
    const rows = await db
      .repository(Membership)
      .createQueryBuilder('member')
      .innerJoinAndMapOne('member.org', Org, 'org', 'org.id = member.orgId')
      .where('member.userId = :userId AND org.deletedAt IS NULL AND org.isActive', { userId })
      .orderBy({ 'member.isDefault': 'DESC', 'member.createdAt': 'ASC', 'member.id': 'ASC' })
      .limit(limit)
      .getMany();
    return rows.map((row) => (row as Membership & { org: Org }).org);
  }
}

import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { deleteReturning } from '../../database/returning.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { CalendarAttempt } from '../../entities/bookings/calendar-connection.entity.ts';

export type NewAttempt = Omit<CalendarAttempt, 'orgId' | 'createdAt'>;

/**
 * Stores attempts to connect a calendar account. The provider's redirect contains only the state, so attempts
 * are found without a workspace.
 */
export class CalendarAttemptRepository {
  async insert({ db, orgId }: OrgScope, attempt: NewAttempt): Promise<void> {
    await db.repository(CalendarAttempt).insert({ ...attempt, orgId });
  }

  find(db: Database, stateDigest: string): Promise<CalendarAttempt | null> {
    return db.repository(CalendarAttempt).findOneBy({ stateDigest });
  }

  /**
   * Deletes an attempt to connect a calendar account and returns it, so that it can be used once. Null if the
   * attempt does not exist.
   */
  async claim(db: Database, stateDigest: string): Promise<CalendarAttempt | null> {
    const [attempt] = await deleteReturning(db.repository(CalendarAttempt), { stateDigest });
    return attempt ?? null;
  }

  /**
   * Deletes the user's unfinished attempts to connect a calendar account, so that their links no longer work.
   */
  async deleteUnfinished(db: Database, userId: string): Promise<void> {
    await db.repository(CalendarAttempt).delete({ userId });
  }

  /** Stores data of the later steps of an attempt to connect a calendar account. */
  async update(
    db: Database,
    stateDigest: string,
    changes: Partial<Pick<CalendarAttempt, 'browserDigest' | 'sealedVerifier'>>,
  ): Promise<void> {
    await db.repository(CalendarAttempt).update({ stateDigest }, changes);
  }

  async getOrgName({ db, orgId }: OrgScope): Promise<string> {
    const { name } = await db.repository(Org).findOneOrFail({ where: { id: orgId }, select: { name: true } });
    return name;
  }
}

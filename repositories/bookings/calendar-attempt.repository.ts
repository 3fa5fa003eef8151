import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { deleteReturning } from '../../database/returning.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { CalendarAttempt } from '../../entities/bookings/calendar-connection.entity.ts';

export type NewAttempt = Omit<CalendarAttempt, 'orgId' | 'createdAt'>;

/**
 * Attempts to connect a calendar. The provider's redirect names only the state, so they are found without a
 * workspace.
 */
export class CalendarAttemptRepository {
  async insert({ db, orgId }: OrgScope, attempt: NewAttempt): Promise<void> {
    await db.repository(CalendarAttempt).insert({ ...attempt, orgId });
  }

  find(db: Database, stateDigest: string): Promise<CalendarAttempt | null> {
    return db.repository(CalendarAttempt).findOneBy({ stateDigest });
  }

  /** Deletes and returns the attempt: each can be used once. */
  async claim(db: Database, stateDigest: string): Promise<CalendarAttempt | null> {
    const [attempt] = await deleteReturning(db.repository(CalendarAttempt), { stateDigest });
    return attempt ?? null;
  }

  /** Stores data of later steps. */
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

import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { deleteReturning } from '../../database/returning.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { CalendarAttempt } from '../../entities/bookings/calendar-connection.entity.ts';

export type NewAttempt = Omit<CalendarAttempt, 'orgId' | 'createdAt'>;

/** Attempts to connect calendars; whoever brings the state back is in no workspace's scope yet. */
export class CalendarAttemptRepository {
  async insert({ db, orgId }: OrgScope, attempt: NewAttempt): Promise<void> {
    await db.repository(CalendarAttempt).insert({ ...attempt, orgId });
  }

  find(db: Database, stateDigest: string): Promise<CalendarAttempt | null> {
    return db.repository(CalendarAttempt).findOneBy({ stateDigest });
  }

  /** Returns it once: the attempt is over then, however it ends. */
  async take(db: Database, stateDigest: string): Promise<CalendarAttempt | null> {
    const [attempt] = await deleteReturning(db.repository(CalendarAttempt), { stateDigest });
    return attempt ?? null;
  }

  /** Keeps what was learned on the way. */
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

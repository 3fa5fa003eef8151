import { IsNull } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** Reads the time zones in which workspaces get their alerts. */
export class AlertZoneRepository {
  /**
   * Returns the time zone of the workspace's calendar, or, without one, the time zone of the workspace's
   * settings. Null if neither is set.
   */
  async find({ db, orgId }: OrgScope): Promise<string | null> {
    const connection = await db.repository(CalendarConnection).findOneBy({ orgId, hiddenAt: IsNull() });
    const calendarZone = connection?.settings.timezone ?? connection?.providerTimezone;
    if (calendarZone) return calendarZone;
    const org = await db.repository(Org).findOne({ where: { id: orgId }, select: { settings: true } });
    return org?.settings.time_zone ?? null;
  }
}

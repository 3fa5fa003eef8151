import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { WeeklyMail } from '../../entities/mail/weekly-mail.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

const u = aliasTable(User, 'u');
const m = aliasTable(Membership, 'm');
const o = aliasTable(Org, 'o');
const w = aliasTable(WeeklyMail, 'w');

/**
 * Claims recipients of the weekly email: accounts whose first workspace has one of the time zones.
 * Parameters: $1 week, $2 time zones, $3 limit.
 */
export const CLAIM_WEEKLY_READERS = defineStatement<{ userId: string }>({
  name: 'claim-weekly-readers',
  because: 'Takes each person’s time zone from their first workspace, which requires DISTINCT ON.',
  acrossWorkspaces: 'Reads accounts, which may belong to several workspaces.',
  text: `
    INSERT INTO ${w.table} (${w.bare('userId', 'week')})
    SELECT reader.id, $1::date FROM (
      SELECT DISTINCT ON (${u('id')}) ${u('id')}, coalesce(${o('settings')} ->> 'time_zone', 'UTC') AS zone
      FROM ${u.from} JOIN ${m.from} ON ${m('userId')} = ${u('id')} JOIN ${o.from} ON ${o('id')} = ${m('orgId')}
      WHERE ${u('isActive')} AND ${u('emailVerifiedAt')} IS NOT NULL AND ${o('isActive')} AND ${o('deletedAt')} IS NULL
      ORDER BY ${u('id')}, ${m('isDefault')} DESC, ${m('createdAt')}, ${m('id')}
    ) reader
    WHERE reader.zone = ANY($2)
      AND NOT EXISTS (SELECT FROM ${w.from} WHERE ${w('userId')} = reader.id AND ${w('week')} = $1::date)
    LIMIT $3
    ON CONFLICT DO NOTHING
    RETURNING ${w.bare('userId')} AS "userId"`,
});

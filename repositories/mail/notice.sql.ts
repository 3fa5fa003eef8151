import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

export interface NoticeReader {
  userId: string;
  email: string;
  fullName: string;
}

const o = aliasTable(Org, 'o');
const m = aliasTable(Membership, 'm');
const u = aliasTable(User, 'u');

/**
 * Lists the members whom an email can notify. Parameters: $1 workspace id, $2 roles in this workspace, $3 id
 * of an account that is included with any role, or null.
 */
export const NOTICE_READERS = defineStatement<NoticeReader>({
  name: 'notice-readers',
  because: 'Walks up the hierarchy to the first workspace with a reader, which requires WITH RECURSIVE.',
  text: `
    WITH RECURSIVE up AS (
      SELECT ${o('id')}, ${o('parentOrgId')}, 0 AS level FROM ${o.from} WHERE ${o('id')} = $1
      UNION ALL
      SELECT ${o('id')}, ${o('parentOrgId')}, up.level + 1
      FROM up JOIN ${o.from} ON ${o('id')} = up.${o.bare('parentOrgId')}
    ), reader AS (
      SELECT ${u.as('id', 'email', 'fullName')}, up.level
      FROM up JOIN ${m.from} ON ${m('orgId')} = up.id JOIN ${u.from} ON ${u('id')} = ${m('userId')}
      WHERE (${m('role')} = ANY($2) OR ${u('id')} = $3) AND (up.level = 0 OR ${m('role')} IN ('owner', 'admin'))
        AND ${u('isActive')} AND ${u('emailVerifiedAt')} IS NOT NULL
    )
    SELECT id AS "userId", email, "fullName" FROM reader WHERE level = (SELECT min(level) FROM reader) ORDER BY id`,
});

import { In } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { aliasTable } from '../../database/table.ts';
import { isOlderThan } from '../../database/times.ts';
import { AccountLink } from '../../entities/accounts/account-link.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/**
 * Number of unconfirmed accounts that one transaction deletes. The number is small, because the deletion of
 * each workspace searches all tables that refer to workspaces.
 */
export const UNCONFIRMED_BATCH = 500;

const link = aliasTable(AccountLink, 'link');
const own = aliasTable(Membership, 'own');
const other = aliasTable(Membership, 'other');
const org = aliasTable(Org, 'org');
const child = aliasTable(Org, 'child');

const HAS_VALID_LINK = `EXISTS (
  SELECT FROM ${link.from} WHERE ${link('userId')} = account.id AND ${link('expiresAt')} > now())`;

/** SQL condition: the account belongs to a workspace that has another member, a parent or a child. */
const SHARES_WORKSPACE = `EXISTS (
  SELECT FROM ${own.from} JOIN ${org.from} ON ${org('id')} = ${own('orgId')}
  WHERE ${own('userId')} = account.id AND (
    ${org('parentOrgId')} IS NOT NULL
    OR EXISTS (SELECT FROM ${child.from} WHERE ${child('parentOrgId')} = ${org('id')})
    OR EXISTS (SELECT FROM ${other.from} WHERE ${other('orgId')} = ${org('id')} AND ${other('userId')} <> account.id)))`;

/**
 * Deletes a batch of accounts whose email address was not verified within 7 days, with their workspaces.
 * These workspaces are empty, because their owners never signed in. Accounts with an unexpired link stay.
 * Returns the number of deleted accounts.
 */
export function deleteUnconfirmedAccounts(database: Database): Promise<number> {
  return database.transaction(async (db) => {
    const accounts = await db
      .repository(User)
      .createQueryBuilder('account')
      .select('account.id')
      .where('account.emailVerifiedAt IS NULL')
      .andWhere({ createdAt: isOlderThan("interval '7 days'") })
      .andWhere(`NOT ${HAS_VALID_LINK} AND NOT ${SHARES_WORKSPACE}`)
      .limit(UNCONFIRMED_BATCH)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
    const userId = In(accounts.map(({ id }) => id));
    const memberships = await db.repository(Membership).findBy({ userId });
    await db.repository(Org).delete({ id: In(memberships.map(({ orgId }) => orgId)) });
    await db.repository(User).delete({ id: userId });
    return accounts.length;
  });
}

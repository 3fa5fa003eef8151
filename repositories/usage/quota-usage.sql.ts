import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';

/** Kinds of resources whose number a plan limits. */
export const quotaKinds = ['documents', 'bots', 'seats'] as const;
export type QuotaKind = (typeof quotaKinds)[number];
export type QuotaCounts = Record<QuotaKind, number>;

const b = aliasTable(Bot, 'b');
const d = aliasTable(Document, 'd');
const m = aliasTable(Membership, 'm');
const u = aliasTable(User, 'u');
const i = aliasTable(Invitation, 'i');

const within = (column: string) => `${column} = ANY($1::uuid[])`;
const selectCount = (what: string, from: string) => `(SELECT ${what}::int FROM ${from})`;

/**
 * SQL that selects the people who use seats of a plan, by email address. A person in several workspaces or
 * with an invitation counts once.
 */
const PEOPLE = `
  SELECT lower(${u('email')}) AS email FROM ${m.from} JOIN ${u.from} ON ${u('id')} = ${m('userId')}
  WHERE ${within(m('orgId'))} AND ${m('role')} <> 'viewer'
  UNION
  SELECT ${i('email')} FROM ${i.from}
  WHERE ${within(i('orgId'))} AND ${i('status')} = 'pending' AND ${i('expiresAt')} > now() AND ${i('role')} <> 'viewer'`;

const counts: Record<QuotaKind, string> = {
  documents: selectCount(
    'count(*)',
    `${d.from} JOIN ${b.from} ON ${b('id')} = ${d('botId')} WHERE ${within(d('orgId'))} AND ${b('deletedAt')} IS NULL`,
  ),
  bots: selectCount(
    'count(*)',
    `${b.from} WHERE ${within(b('orgId'))} AND ${b('status')} <> 'archived' AND ${b('deletedAt')} IS NULL`,
  ),
  seats: selectCount('count(*)', `(${PEOPLE}) people`),
};

/**
 * Counts resources that plans limit. Parameters: $1 workspace ids, $2 kinds to count. The result for other
 * kinds is null.
 */
export const COUNT_QUOTAS = defineStatement<Record<QuotaKind, number | null>>({
  name: 'count-quotas',
  because: 'A person who is both a member and invited counts once, which requires UNION below an aggregate.',
  text: `SELECT ${quotaKinds.map((kind) => `CASE WHEN '${kind}' = ANY($2::text[]) THEN ${counts[kind]} END AS ${kind}`).join(', ')}`,
});

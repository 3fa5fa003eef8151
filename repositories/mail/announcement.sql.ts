import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { AnnouncedReader } from '../../entities/mail/announced-reader.entity.ts';
import { EmailPreference } from '../../entities/mail/email-preference.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

export interface NewsReader {
  userId: string;
  email: string;
  /** Default language of the workspace that the recipient joined first. */
  language: string | null;
}

const u = aliasTable(User, 'u');
const a = aliasTable(AnnouncedReader, 'a');
const p = aliasTable(EmailPreference, 'p');
const m = aliasTable(Membership, 'm');
const o = aliasTable(Org, 'o');

const ACROSS_WORKSPACES = 'Reads accounts, which may belong to several workspaces.';

/**
 * Selects recipients to whom an announcement was not sent yet. Parameters: $1 announcement, $2 last id of the
 * previous page or null, $3 limit.
 */
const READERS = `
    SELECT ${u.as('id', 'email')}, (
      SELECT ${o('settings')} ->> 'default_language' FROM ${m.from} JOIN ${o.from} ON ${o('id')} = ${m('orgId')}
      WHERE ${m('userId')} = ${u('id')} AND ${o('deletedAt')} IS NULL
      ORDER BY ${m('isDefault')} DESC, ${m('createdAt')}, ${m('id')} LIMIT 1
    ) AS language
    FROM ${u.from}
    WHERE ${u('isActive')} AND ${u('emailVerifiedAt')} IS NOT NULL AND ($2::uuid IS NULL OR ${u('id')} > $2::uuid)
      AND NOT EXISTS (SELECT FROM ${a.from} WHERE ${a('userId')} = ${u('id')} AND ${a('announcement')} = $1::text)
      AND NOT EXISTS (SELECT FROM ${p.from} WHERE ${p('userId')} = ${u('id')} AND 'product' = ANY(${p('turnedOff')}))
    ORDER BY ${u('id')} LIMIT $3`;

export const LIST_NEWS_READERS = defineStatement<NewsReader>({
  name: 'list-news-readers',
  because: 'Uses two tables to exclude readers, and takes the language from each reader’s first workspace.',
  acrossWorkspaces: ACROSS_WORKSPACES,
  text: `SELECT reader.id AS "userId", reader.email, reader.language FROM (${READERS}) reader ORDER BY reader.id`,
});

/**
 * Claims recipients of an announcement. Like `LIST_NEWS_READERS`, but gives concurrent callers different
 * recipients.
 */
export const CLAIM_NEWS_READERS = defineStatement<NewsReader>({
  name: 'claim-news-readers',
  because: 'Finds and claims readers in one step, so that only one concurrent caller gets each reader.',
  acrossWorkspaces: ACROSS_WORKSPACES,
  text: `
    WITH reader AS (${READERS}), claimed AS (
      INSERT INTO ${a.table} (${a.bare('userId', 'announcement')}) SELECT id, $1::text FROM reader
      ON CONFLICT DO NOTHING RETURNING ${a.bare('userId')}
    )
    SELECT reader.id AS "userId", reader.email, reader.language
    FROM reader JOIN claimed ON claimed.${a.bare('userId')} = reader.id ORDER BY reader.id`,
});

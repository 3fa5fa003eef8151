import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { turnOf } from './locked-bots.sql.ts';

/** Columns that the start of a session needs. */
export type SessionBot = Pick<
  Bot,
  'id' | 'orgId' | 'allowedDomains' | 'identitySecretVersion' | 'formerIdentitySecretUntil'
>;

const b = tableOf(Bot, 'b');

const OF_ANY_WORKSPACE = 'The page names the bot by its public key, and the bot says its workspace.';

/** Values: $1 public key. */
const IS_SHOWN = `${b('publicKey')} = $1 AND ${b('status')} = 'active' AND ${b('isPublic')} AND ${b('deletedAt')} IS NULL`;

/** Values: $1 public key. */
export const PUBLIC_BOT = statement<Bot>({
  name: 'public-bot',
  because: 'Each page with a widget runs it: avoids the builder and hydration (bench streams).',
  acrossWorkspaces: OF_ANY_WORKSPACE,
  isPrepared: true,
  text: `SELECT ${b.all} FROM ${b.from} WHERE ${IS_SHOWN}`,
});

/** Values: $1 public key. */
export const SESSION_BOT = statement<SessionBot>({
  name: 'session-bot',
  because: 'Each session starts with it and needs few columns (bench streams).',
  acrossWorkspaces: OF_ANY_WORKSPACE,
  isPrepared: true,
  text: `
    SELECT ${b.as('id', 'orgId', 'allowedDomains', 'identitySecretVersion', 'formerIdentitySecretUntil')}
    FROM ${b.from} WHERE ${IS_SHOWN}`,
});

/** Values: $1 bot. */
export const TURN_OF_BOT = statement({
  name: 'queue-for-bot',
  because: 'TypeORM knows no advisory locks.',
  text: `SELECT ${turnOf('$1::uuid')}`,
});

import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { turnOf } from './locked-bots.sql.ts';

/** What the start of a session asks of its bot. */
export type SessionBot = Pick<
  Bot,
  'id' | 'orgId' | 'allowedDomains' | 'identitySecretVersion' | 'formerIdentitySecretUntil'
>;

const b = tableOf(Bot, 'b');

const OF_ANY_WORKSPACE = 'The page names the bot by its public key, and the bot says its workspace.';

/** $1 a public key */
const IS_SHOWN = `${b('publicKey')} = $1 AND ${b('status')} = 'active' AND ${b('isPublic')} AND ${b('deletedAt')} IS NULL`;

/** $1 a public key */
export const PUBLIC_BOT = statement<Bot>({
  name: 'public-bot',
  because: 'Each page that shows a widget asks it, without the builder and hydration (bench streams).',
  acrossWorkspaces: OF_ANY_WORKSPACE,
  isPrepared: true,
  text: `SELECT ${b.all} FROM ${b.from} WHERE ${IS_SHOWN}`,
});

/** $1 a public key */
export const SESSION_BOT = statement<SessionBot>({
  name: 'session-bot',
  because: 'Each session begins with it, and reads no more of the bot than it needs (bench streams).',
  acrossWorkspaces: OF_ANY_WORKSPACE,
  isPrepared: true,
  text: `
    SELECT ${b.as('id', 'orgId', 'allowedDomains', 'identitySecretVersion', 'formerIdentitySecretUntil')}
    FROM ${b.from} WHERE ${IS_SHOWN}`,
});

/** $1 id of a bot */
export const TURN_OF_BOT = statement({
  name: 'turn-of-bot',
  because: 'TypeORM knows no advisory locks.',
  text: `SELECT ${turnOf('$1::uuid')}`,
});

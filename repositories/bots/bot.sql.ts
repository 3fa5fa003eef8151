import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { buildBotQueueLock } from './locked-bots.sql.ts';

/** Columns of a bot that starting a visitor's session needs. */
export type SessionBot = Pick<
  Bot,
  'id' | 'orgId' | 'publicKey' | 'allowedDomains' | 'identitySecretVersion' | 'formerIdentitySecretUntil'
>;

const b = aliasTable(Bot, 'b');

const ACROSS_WORKSPACES =
  'The page names the bot by its public key, and the bot’s row contains its workspace.';

/** SQL condition: visitors can talk to the bot. */
const IS_PUBLIC = `${b('status')} = 'active' AND ${b('isPublic')} AND ${b('deletedAt')} IS NULL`;

/** Finds public bots by the public keys of their widgets. Parameters: $1 public keys. */
export const PUBLIC_BOTS = defineStatement<Bot>({
  name: 'public-bots',
  because:
    'Each page with a widget runs this statement, so it avoids the query builder and hydration (bench streams).',
  acrossWorkspaces: ACROSS_WORKSPACES,
  isPrepared: true,
  text: `SELECT ${b.all} FROM ${b.from} WHERE ${b('publicKey')} = ANY($1) AND ${IS_PUBLIC}`,
});

/**
 * Finds public bots, with only the columns that starting a visitor's session needs. Parameters: $1 public
 * keys.
 */
export const SESSION_BOTS = defineStatement<SessionBot>({
  name: 'session-bots',
  because:
    'Every start of a session runs this statement, and needs only a few columns (bench webhooks/throughput).',
  acrossWorkspaces: ACROSS_WORKSPACES,
  isPrepared: true,
  text: `
    SELECT ${b.as('id', 'orgId', 'publicKey', 'allowedDomains', 'identitySecretVersion', 'formerIdentitySecretUntil')}
    FROM ${b.from} WHERE ${b('publicKey')} = ANY($1) AND ${IS_PUBLIC}`,
});

/** Waits for the advisory lock of a bot. Parameters: $1 bot. */
export const QUEUE_FOR_BOT = defineStatement({
  name: 'queue-for-bot',
  because: 'TypeORM does not support advisory locks.',
  text: `SELECT ${buildBotQueueLock('$1::uuid')}`,
});

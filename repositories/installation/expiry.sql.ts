import type { Doomed } from '../../database/delete-in-batches.ts';
import { tableOf } from '../../database/table.ts';
import { AccountLink, SignInCode } from '../../entities/accounts/account-link.entity.ts';
import { KnownAddress } from '../../entities/accounts/known-address.entity.ts';
import { IdentityAttempt } from '../../entities/accounts/linked-identity.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { AnsweredChallenge } from '../../entities/accounts/totp-secret.entity.ts';
import { CalendarAttempt } from '../../entities/bookings/calendar-connection.entity.ts';
import { AlertAttempt } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertDay, AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { AlertInbound } from '../../entities/alerts/alert-provider.entity.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { BillingEvent } from '../../entities/billing/billing-event.entity.ts';
import { BotGeneration } from '../../entities/bots/bot-generation.entity.ts';
import { DeletedConversation } from '../../entities/conversations/deleted-conversation.entity.ts';
import { ToolInvocation } from '../../entities/mcp/tool-invocation.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';

/** Rows that one statement removes at most, so that none holds its locks for long. */
export const EXPIRY_BATCH = 5000;

interface Expiring {
  id?: string | null;
  expiresAt: Date;
}

/** @param key of its rows; by default, where they are */
function expired<T extends Expiring>(entity: new () => T, key?: keyof T & string): Doomed {
  const row = tableOf(entity, '');
  const where = `${row.bare('expiresAt')} <= now()`;
  return { entity, where, batchSize: EXPIRY_BATCH, ...(key && { key: row.bare(key) }) };
}

/** Ids are in the order of their creation: this is the smallest UUIDv7 of the time so many days ago. */
const idOf = (days: string) =>
  `(lpad(to_hex(floor(extract(epoch FROM now() - make_interval(days => ${days})) * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid`;

const deletedAt = tableOf(DeletedConversation, '').bare('deletedAt');

export const EXPIRED = {
  idempotencyKeys: expired(IdempotencyKey),
  rateWindows: expired(RateWindow),
  answeredChallenges: expired(AnsweredChallenge, 'id'),
  identityAttempts: expired(IdentityAttempt, 'verifierDigest'),
  calendarAttempts: expired(CalendarAttempt, 'id'),
  sessions: expired(Session, 'id'),
  knownAddresses: expired(KnownAddress),
  accountLinks: expired(AccountLink, 'digest'),
  signInCodes: expired(SignInCode, 'email'),
  botGenerations: expired(BotGeneration, 'id'),
  alertAttempts: expired(AlertAttempt, 'id'),
};

/** The provider sends what was not taken for three days; people look further back. */
export const EXPIRED_BILLING_EVENTS: Doomed = {
  entity: BillingEvent,
  where: `${tableOf(BillingEvent, '').bare('createdAt')} < now() - interval '90 days'`,
  batchSize: EXPIRY_BATCH,
};

/** $1 days that calls of tools are kept */
export const EXPIRED_TOOL_INVOCATIONS: Doomed = {
  entity: ToolInvocation,
  where: `id < ${idOf('$1')}`,
  batchSize: EXPIRY_BATCH,
  key: 'id',
  orderBy: 'id',
};

/** $1 days that the log is kept */
export const EXPIRED_DELIVERIES: Doomed = {
  entity: WebhookDelivery,
  where: `id < ${idOf('$1')} AND ${tableOf(WebhookDelivery, '').bare('status')} IN ('delivered', 'failed')`,
  batchSize: EXPIRY_BATCH,
  key: 'id',
  orderBy: 'id',
};

/** $1 days that alerts are kept. What is still to be sent stays. */
export const EXPIRED_ALERTS = {
  alerts: older(Alert, `AND state NOT IN ('pending', 'held')`),
  alertMessages: older(AlertMessage, `AND state NOT IN ('pending', 'sending')`),
  alertDays: { entity: AlertDay, where: `date < current_date - $1::int`, batchSize: EXPIRY_BATCH },
};

/** Longer than a provider hands in what it has handed in before. */
export const EXPIRED_INBOUND: Doomed = {
  entity: AlertInbound,
  where: `received_at < now() - interval '9 days'`,
  batchSize: EXPIRY_BATCH,
  key: 'id',
};

function older(entity: new () => object, also: string): Doomed {
  return {
    entity,
    where: `created_at < now() - make_interval(days => $1) ${also}`,
    batchSize: EXPIRY_BATCH,
    key: 'id',
  };
}

/**
 * A mail is retried for two days at most, but for one whose key is away; what is left of one says only how it went, or what would have
 * been sent. $1 days
 */
export const EXPIRED_MAILS: Doomed = {
  entity: MailRow,
  where: `id < ${idOf('$1')} AND (state <> 'pending' OR key_id IS NULL)`,
  batchSize: EXPIRY_BATCH,
  key: 'id',
  orderBy: 'id',
};

/** A replay may have kept a copy in the log for as long again. $1 days that the log is kept */
export const EXPIRED_CONVERSATIONS: Doomed = {
  entity: DeletedConversation,
  where: `${deletedAt} < now() - 2 * make_interval(days => $1)`,
  batchSize: EXPIRY_BATCH,
};

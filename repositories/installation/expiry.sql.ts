import type { Settings } from '../../core/settings/settings.ts';
import type { DeletionTarget } from '../../database/delete-in-batches.ts';
import { aliasTable } from '../../database/table.ts';
import { AccountLink, SignInCode } from '../../entities/accounts/account-link.entity.ts';
import { AccountRequest } from '../../entities/accounts/account-request.entity.ts';
import { KnownAddress } from '../../entities/accounts/known-address.entity.ts';
import { IdentityAttempt } from '../../entities/accounts/linked-identity.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { AnsweredChallenge } from '../../entities/accounts/totp-secret.entity.ts';
import { CalendarAttempt } from '../../entities/bookings/calendar-connection.entity.ts';
import { AlertAttempt, AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertDay, AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { AlertInbound } from '../../entities/alerts/alert-provider.entity.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';
import { BillingEvent } from '../../entities/billing/billing-event.entity.ts';
import { Checkout } from '../../entities/billing/checkout.entity.ts';
import { BotGeneration } from '../../entities/bots/bot-generation.entity.ts';
import { MonthlyUsage } from '../../entities/bots/monthly-usage.entity.ts';
import { DeletedConversation } from '../../entities/conversations/deleted-conversation.entity.ts';
import { ToolInvocation } from '../../entities/mcp/tool-invocation.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { RefusedAddress } from '../../entities/mail/refused-address.entity.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';
import { LoggedRequest } from '../../entities/requests/logged-request.entity.ts';
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { DeviceLogin } from '../../entities/team/device-login.entity.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { PlanMonth } from '../../entities/usage/plan-month.entity.ts';
import { PlanNotice } from '../../entities/usage/plan-notice.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';

/**
 * Maximum number of expired rows that one statement deletes, so that the statement locks rows only briefly.
 */
export const EXPIRY_BATCH = 5000;

/** Settings that define the retention of logs, in days. */
export type LogDays = Pick<Settings, 'logDays' | 'mailLogDays'>;

/** Days for which the log of API requests is stored: enough to find the requests of the last week. */
const REQUEST_LOG_DAYS = 7;

/** A kind of expired row that `purgeExpired` deletes. */
export interface Expiry extends DeletionTarget {
  /** Setting whose value, in days, is the parameter `$1` of the deletion. */
  days?: keyof LogDays;
}

interface Expiring {
  id?: string | null;
  expiresAt: Date;
}

/**
 * Selects rows to delete whose `expiresAt` has passed.
 * @param key column that identifies a row; default: `ctid`, its physical location
 */
function targetExpired<T extends Expiring>(entity: new () => T, key?: keyof T & string): Expiry {
  const row = aliasTable(entity, '');
  const where = `${row.bare('expiresAt')} <= now()`;
  return { entity, where, batchSize: EXPIRY_BATCH, ...(key && { key: row.bare(key) }) };
}

function targetOlder<T extends object>(
  entity: new () => T,
  column: keyof T & string,
  interval: string,
  also = '',
): Expiry {
  const where = `${aliasTable(entity, '').bare(column)} < now() - ${interval} ${also}`;
  return { entity, where, batchSize: EXPIRY_BATCH };
}

/**
 * Selects monthly counts (UTC) to delete: those from more than three months ago. Parley reads only the
 * current month.
 */
function targetPastMonths<T extends { month: string }>(entity: new () => T): Expiry {
  const month = aliasTable(entity, '').bare('month' as keyof T & string);
  return {
    entity,
    where: `${month} < (date_trunc('month', now() AT TIME ZONE 'UTC') - interval '3 months')::date`,
    batchSize: EXPIRY_BATCH,
  };
}

/**
 * Selects rows to delete by the time within their ids. Compares ids with the smallest UUIDv7 of that time.
 * @param days setting, or constant number of days
 */
function targetOlderById(entity: new () => object, days: keyof LogDays | number, also = ''): Expiry {
  const isConstant = typeof days === 'number';
  const since = `now() - make_interval(days => ${isConstant ? days : '$1'})`;
  const smallest = `(lpad(to_hex(floor(extract(epoch FROM ${since}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
  return {
    entity,
    where: `id < ${smallest} ${also}`,
    batchSize: EXPIRY_BATCH,
    key: 'id',
    orderBy: 'id',
    ...(!isConstant && { days }),
  };
}

const DAYS = 'make_interval(days => $1)';
const p = aliasTable(AlertPolicy, 'p');
const d = aliasTable(AlertDestination, 'alert_destinations');

/**
 * Rows that are deleted after some time, by kind. docs/operating.md lists the times after which they are
 * deleted.
 */
export const EXPIRED = {
  idempotencyKeys: targetExpired(IdempotencyKey),
  rateWindows: targetExpired(RateWindow),
  answeredChallenges: targetExpired(AnsweredChallenge, 'id'),
  identityAttempts: targetExpired(IdentityAttempt, 'verifierDigest'),
  calendarAttempts: targetExpired(CalendarAttempt, 'id'),
  sessions: targetExpired(Session, 'id'),
  knownAddresses: targetExpired(KnownAddress),
  accountLinks: targetExpired(AccountLink, 'digest'),
  signInCodes: targetExpired(SignInCode, 'email'),
  deviceLogins: targetExpired(DeviceLogin, 'id'),
  botGenerations: targetExpired(BotGeneration, 'id'),
  alertAttempts: targetExpired(AlertAttempt, 'id'),
  /**
   * Requests for account emails. Workers delete a request when they complete it. A request that still exists
   * is too old to be completed.
   */
  accountRequests: targetOlder(AccountRequest, 'createdAt', "interval '7 days'"),
  /** Audit events are stored for two years, because an audit of a year starts after that year has ended. */
  auditEvents: targetOlder(AuditEvent, 'createdAt', "interval '2 years'"),
  /** Revoked and expired API keys are stored as long as audit events, which show the names of keys. */
  apiKeys: {
    entity: ApiKey,
    where: `coalesce(revoked_at, expires_at) < now() - interval '2 years'`,
    batchSize: EXPIRY_BATCH,
    key: 'id',
  },
  /** Invitations of any status, because pending invitations expire as well. */
  invitations: targetOlder(Invitation, 'expiresAt', "interval '90 days'"),
  /**
   * Unpaid checkouts. A failed payment may still succeed within 30 days. Paid checkouts are accounting
   * records and stay, because credits refer to them.
   */
  checkouts: targetOlder(Checkout, 'expiresAt', "interval '90 days'", `AND state IN ('expired', 'failed')`),
  /**
   * Webhook events of the payment provider, which repeats rejected events for three days. 90 days allow
   * operators to look further back.
   */
  billingEvents: targetOlder(BillingEvent, 'createdAt', "interval '90 days'"),
  planMonths: targetPastMonths(PlanMonth),
  planNotices: targetPastMonths(PlanNotice),
  monthlyUsage: targetPastMonths(MonthlyUsage),
  /**
   * Email addresses that refused email. Once the row is deleted, Parley sends email to the address again,
   * because the mailbox may now exist.
   */
  refusedAddresses: targetOlder(RefusedAddress, 'refusedAt', "interval '180 days'"),
  toolInvocations: targetOlderById(ToolInvocation, 'logDays'),
  loggedRequests: targetOlderById(LoggedRequest, REQUEST_LOG_DAYS),
  deliveries: targetOlderById(WebhookDelivery, 'logDays', `AND status IN ('delivered', 'failed')`),
  /**
   * Logged emails. A pending email is retried for two days. Pending encrypted emails stay, because such an
   * email may wait for its key.
   */
  mails: targetOlderById(MailRow, 'mailLogDays', `AND (state <> 'pending' OR key_id IS NULL)`),
  alerts: {
    ...targetOlder(Alert, 'createdAt', DAYS, `AND state NOT IN ('pending', 'held')`),
    days: 'logDays',
  },
  alertMessages: {
    ...targetOlder(AlertMessage, 'createdAt', DAYS, `AND state NOT IN ('pending', 'sending')`),
    days: 'logDays',
  },
  alertDays: {
    entity: AlertDay,
    where: `date < current_date - $1::int`,
    batchSize: EXPIRY_BATCH,
    days: 'logDays',
  },
  /** Ids of messages received from messaging apps. Providers repeat a message for less than nine days. */
  inbound: targetOlder(AlertInbound, 'receivedAt', "interval '9 days'"),
  /**
   * Alert destinations without a policy. Blocked destinations stay, because their owner wants no messages.
   */
  alertDestinations: targetOlder(
    AlertDestination,
    'updatedAt',
    `CASE WHEN verified_at IS NULL THEN interval '1 day' ELSE interval '30 days' END`,
    `AND blocked_at IS NULL AND NOT EXISTS (
       SELECT FROM ${p.from} WHERE ${p('orgId')} = ${d('orgId')} AND ${p('channel')} = ${d('channel')}
         AND ${p('destination')} = ${d('destination')})`,
  ),
  /**
   * Hourly counts of events. Monthly estimates use the last 30 days. Five more days allow for time zones and
   * for comparison with earlier weeks.
   */
  eventCounts: targetOlder(EventCount, 'hour', "interval '35 days'"),
  /**
   * Records of deleted conversations. They are stored for twice the retention of logs, because a replayed
   * delivery may start a second retention period.
   */
  deletedConversations: {
    ...targetOlder(DeletedConversation, 'deletedAt', `2 * ${DAYS}`),
    days: 'logDays',
  },
} as const satisfies Record<string, Expiry>;

import type { Settings } from '../../core/settings/settings.ts';
import type { Doomed } from '../../database/delete-in-batches.ts';
import { tableOf } from '../../database/table.ts';
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
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { PlanMonth } from '../../entities/usage/plan-month.entity.ts';
import { PlanNotice } from '../../entities/usage/plan-notice.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';

/** Rows that one statement removes at most, so that none holds its locks for long. */
export const EXPIRY_BATCH = 5000;

/** Settings that say how many days a log is kept. */
export type LogDays = Pick<Settings, 'logDays' | 'mailLogDays'>;

/** Rows that `purgeExpired` deletes. */
export interface Expiry extends Doomed {
  /** The setting that gives `$1`, in days. */
  days?: keyof LogDays;
}

interface Expiring {
  id?: string | null;
  expiresAt: Date;
}

/** @param key column by which rows are found again; by default their physical location */
function expired<T extends Expiring>(entity: new () => T, key?: keyof T & string): Expiry {
  const row = tableOf(entity, '');
  const where = `${row.bare('expiresAt')} <= now()`;
  return { entity, where, batchSize: EXPIRY_BATCH, ...(key && { key: row.bare(key) }) };
}

function older<T extends object>(
  entity: new () => T,
  column: keyof T & string,
  interval: string,
  also = '',
): Expiry {
  const where = `${tableOf(entity, '').bare(column)} < now() - ${interval} ${also}`;
  return { entity, where, batchSize: EXPIRY_BATCH };
}

/** Counts of months in UTC, of which only the present one is read. */
function formerMonths<T extends { month: string }>(entity: new () => T): Expiry {
  const month = tableOf(entity, '').bare('month' as keyof T & string);
  return {
    entity,
    where: `${month} < (date_trunc('month', now() AT TIME ZONE 'UTC') - interval '3 months')::date`,
    batchSize: EXPIRY_BATCH,
  };
}

/** Rows with ids in the order of their creation. $1 days: compares with the smallest UUIDv7 of that time. */
function olderById(entity: new () => object, days: keyof LogDays, also = ''): Expiry {
  const since = 'now() - make_interval(days => $1)';
  const smallest = `(lpad(to_hex(floor(extract(epoch FROM ${since}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
  return {
    entity,
    where: `id < ${smallest} ${also}`,
    batchSize: EXPIRY_BATCH,
    key: 'id',
    orderBy: 'id',
    days,
  };
}

const DAYS = 'make_interval(days => $1)';
const p = tableOf(AlertPolicy, 'p');
const d = tableOf(AlertDestination, 'alert_destinations');

/** Rows that are deleted by age, by kind. docs/operating.md lists the times. */
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
  /** A worker deletes a request as it answers it. One that is left behind is too old to be answered. */
  accountRequests: older(AccountRequest, 'createdAt', "interval '7 days'"),
  /** An audit of a year begins after its end. */
  auditEvents: older(AuditEvent, 'createdAt', "interval '2 years'"),
  /** As long as the audit log, which shows their names. */
  apiKeys: {
    entity: ApiKey,
    where: `coalesce(revoked_at, expires_at) < now() - interval '2 years'`,
    batchSize: EXPIRY_BATCH,
    key: 'id',
  },
  /** Whatever became of them: a pending one expires as well. */
  invitations: older(Invitation, 'expiresAt', "interval '90 days'"),
  /** A failed payment may succeed within 30 days. Paid checkouts are accounting records, which credits refer to. */
  checkouts: older(Checkout, 'expiresAt', "interval '90 days'", `AND state IN ('expired', 'failed')`),
  /** The provider repeats events that were not accepted for three days; operators look further back. */
  billingEvents: older(BillingEvent, 'createdAt', "interval '90 days'"),
  planMonths: formerMonths(PlanMonth),
  planNotices: formerMonths(PlanNotice),
  monthlyUsage: formerMonths(MonthlyUsage),
  /** The mailbox may exist by then: mail is tried once more. */
  refusedAddresses: older(RefusedAddress, 'refusedAt', "interval '180 days'"),
  toolInvocations: olderById(ToolInvocation, 'logDays'),
  deliveries: olderById(WebhookDelivery, 'logDays', `AND status IN ('delivered', 'failed')`),
  /** A mail is retried for two days, unless it waits for its key. */
  mails: olderById(MailRow, 'mailLogDays', `AND (state <> 'pending' OR key_id IS NULL)`),
  alerts: {
    ...older(Alert, 'createdAt', DAYS, `AND state NOT IN ('pending', 'held')`),
    days: 'logDays',
  },
  alertMessages: {
    ...older(AlertMessage, 'createdAt', DAYS, `AND state NOT IN ('pending', 'sending')`),
    days: 'logDays',
  },
  alertDays: {
    entity: AlertDay,
    where: `date < current_date - $1::int`,
    batchSize: EXPIRY_BATCH,
    days: 'logDays',
  },
  /** Providers repeat messages for less than this. */
  inbound: older(AlertInbound, 'receivedAt', "interval '9 days'"),
  /** Destinations without a policy. A blocked one is kept: its person wants no messages. */
  alertDestinations: older(
    AlertDestination,
    'updatedAt',
    `CASE WHEN verified_at IS NULL THEN interval '1 day' ELSE interval '30 days' END`,
    `AND blocked_at IS NULL AND NOT EXISTS (
       SELECT FROM ${p.from} WHERE ${p('orgId')} = ${d('orgId')} AND ${p('channel')} = ${d('channel')}
         AND ${p('destination')} = ${d('destination')})`,
  ),
  /** Months are estimated by the last thirty days; the rest is room for zones, and for weeks to compare with. */
  eventCounts: older(EventCount, 'hour', "interval '35 days'"),
  /** A replay may keep a copy in the log for as long again. */
  deletedConversations: {
    ...older(DeletedConversation, 'deletedAt', `2 * ${DAYS}`),
    days: 'logDays',
  },
} as const satisfies Record<string, Expiry>;

import { In, IsNull, Not } from 'typeorm';
import { deleteInBatches } from '../../database/delete-in-batches.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { AnalyticsDelta } from '../../entities/analytics/analytics-delta.entity.ts';
import { AnalyticsRollup } from '../../entities/analytics/analytics-rollup.entity.ts';
import { ErasedPerson } from '../../entities/archive/erased-person.entity.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';
import { AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { DeletedConversation } from '../../entities/conversations/deleted-conversation.entity.ts';
import { InboxDelta } from '../../entities/conversations/inbox-delta.entity.ts';
import { LoggedRequest } from '../../entities/requests/logged-request.entity.ts';
import { ToolInvocation } from '../../entities/mcp/tool-invocation.entity.ts';
import { AccessNoticeRow } from '../../entities/mail/access-notice.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { UsageTotal } from '../../entities/usage/usage-total.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { principalBeginsWith } from '../requests/idempotency.sql.ts';

const BOT_BATCH_SIZE = 20;
const BATCH_SIZE = 5000;

/**
 * Tables with many rows of a workspace that are deleted in batches. Rows of its bots and webhook endpoints
 * are deleted with the bots and endpoints.
 */
export const ORG_TABLES = [
  AccessNoticeRow,
  Alert,
  AlertMessage,
  AlertPolicy,
  AlertDestination,
  AnalyticsDelta,
  AnalyticsRollup,
  OutboxRow,
  IdempotencyKey,
  AuditEvent,
  Booking,
  DeletedConversation,
  ErasedPerson,
  EventCount,
  InboxDelta,
  Invitation,
  LoggedRequest,
  MailRow,
  ToolInvocation,
];

/** Tables of usage. Usage belongs to the plan of the payer, so it is deleted with the paying workspace. */
const PAYER_TABLES = [UsageDelta, UsageDay, UsageTotal];

const HIDDEN = { deletedAt: () => 'coalesce(deletedAt, now())' };

/** Deletes the rows of deleted workspaces. Methods have no effect on other workspaces. */
export class OrgPurgeRepository {
  /**
   * Marks the bots of a deleted workspace as deleted, as if a member had deleted them. Returns ids of a batch
   * of bots to purge; empty if no bot is left.
   */
  async markBotsDeleted(scope: OrgScope): Promise<string[]> {
    if (!(await this.isDeleted(scope))) return [];
    const bots = scope.db.repository(Bot);
    const remainingBots = await bots.find({
      where: { orgId: scope.orgId },
      select: { id: true },
      take: BOT_BATCH_SIZE,
    });
    const ids = remainingBots.map(({ id }) => id);
    await bots.update({ id: In(ids) }, { status: 'archived', ...HIDDEN });
    return ids;
  }

  /**
   * Disables all webhook endpoints of a deleted workspace and marks them as deleted, as if a member had
   * deleted them. Returns their ids.
   */
  async markEndpointsDeleted(scope: OrgScope): Promise<string[]> {
    if (!(await this.isDeleted(scope))) return [];
    const { db, orgId } = scope;
    await db.repository(Webhook).update({ orgId }, { isActive: false, ...HIDDEN });
    const endpoints = await db.repository(Webhook).find({ where: { orgId }, select: { id: true } });
    return endpoints.map(({ id }) => id);
  }

  /**
   * Deletes the rows and stored responses of a deleted workspace in batches.
   * @throws the signal's reason if the signal is aborted
   */
  async deleteRows(scope: OrgScope, signal: AbortSignal): Promise<void> {
    if (!(await this.isDeleted(scope))) return;
    const { db, orgId } = scope;
    const keys = await db.repository(ApiKey).find({ where: { orgId }, select: { id: true } });
    await db
      .repository(IdempotencyKey)
      .createQueryBuilder()
      .delete()
      .where(`(principal = ANY(:principals) OR ${principalBeginsWith(':prefix')})`, {
        principals: keys.map(({ id }) => `key:${id}`),
        prefix: `user:${orgId}:`,
      })
      .execute();
    const targets = [
      ...ORG_TABLES.map((entity) => ({ entity, where: 'org_id = $1' })),
      ...PAYER_TABLES.map((entity) => ({ entity, where: 'payer_id = $1' })),
    ];
    for (const target of targets)
      await deleteInBatches(db, { ...target, batchSize: BATCH_SIZE }, [orgId], signal);
  }

  countCalendars({ db, orgId }: OrgScope): Promise<number> {
    return db.repository(CalendarConnection).countBy({ orgId });
  }

  /** Deletes the row of a deleted workspace, and with it the remaining rows. */
  async deleteOrg({ db, orgId }: OrgScope): Promise<void> {
    await db.repository(Org).delete({ id: orgId, deletedAt: Not(IsNull()) });
  }

  isDeleted({ db, orgId }: OrgScope): Promise<boolean> {
    return db.repository(Org).existsBy({ id: orgId, deletedAt: Not(IsNull()) });
  }
}

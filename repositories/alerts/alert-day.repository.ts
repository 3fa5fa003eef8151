import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertDay } from '../../entities/alerts/alert-message.entity.ts';
import {
  CLAIM_DAILY_MESSAGE,
  COUNT_HELD_ALERTS,
  RESERVE_CHAT_SLOT,
  RESERVE_PROVIDER_SLOT,
} from './alert-day.sql.ts';

/**
 * Counts messages of alert policies by local day, and reserves times for the next message of providers and
 * chats.
 */
export class AlertDayRepository {
  /**
   * Counts an alert message that is about to be sent. Returns its number within the day, or null if the
   * policy's daily cap is reached.
   */
  async claim({ db, orgId }: OrgScope, policyId: string, date: string, cap: number): Promise<number | null> {
    const [row] = await db.run(CLAIM_DAILY_MESSAGE, [orgId, policyId, date, cap]);
    return row?.sent ?? null;
  }

  /** Subtracts an alert message that was not sent from the day's count. */
  async releaseClaim({ db, orgId }: OrgScope, policyId: string, date: string): Promise<void> {
    await db.repository(AlertDay).update({ orgId, policyId, date }, { sent: () => 'greatest(0, sent - 1)' });
  }

  async countHeld({ db, orgId }: OrgScope, policyId: string, date: string, count: number): Promise<void> {
    await db.run(COUNT_HELD_ALERTS, [orgId, policyId, date, count]);
  }

  /**
   * Reserves the next time at which a messaging provider accepts a message. Returns the milliseconds until
   * then, or null if the wait would be too long.
   */
  async reserveProviderSlot(
    db: Database,
    { channel, account, perSecond }: { channel: string; account: string; perSecond: number },
    maxWaitMs: number,
  ): Promise<number | null> {
    const [row] = await db.run(RESERVE_PROVIDER_SLOT, [channel, account, 1000 / perSecond, maxWaitMs]);
    return row?.waitMs ?? null;
  }

  /**
   * Reserves the next time for a message to a chat that several policies of a workspace may share, like
   * `reserveProviderSlot`.
   */
  async reserveChatSlot(
    { db, orgId }: OrgScope,
    { channel, destination }: Pick<AlertDestination, 'channel' | 'destination'>,
    pauseMs: number,
    maxWaitMs: number,
  ): Promise<number | null> {
    const [row] = await db.run(RESERVE_CHAT_SLOT, [orgId, channel, destination, pauseMs, maxWaitMs]);
    return row?.waitMs ?? null;
  }
}

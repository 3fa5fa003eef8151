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

/** Messages of alert policies by local day, and the next free slots of providers and chats. */
export class AlertDayRepository {
  /** Counts a message. Returns its number within the day, or null if the day has reached its limit. */
  async claim({ db, orgId }: OrgScope, policyId: string, date: string, cap: number): Promise<number | null> {
    const [row] = await db.run(CLAIM_DAILY_MESSAGE, [orgId, policyId, date, cap]);
    return row?.sent ?? null;
  }

  /** Uncounts a message that was not sent. */
  async releaseClaim({ db, orgId }: OrgScope, policyId: string, date: string): Promise<void> {
    await db.repository(AlertDay).update({ orgId, policyId, date }, { sent: () => 'greatest(0, sent - 1)' });
  }

  async countHeld({ db, orgId }: OrgScope, policyId: string, date: string, count: number): Promise<void> {
    await db.run(COUNT_HELD_ALERTS, [orgId, policyId, date, count]);
  }

  /** Reserves the next free slot of a provider. Returns the milliseconds to wait, or null if the wait is too long. */
  async reserveProviderSlot(
    db: Database,
    { channel, account, perSecond }: { channel: string; account: string; perSecond: number },
    maxWaitMs: number,
  ): Promise<number | null> {
    const [row] = await db.run(RESERVE_PROVIDER_SLOT, [channel, account, 1000 / perSecond, maxWaitMs]);
    return row?.waitMs ?? null;
  }

  /** Like `reserveProviderSlot`, for a chat that several policies of a workspace may use. */
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

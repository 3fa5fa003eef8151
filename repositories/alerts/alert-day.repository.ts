import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertDay } from '../../entities/alerts/alert-message.entity.ts';
import { CLAIM_OF_DAY, HOLD_OF_DAY, RESERVE_CHAT_TURN, RESERVE_TURN } from './alert-day.sql.ts';

/** What policies have sent on days of their zones, and when providers and chats take the next message. */
export class AlertDayRepository {
  /** Counts a message; returns which of the day it is, or null where it has no room for another one. */
  async claim({ db, orgId }: OrgScope, policyId: string, date: string, cap: number): Promise<number | null> {
    const [row] = await db.run(CLAIM_OF_DAY, [orgId, policyId, date, cap]);
    return row?.sent ?? null;
  }

  /** Takes a message back that nobody was sent. */
  async giveBack({ db, orgId }: OrgScope, policyId: string, date: string): Promise<void> {
    await db.repository(AlertDay).update({ orgId, policyId, date }, { sent: () => 'greatest(0, sent - 1)' });
  }

  async hold({ db, orgId }: OrgScope, policyId: string, date: string, count: number): Promise<void> {
    await db.run(HOLD_OF_DAY, [orgId, policyId, date, count]);
  }

  /** Takes the next free moment of a provider; returns how many milliseconds to wait for it, or null where it is further away. */
  async reserveTurn(
    db: Database,
    { channel, account, perSecond }: { channel: string; account: string; perSecond: number },
    longestMs: number,
  ): Promise<number | null> {
    const [row] = await db.run(RESERVE_TURN, [channel, account, 1000 / perSecond, longestMs]);
    return row?.waitMs ?? null;
  }

  /** The same for a chat, of which a workspace may have several policies. */
  async reserveChatTurn(
    { db, orgId }: OrgScope,
    { channel, destination }: Pick<AlertDestination, 'channel' | 'destination'>,
    pauseMs: number,
    longestMs: number,
  ): Promise<number | null> {
    const [row] = await db.run(RESERVE_CHAT_TURN, [orgId, channel, destination, pauseMs, longestMs]);
    return row?.waitMs ?? null;
  }
}

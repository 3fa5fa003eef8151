import { In, IsNull, LessThan } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { updateReturning } from '../../database/returning.ts';
import { fromNow, isInPast, isInFuture } from '../../database/times.ts';
import { AlertDestination, type AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';

export type DestinationKey = Pick<AlertDestination, 'channel' | 'destination'>;

/** Proof that the owner of a chat or phone number has opened a link, and agrees to the workspace's alerts. */
export interface DestinationProof {
  name?: string | null;
  consent?: string | null;
  /** Time at which the proof was given; the current time by default. */
  at?: Date | undefined;
}

const VERIFIED = {
  blockedAt: null,
  blockedReason: null,
  undeliverable: 0,
  codeDigest: null,
  codeExpiresAt: null,
};

/** Stores the chats and phone numbers that receive alerts. */
export class AlertDestinationRepository {
  /**
   * Inserts an alert destination, or locks its existing row until the transaction ends, so that
   * `purgeExpired` does not delete it.
   */
  async upsert({ db, orgId }: OrgScope, { channel, destination }: DestinationKey): Promise<void> {
    const row = { orgId, channel, destination, updatedAt: () => 'now()' };
    await getDestinationRows(db).upsert(row, ['orgId', 'channel', 'destination']);
  }

  find({ db, orgId }: OrgScope, { channel, destination }: DestinationKey): Promise<AlertDestination | null> {
    return db.repository(AlertDestination).findOneBy({ orgId, channel, destination });
  }

  findLocked(
    { db, orgId }: OrgScope,
    { channel, destination }: DestinationKey,
  ): Promise<AlertDestination | null> {
    return db.repository(AlertDestination).findOne({
      where: { orgId, channel, destination },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Marks an alert destination as verified by a link, and clears its block and its count of failures. */
  async markVerified(
    scope: OrgScope,
    destinationKey: DestinationKey,
    { name, consent, at }: DestinationProof,
  ): Promise<void> {
    await this.upsert(scope, destinationKey);
    await this.update(scope, destinationKey, {
      ...VERIFIED,
      verifiedAt: at ?? (() => 'now()'),
      verifiedBy: 'link',
      ...(name !== undefined && { name }),
      ...(consent !== undefined && { consent }),
    });
  }

  /**
   * Marks an alert destination as verified by its code, and clears its block and its count of failures.
   * @returns false if the code was used or replaced
   */
  async useCode(
    { db, orgId }: OrgScope,
    destinationKey: DestinationKey,
    codeDigest: string,
  ): Promise<boolean> {
    const { affected } = await getDestinationRows(db).update(
      { orgId, ...pickDestinationKey(destinationKey), codeDigest },
      { ...VERIFIED, verifiedAt: () => 'now()', verifiedBy: 'code', updatedAt: () => 'now()' },
    );
    return affected === 1;
  }

  /**
   * Marks an alert destination as blocked, so that it gets no more alerts.
   * @returns false if the destination was already blocked
   */
  async markBlocked(scope: OrgScope, destinationKey: DestinationKey, reason: string): Promise<boolean> {
    const { affected } = await scope.db
      .repository(AlertDestination)
      .update(
        { orgId: scope.orgId, ...pickDestinationKey(destinationKey), blockedAt: IsNull() },
        { blockedAt: () => 'now()', blockedReason: reason, updatedAt: () => 'now()' },
      );
    return affected === 1;
  }

  async update(
    { db, orgId }: OrgScope,
    destinationKey: DestinationKey,
    changes: Parameters<ReturnType<typeof getDestinationRows>['update']>[1],
  ): Promise<void> {
    await getDestinationRows(db).update(
      { orgId, ...pickDestinationKey(destinationKey) },
      { ...changes, updatedAt: () => 'now()' },
    );
  }

  /**
   * Stores a new verification code for an alert destination. Returns null if the previous code was sent too
   * recently.
   */
  async replaceCode(
    { db, orgId }: OrgScope,
    destinationKey: DestinationKey,
    {
      digest,
      lifetimeSeconds,
      pauseSeconds,
    }: { digest: string; lifetimeSeconds: number; pauseSeconds: number },
  ): Promise<AlertDestination | null> {
    const key = { orgId, ...pickDestinationKey(destinationKey) };
    const changes = {
      codeDigest: digest,
      codeExpiresAt: fromNow(lifetimeSeconds, 'secs'),
      codeTries: 0,
      nextCodeAt: fromNow(pauseSeconds, 'secs'),
    };
    const [row] = await updateReturning(
      getDestinationRows(db),
      [
        { ...key, nextCodeAt: IsNull() },
        { ...key, nextCodeAt: isInPast() },
      ],
      changes,
    );
    return row ?? null;
  }

  /** Counts a guess of an alert destination's verification code. Returns null if no valid code exists. */
  async spendTry(
    { db, orgId }: OrgScope,
    destinationKey: DestinationKey,
    maxTries: number,
  ): Promise<AlertDestination | null> {
    const usable = {
      orgId,
      ...pickDestinationKey(destinationKey),
      codeTries: LessThan(maxTries),
      codeExpiresAt: isInFuture(),
    };
    const [row] = await updateReturning(getDestinationRows(db), usable, {
      codeTries: () => 'code_tries + 1',
    });
    return row?.codeDigest ? row : null;
  }

  /**
   * Stores the time at which the destination's owner last wrote, in all workspaces that use the destination.
   * An older message changes nothing.
   */
  async markInbound(db: Database, destinationKey: DestinationKey, at: Date): Promise<void> {
    const key = pickDestinationKey(destinationKey);
    await getDestinationRows(db).update(
      [
        { ...key, lastInboundAt: IsNull() },
        { ...key, lastInboundAt: LessThan(at) },
      ],
      { lastInboundAt: at, undeliverable: 0 },
    );
  }

  /** Lists the rows of an alert destination in all workspaces. */
  listUnscoped(
    db: Database,
    channel: AlertChannel,
    destinations: readonly string[],
  ): Promise<AlertDestination[]> {
    return db.repository(AlertDestination).findBy({ channel, destination: In([...destinations]) });
  }
}

function getDestinationRows(db: Database) {
  return db.repository(AlertDestination);
}

function pickDestinationKey({ channel, destination }: DestinationKey): DestinationKey {
  return { channel, destination };
}

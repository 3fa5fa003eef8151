import { In, IsNull, LessThan } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { updateReturning } from '../../database/returning.ts';
import { fromNow, isPast, isToCome } from '../../database/times.ts';
import { AlertDestination, type AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';

export type Place = Pick<AlertDestination, 'channel' | 'destination'>;

/** Proof that a destination belongs to a member. */
export interface Proof {
  verifiedBy: 'link' | 'code';
  name?: string | null;
  consent?: string | null;
  /** Time of the proof; now by default. */
  at?: Date | undefined;
}

/** Chats and phone numbers that receive alerts. */
export class AlertDestinationRepository {
  /**
   * Inserts the destination, or locks its row until the transaction ends, so that `purgeExpired` does not delete it.
   */
  async upsert({ db, orgId }: OrgScope, { channel, destination }: Place): Promise<void> {
    const row = { orgId, channel, destination, updatedAt: () => 'now()' };
    await rowsOf(db).upsert(row, ['orgId', 'channel', 'destination']);
  }

  find({ db, orgId }: OrgScope, { channel, destination }: Place): Promise<AlertDestination | null> {
    return db.repository(AlertDestination).findOneBy({ orgId, channel, destination });
  }

  findLocked({ db, orgId }: OrgScope, { channel, destination }: Place): Promise<AlertDestination | null> {
    return db.repository(AlertDestination).findOne({
      where: { orgId, channel, destination },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Marks the destination as verified and clears all recorded problems. */
  async markVerified(scope: OrgScope, place: Place, { verifiedBy, name, consent, at }: Proof): Promise<void> {
    await this.upsert(scope, place);
    await this.update(scope, place, {
      verifiedAt: at ?? (() => 'now()'),
      verifiedBy,
      blockedAt: null,
      blockedReason: null,
      undeliverable: 0,
      codeDigest: null,
      codeExpiresAt: null,
      ...(name !== undefined && { name }),
      ...(consent !== undefined && { consent }),
    });
  }

  /** @returns false if it was blocked before */
  async markBlocked(scope: OrgScope, place: Place, reason: string): Promise<boolean> {
    const { affected } = await scope.db
      .repository(AlertDestination)
      .update(
        { orgId: scope.orgId, ...placeOnly(place), blockedAt: IsNull() },
        { blockedAt: () => 'now()', blockedReason: reason, updatedAt: () => 'now()' },
      );
    return affected === 1;
  }

  async update(
    { db, orgId }: OrgScope,
    place: Place,
    changes: Parameters<ReturnType<typeof rowsOf>['update']>[1],
  ): Promise<void> {
    await rowsOf(db).update({ orgId, ...placeOnly(place) }, { ...changes, updatedAt: () => 'now()' });
  }

  /** Replaces the previous code; null if that one was sent too recently. */
  async replaceCode(
    { db, orgId }: OrgScope,
    place: Place,
    { digest, goodSeconds, pauseSeconds }: { digest: string; goodSeconds: number; pauseSeconds: number },
  ): Promise<AlertDestination | null> {
    const key = { orgId, ...placeOnly(place) };
    const changes = {
      codeDigest: digest,
      codeExpiresAt: fromNow(goodSeconds, 'secs'),
      codeTries: 0,
      nextCodeAt: fromNow(pauseSeconds, 'secs'),
    };
    const [row] = await updateReturning(
      rowsOf(db),
      [
        { ...key, nextCodeAt: IsNull() },
        { ...key, nextCodeAt: isPast() },
      ],
      changes,
    );
    return row ?? null;
  }

  /** Counts a guess against the destination's code. Null if there is no valid code. */
  async spendTry({ db, orgId }: OrgScope, place: Place, maxTries: number): Promise<AlertDestination | null> {
    const good = { orgId, ...placeOnly(place), codeTries: LessThan(maxTries), codeExpiresAt: isToCome() };
    const [row] = await updateReturning(rowsOf(db), good, { codeTries: () => 'code_tries + 1' });
    return row?.codeDigest ? row : null;
  }

  /** Stores that the person of the destination has written, in all workspaces. An older message changes nothing. */
  async heard(db: Database, place: Place, at: Date): Promise<void> {
    const key = placeOnly(place);
    await rowsOf(db).update(
      [
        { ...key, lastInboundAt: IsNull() },
        { ...key, lastInboundAt: LessThan(at) },
      ],
      { lastInboundAt: at, undeliverable: 0 },
    );
  }

  /** Lists the rows of destinations in all workspaces. */
  listEverywhere(
    db: Database,
    channel: AlertChannel,
    destinations: readonly string[],
  ): Promise<AlertDestination[]> {
    return db.repository(AlertDestination).findBy({ channel, destination: In([...destinations]) });
  }
}

function rowsOf(db: Database) {
  return db.repository(AlertDestination);
}

function placeOnly({ channel, destination }: Place): Place {
  return { channel, destination };
}

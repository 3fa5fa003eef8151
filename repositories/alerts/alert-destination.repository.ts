import { In, IsNull, LessThan } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { updateReturning } from '../../database/returning.ts';
import { fromNow, isPast, isToCome } from '../../database/times.ts';
import { AlertDestination, type AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';

export type Place = Pick<AlertDestination, 'channel' | 'destination'>;

/** How a destination was proven. */
export interface Proof {
  verifiedBy: 'link' | 'code';
  name?: string | null;
  consent?: string | null;
  /** When; now where nobody says. */
  at?: Date | undefined;
}

/** Chats and numbers of workspaces. */
export class AlertDestinationRepository {
  /** Makes it known. Locks it until the transaction ends, so that `purgeExpired` does not delete it meanwhile. */
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

  /** Everything that was found against it is over. */
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

  /** Returns whether it was not before. */
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

  /** Replaces the code that was sent before; returns false where that was a moment ago. */
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

  /** Spends one of the tries of its code; null where there is none that may be tried. */
  async spendTry({ db, orgId }: OrgScope, place: Place, mostTries: number): Promise<AlertDestination | null> {
    const good = { orgId, ...placeOnly(place), codeTries: LessThan(mostTries), codeExpiresAt: isToCome() };
    const [row] = await updateReturning(rowsOf(db), good, { codeTries: () => 'code_tries + 1' });
    return row?.codeDigest ? row : null;
  }

  /** In all workspaces: the person of a destination has written. A message that arrives late changes nothing. */
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

  /** In all workspaces: what is known of numbers or chats themselves. */
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

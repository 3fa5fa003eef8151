import { In, IsNull } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { updateReturning } from '../../database/returning.ts';
import { fromNow, isInFuture } from '../../database/times.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { AlertAttempt, type AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';

export class AlertAttemptRepository extends ScopedRepository<AlertAttempt> {
  constructor() {
    super(AlertAttempt, 'connection attempt');
  }

  async insertFor(
    scope: OrgScope,
    attempt: Pick<AlertAttempt, 'id' | 'channel' | 'codeDigest' | 'userId' | 'keyId'>,
    seconds: number,
  ): Promise<AlertAttempt> {
    const { db, orgId } = scope;
    await db.repository(AlertAttempt).insert({ ...attempt, orgId, expiresAt: fromNow(seconds, 'secs') });
    return this.get(scope, attempt.id);
  }

  /**
   * Marks the unfinished attempt with this code to connect a chat for alerts as connected. Returns null if no
   * such attempt exists.
   */
  async connect(
    db: Database,
    channel: AlertChannel,
    codeDigest: string,
    found: Pick<AlertAttempt, 'destination' | 'name'>,
  ): Promise<AlertAttempt | null> {
    const unfinishedAttempt = { channel, codeDigest, connectedAt: IsNull(), expiresAt: isInFuture() };
    const rows = await updateReturning(db.repository(AlertAttempt), unfinishedAttempt, {
      ...found,
      connectedAt: () => 'now()',
    });
    return rows[0] ?? null;
  }

  /** Returns those of the given code digests that belong to an unfinished attempt to connect a chat. */
  async listUnfinished(
    db: Database,
    channel: AlertChannel,
    codeDigests: readonly string[],
  ): Promise<string[]> {
    if (codeDigests.length === 0) return [];
    const rows = await db.repository(AlertAttempt).find({
      where: { channel, codeDigest: In([...codeDigests]), connectedAt: IsNull(), expiresAt: isInFuture() },
      select: { codeDigest: true },
    });
    return rows.map(({ codeDigest }) => codeDigest);
  }

  /** Ends the user's unfinished attempts to connect a chat, so that their links no longer work. */
  async endUnfinished(db: Database, userId: string): Promise<void> {
    await db
      .repository(AlertAttempt)
      .update(
        { userId, keyId: IsNull(), connectedAt: IsNull(), expiresAt: isInFuture() },
        { expiresAt: () => 'now()' },
      );
  }

  getOrg({ db, orgId }: OrgScope): Promise<Pick<Org, 'name' | 'settings'>> {
    return db.repository(Org).findOneOrFail({ where: { id: orgId }, select: { name: true, settings: true } });
  }

  /**
   * Returns whether any attempt to connect a chat of this messaging app is unfinished, so that its link may
   * still be used.
   */
  hasUnfinished(db: Database, channel: AlertChannel): Promise<boolean> {
    return db.repository(AlertAttempt).existsBy({ channel, connectedAt: IsNull(), expiresAt: isInFuture() });
  }
}

import { IsNull, LessThan } from 'typeorm';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { fromNow } from '../../database/times.ts';
import { AnsweredChallenge, RecoveryCode, TotpSecret } from '../../entities/accounts/totp-secret.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';

export interface FactorStatus {
  activatedAt: Date | null;
  isPending: boolean;
  recoveryCodes: number;
  recoveryGeneratedAt: Date | null;
}

/** Encrypted active and pending secret of a person's authenticator app. */
export type FactorSecrets = Pick<TotpSecret, 'secret' | 'pendingSecret'>;

/**
 * Stores authenticator apps and recovery codes. A single statement uses up a code, so that only one of
 * several concurrent requests succeeds with a code.
 */
export class SecondFactorRepository {
  async getStatus(db: Database, userId: string): Promise<FactorStatus> {
    const status = await db
      .repository(User)
      .createQueryBuilder('account')
      .leftJoin(TotpSecret, 'totp', 'totp.userId = account.id')
      .select('account.mfaActivatedAt', 'activatedAt')
      .addSelect('totp.pendingSecret IS NOT NULL', 'isPending')
      .addSelect('totp.recoveryGeneratedAt', 'recoveryGeneratedAt')
      .addSelect(
        (codes) => codes.select('count(*)::int').from(RecoveryCode, 'code').where('code.userId = account.id'),
        'recoveryCodes',
      )
      .where({ id: userId })
      .getRawOne<FactorStatus>();
    return status ?? { activatedAt: null, isPending: false, recoveryCodes: 0, recoveryGeneratedAt: null };
  }

  async getSecrets(db: Database, userId: string): Promise<FactorSecrets> {
    const secrets = await db.repository(TotpSecret).findOneBy({ userId });
    return secrets ?? { secret: null, pendingSecret: null };
  }

  /**
   * Stores the secret of an authenticator app that the person is setting up, and replaces the secret of an
   * unfinished set-up.
   * @returns false if a second factor is already active
   */
  async upsertPending(db: Database, userId: string, pendingSecret: string): Promise<boolean> {
    const secrets = db.repository(TotpSecret);
    if (await insertOrIgnore(secrets, { id: newId(), userId, pendingSecret })) return true;
    const { affected } = await secrets.update({ userId, secret: IsNull() }, { pendingSecret });
    return affected === 1;
  }

  /**
   * Activates the pending secret of the person's authenticator app.
   * @returns false if another set-up has replaced the pending secret, or if the factor is already active
   */
  async activate(
    db: Database,
    { userId, pendingSecret, step, at }: { userId: string; pendingSecret: string; step: number; at: Date },
  ): Promise<boolean> {
    const { affected } = await db
      .repository(TotpSecret)
      .update(
        { userId, pendingSecret, secret: IsNull() },
        { secret: pendingSecret, pendingSecret: null, lastStep: step },
      );
    if (affected !== 1) return false;
    await this.#updateActivation(db, userId, at);
    return true;
  }

  /**
   * Marks the code of a time step as used, so that the person's authenticator code works once.
   * @returns false if the code was used before, or if the secret has changed
   */
  async updateStep(db: Database, userId: string, secret: string, step: number): Promise<boolean> {
    const { affected } = await db
      .repository(TotpSecret)
      .update({ userId, secret, lastStep: LessThan(step) }, { lastStep: step });
    return affected === 1;
  }

  /**
   * Uses up a recovery code of the person.
   * @returns false if the code is unknown or was used
   */
  async deleteRecoveryCode(db: Database, userId: string, digest: string): Promise<boolean> {
    const { affected } = await db.repository(RecoveryCode).delete({ userId, digest });
    return affected === 1;
  }

  async replaceRecoveryCodes(db: Database, userId: string, digests: string[], at: Date): Promise<void> {
    await db.repository(TotpSecret).update({ userId }, { recoveryGeneratedAt: at });
    await db.repository(RecoveryCode).delete({ userId });
    await db.repository(RecoveryCode).insert(digests.map((digest) => ({ digest, userId })));
  }

  async delete(db: Database, userId: string): Promise<void> {
    await this.#updateActivation(db, userId, null);
    await db.repository(TotpSecret).delete({ userId });
    await db.repository(RecoveryCode).delete({ userId });
  }

  /**
   * Marks a second-factor challenge as answered.
   * @returns false if the challenge was answered before
   */
  async insertAnsweredChallenge(db: Database, id: string, lifetimeSeconds: number): Promise<boolean> {
    const answered = { id, expiresAt: fromNow(lifetimeSeconds, 'secs') };
    return (await insertOrIgnore(db.repository(AnsweredChallenge), answered)) !== null;
  }

  async #updateActivation(db: Database, userId: string, mfaActivatedAt: Date | null): Promise<void> {
    await db.repository(User).update(userId, { mfaActivatedAt, updatedAt: () => 'now()' });
  }
}

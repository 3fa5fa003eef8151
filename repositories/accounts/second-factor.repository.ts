import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';

export interface FactorStatus {
  activatedAt: Date | null;
  isPending: boolean;
  recoveryCodes: number;
  recoveryGeneratedAt: Date | null;
}

const STATUS = `
  SELECT u.mfa_activated_at AS "activatedAt", t.pending_secret IS NOT NULL AS "isPending",
         t.recovery_generated_at AS "recoveryGeneratedAt",
         (SELECT count(*)::int FROM recovery_codes r WHERE r.user_id = u.id) AS "recoveryCodes"
  FROM users u LEFT JOIN totp_secrets t ON t.user_id = u.id WHERE u.id = $1`;

/** Sealed. */
export interface FactorSecrets {
  secret: string | null;
  pendingSecret: string | null;
}

/** Authenticator apps and recovery codes. What is taken once is taken by one statement that finds it only once. */
export class SecondFactorRepository {
  async status(db: Database, userId: string): Promise<FactorStatus> {
    const [status] = await db.sql<FactorStatus>(STATUS, [userId]);
    return status ?? { activatedAt: null, isPending: false, recoveryCodes: 0, recoveryGeneratedAt: null };
  }

  async secretsOf(db: Database, userId: string): Promise<FactorSecrets> {
    const [secrets] = await db.sql<FactorSecrets>(
      'SELECT secret, pending_secret AS "pendingSecret" FROM totp_secrets WHERE user_id = $1',
      [userId],
    );
    return secrets ?? { secret: null, pendingSecret: null };
  }

  /** Replaces a secret that is being set up; returns false where the factor is on. */
  async keepPending(db: Database, userId: string, pendingSecret: string): Promise<boolean> {
    const rows = await db.sql(
      `INSERT INTO totp_secrets (id, user_id, pending_secret) VALUES ($1, $2, $3)
       ON CONFLICT (user_id) DO UPDATE SET pending_secret = excluded.pending_secret
       WHERE totp_secrets.secret IS NULL RETURNING 1`,
      [newId(), userId, pendingSecret],
    );
    return rows.length > 0;
  }

  /** Returns false where another set-up has replaced the pending secret, or it is active already. */
  async activate(
    db: Database,
    { userId, pendingSecret, step, at }: { userId: string; pendingSecret: string; step: number; at: Date },
  ): Promise<boolean> {
    const rows = await db.sql(
      `UPDATE totp_secrets SET secret = pending_secret, pending_secret = NULL, last_step = $3
       WHERE user_id = $1 AND pending_secret = $2 AND secret IS NULL RETURNING 1`,
      [userId, pendingSecret, step],
    );
    if (rows.length === 0) return false;
    await db.sql('UPDATE users SET mfa_activated_at = $2, updated_at = now() WHERE id = $1', [userId, at]);
    return true;
  }

  /** Takes a time step of this secret; returns false for one that was taken, or where the secret has been changed. */
  async takeStep(db: Database, userId: string, secret: string, step: number): Promise<boolean> {
    const rows = await db.sql(
      'UPDATE totp_secrets SET last_step = $3 WHERE user_id = $1 AND secret = $2 AND last_step < $3 RETURNING 1',
      [userId, secret, step],
    );
    return rows.length > 0;
  }

  async takeRecoveryCode(db: Database, userId: string, digest: string): Promise<boolean> {
    const rows = await db.sql('DELETE FROM recovery_codes WHERE user_id = $1 AND digest = $2 RETURNING 1', [
      userId,
      digest,
    ]);
    return rows.length > 0;
  }

  async replaceRecoveryCodes(db: Database, userId: string, digests: string[], at: Date): Promise<void> {
    await db.sql('UPDATE totp_secrets SET recovery_generated_at = $2 WHERE user_id = $1', [userId, at]);
    await db.sql('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
    await db.sql('INSERT INTO recovery_codes (digest, user_id) SELECT unnest($2::text[]), $1', [
      userId,
      digests,
    ]);
  }

  async remove(db: Database, userId: string): Promise<void> {
    await db.sql('UPDATE users SET mfa_activated_at = NULL, updated_at = now() WHERE id = $1', [userId]);
    await db.sql('DELETE FROM totp_secrets WHERE user_id = $1', [userId]);
    await db.sql('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
  }

  /** Returns false for a challenge that was answered before. */
  async takeChallenge(db: Database, id: string, lifetimeSeconds: number): Promise<boolean> {
    const rows = await db.sql(
      `INSERT INTO answered_challenges (id, expires_at) VALUES ($1, now() + make_interval(secs => $2))
       ON CONFLICT (id) DO NOTHING RETURNING 1`,
      [id, lifetimeSeconds],
    );
    return rows.length > 0;
  }
}

import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Counter, CreatedAt, Id, NullableText, Reference, Timestamp } from '../../database/columns.ts';
import { User } from './user.entity.ts';

/**
 * Encrypted secrets of a person's authenticator app: the active secret, and a pending secret while the person
 * sets up a new app.
 */
@Entity('totp_secrets')
@Index('uq_totp_secrets_user_id', ['userId'], { unique: true })
export class TotpSecret {
  @Id('totp_secrets') id!: string;
  @Reference('totp_secrets', 'user_id', () => User) userId!: string;
  @NullableText('secret') secret!: string | null;
  @NullableText('pending_secret') pendingSecret!: string | null;
  /**
   * Time step (RFC 6238) of the last accepted code. Codes of this step and of earlier steps are refused, so
   * that each code works once.
   */
  @Counter('last_step') lastStep!: number;
  @Timestamp('recovery_generated_at', { nullable: true }) recoveryGeneratedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}

/**
 * A recovery code, which replaces the code of an authenticator app once. `digest` is the code's SHA-256 in
 * hex.
 */
@Entity('recovery_codes')
@Index('ix_recovery_codes_user_id', ['userId'])
export class RecoveryCode {
  @PrimaryColumn({ name: 'digest', type: 'text', primaryKeyConstraintName: 'pk_recovery_codes' })
  digest!: string;
  @Reference('recovery_codes', 'user_id', () => User) userId!: string;
}

/**
 * A second-factor challenge that was already answered, and must not be answered again. The row is stored
 * until the challenge expires.
 */
@Entity('answered_challenges')
@Index('ix_answered_challenges_expires_at', ['expiresAt'])
export class AnsweredChallenge {
  @Id('answered_challenges')
  id!: string;
  @Timestamp('expires_at') expiresAt!: Date;
}

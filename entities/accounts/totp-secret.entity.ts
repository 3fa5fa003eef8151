import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Counter, CreatedAt, Id, NullableText, Reference, Timestamp } from '../../database/columns.ts';
import { User } from './user.entity.ts';

/** What somebody's authenticator app knows, sealed: the secret that signing in asks for, and one that is being set up. */
@Entity('totp_secrets')
@Index('uq_totp_secrets_user_id', ['userId'], { unique: true })
export class TotpSecret {
  @Id('totp_secrets') id!: string;
  @Reference('totp_secrets', 'user_id', () => User) userId!: string;
  @NullableText('secret') secret!: string | null;
  @NullableText('pending_secret') pendingSecret!: string | null;
  /** The time step of the last code that was taken; no step up to it is taken again. */
  @Counter('last_step') lastStep!: number;
  @Timestamp('recovery_generated_at', { nullable: true }) recoveryGeneratedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}

/** A code for whoever has lost the authenticator app: good once. `digest` is its SHA-256 in hex. */
@Entity('recovery_codes')
@Index('ix_recovery_codes_user_id', ['userId'])
export class RecoveryCode {
  @PrimaryColumn({ name: 'digest', type: 'text', primaryKeyConstraintName: 'pk_recovery_codes' })
  digest!: string;
  @Reference('recovery_codes', 'user_id', () => User) userId!: string;
}

/** A question for the second factor that has been answered, until it would have expired. */
@Entity('answered_challenges')
@Index('ix_answered_challenges_expires_at', ['expiresAt'])
export class AnsweredChallenge {
  @Id('answered_challenges')
  id!: string;
  @Timestamp('expires_at') expiresAt!: Date;
}

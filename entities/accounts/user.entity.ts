import { Entity, Index } from 'typeorm';
import { CreatedAt, Flag, Id, NullableText, Text, Timestamp, UpdatedAt } from '../../database/columns.ts';

/** A person's account. `email` is stored in lower case. */
@Entity('users')
@Index('uq_users_email', ['email'], { unique: true })
export class User {
  @Id('users') id!: string;
  @Text('email') email!: string;
  @Text('full_name') fullName!: string;
  @NullableText('password_hash') passwordHash!: string | null;
  @Timestamp('email_verified_at', { nullable: true }) emailVerifiedAt!: Date | null;
  @NullableText('avatar_url') avatarUrl!: string | null;
  /** False while the account is being deleted. An inactive account has no rights and cannot sign in. */
  @Flag('is_active', true) isActive!: boolean;
  @Timestamp('last_sign_in_at', { nullable: true }) lastSignInAt!: Date | null;
  /** Time at which the person activated the second factor; null if sign-in requires none. */
  @Timestamp('mfa_activated_at', { nullable: true }) mfaActivatedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}

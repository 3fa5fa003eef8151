import { Entity, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, Id, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import { User } from './user.entity.ts';

/**
 * A person's identity at an external identity provider. `subject` is unique per issuer, and identifies the
 * person; other claims are not trusted.
 */
@Entity('linked_identities')
@Index('uq_linked_identities_issuer_subject', ['issuer', 'subject'], { unique: true })
@Index('uq_linked_identities_user_id_provider', ['userId', 'provider'], { unique: true })
export class LinkedIdentity {
  @Id('linked_identities') id!: string;
  @Reference('linked_identities', 'user_id', () => User) userId!: string;
  /** Name of the identity provider in Parley's settings. */
  @Text('provider') provider!: string;
  @Text('issuer') issuer!: string;
  @Text('subject') subject!: string;
  /**
   * Email address at the identity provider. This claim does not prove that the person owns an account with
   * the same email address.
   */
  @NullableText('email') email!: string | null;
  @Timestamp('last_login_at', { nullable: true }) lastLoginAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}

/**
 * A sign-in that was redirected to an identity provider. The provider's callback can complete it once.
 * Digests are SHA-256 in hex.
 */
@Entity('identity_attempts')
@Index('ix_identity_attempts_expires_at', ['expiresAt'])
export class IdentityAttempt {
  @PrimaryColumn({
    name: 'verifier_digest',
    type: 'text',
    primaryKeyConstraintName: 'pk_identity_attempts',
  })
  verifierDigest!: string;
  @Text('state_digest') stateDigest!: string;
  @Text('provider') provider!: string;
  @Timestamp('expires_at') expiresAt!: Date;
}

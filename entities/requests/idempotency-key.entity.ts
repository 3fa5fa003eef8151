import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { CreatedAt, Flag, Integer, Text, Timestamp } from '../../database/columns.ts';

const primaryKey = { primaryKeyConstraintName: 'pk_idempotency_keys' };

/**
 * The response of a write that named an Idempotency-Key; it is sealed by the master key, for it may show a secret that is shown once,
 * and by its workspace's besides where it shows content.
 */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_expires_at', ['expiresAt'])
@Index('ix_idempotency_keys_org', ['orgId', 'createdAt', 'id'], { where: 'org_id IS NOT NULL' })
@Index('uq_idempotency_keys_id', ['id'], { unique: true, where: 'id IS NOT NULL' })
export class IdempotencyKey {
  /** Who sent it: an API key, a visitor's conversation, or an address. */
  @PrimaryColumn({ name: 'principal', type: 'text', collation: 'C', ...primaryKey }) principal!: string;
  @PrimaryColumn({ name: 'key', type: 'text', collation: 'C', ...primaryKey }) key!: string;
  /** SHA-256 of what was asked, in base64url. */
  @Text('fingerprint') fingerprint!: string;
  @Integer('status') status!: number;
  /** Empty where the write recognises its repeats itself. */
  @Sealed() @Column({ name: 'sealed_body', type: 'text' }) sealedBody!: Sealed<string>;
  /** Of a response that shows content: whose it is, and what it is called there. */
  @Column({ name: 'org_id', type: 'uuid', nullable: true }) orgId!: string | null;
  @Column({ name: 'id', type: 'uuid', nullable: true }) id!: string | null;
  @KeyId() keyId!: string | null;
  /** False while the response waits, after its commit, for what completes it. */
  @Flag('is_final', true) isFinal!: boolean;
  @CreatedAt() createdAt!: Date;
  @Timestamp('expires_at') expiresAt!: Date;
}

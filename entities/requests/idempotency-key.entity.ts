import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { CreatedAt, Flag, Integer, Text, Timestamp } from '../../database/columns.ts';

const primaryKey = { primaryKeyConstraintName: 'pk_idempotency_keys' };

/**
 * The stored response to a write request with an Idempotency-Key. The row is encrypted with the master key,
 * because a response may contain a secret that is shown only once. A response with content is also encrypted
 * with the workspace's key.
 */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_expires_at', ['expiresAt'])
@Index('ix_idempotency_keys_org', ['orgId', 'createdAt', 'id'], { where: 'org_id IS NOT NULL' })
@Index('uq_idempotency_keys_id', ['id'], { unique: true, where: 'id IS NOT NULL' })
export class IdempotencyKey {
  /** Caller that sent the request: an API key, a visitor's conversation, or an IP address. */
  @PrimaryColumn({ name: 'principal', type: 'text', collation: 'C', ...primaryKey }) principal!: string;
  @PrimaryColumn({ name: 'key', type: 'text', collation: 'C', ...primaryKey }) key!: string;
  /** SHA-256 of the request in base64url, by which a different request with the same key is detected. */
  @Text('fingerprint') fingerprint!: string;
  @Integer('status') status!: number;
  /** Encrypted body of the stored response. Empty if the operation itself recognizes a repeated write. */
  @Sealed() @Column({ name: 'sealed_body', type: 'text' }) sealedBody!: Sealed<string>;
  /** Workspace and id for which a response body with content is encrypted; null for other bodies. */
  @Column({ name: 'org_id', type: 'uuid', nullable: true }) orgId!: string | null;
  @Column({ name: 'id', type: 'uuid', nullable: true }) id!: string | null;
  @KeyId() keyId!: string | null;
  /**
   * Whether the response is complete. False if the write is committed, but the last part of its response is
   * not stored yet.
   */
  @Flag('is_final', true) isFinal!: boolean;
  @CreatedAt() createdAt!: Date;
  @Timestamp('expires_at') expiresAt!: Date;
}

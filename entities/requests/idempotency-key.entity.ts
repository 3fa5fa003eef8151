import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, Flag, Integer, Text, Timestamp } from '../../database/columns.ts';

const primaryKey = { primaryKeyConstraintName: 'pk_idempotency_keys' };

/** The response of a write that named an Idempotency-Key; it is sealed, for it may show a secret that is shown once. */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_expires_at', ['expiresAt'])
export class IdempotencyKey {
  /** Who sent it: an API key, a visitor's conversation, or an address. */
  @PrimaryColumn({ name: 'principal', type: 'text', collation: 'C', ...primaryKey }) principal!: string;
  @PrimaryColumn({ name: 'key', type: 'text', collation: 'C', ...primaryKey }) key!: string;
  /** SHA-256 of what was asked, in base64url. */
  @Text('fingerprint') fingerprint!: string;
  @Integer('status') status!: number;
  /** Empty where the write recognises its repeats itself. */
  @Column({ name: 'sealed_body', type: 'text' }) sealedBody!: string;
  /** False while the response waits, after its commit, for what completes it. */
  @Flag('is_final', true) isFinal!: boolean;
  @CreatedAt() createdAt!: Date;
  @Timestamp('expires_at') expiresAt!: Date;
}

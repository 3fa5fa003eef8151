import { Entity, Index } from 'typeorm';
import { CreatedAt, Id, NullableText, Text, Timestamp, UpdatedAt } from './columns.ts';

/** A person's account. `email` is kept in lower case. */
@Entity('users')
@Index('uq_users_email', ['email'], { unique: true })
export class User {
  @Id('users') id!: string;
  @Text('email') email!: string;
  @Text('full_name') fullName!: string;
  @NullableText('password_hash') passwordHash!: string | null;
  @Timestamp('email_verified_at', { nullable: true }) emailVerifiedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}

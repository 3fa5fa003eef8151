import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Reference, Text, Timestamp } from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';
import { Org } from './org.entity.ts';

export const deviceLoginStatuses = ['pending', 'approved', 'denied', 'consumed'] as const;
export type DeviceLoginStatus = (typeof deviceLoginStatuses)[number];

/**
 * A login that a device without a browser has started (RFC 8628). The device authenticates with its device
 * code; the row contains the code's SHA-256 in hex. A person finds the login by `userCode`. Until the device
 * collects its key, there is no key.
 */
@Entity('device_logins')
@Index('uq_device_logins_device_digest', ['deviceDigest'], { unique: true })
@Index('uq_device_logins_user_code', ['userCode'], { unique: true })
@Index('ix_device_logins_expires_at', ['expiresAt'])
@Index('ix_device_logins_org_id', ['orgId'])
@Index('ix_device_logins_user_id', ['userId'])
export class DeviceLogin {
  @Id('device_logins') id!: string;
  @Text('device_digest') deviceDigest!: string;
  @Text('user_code') userCode!: string;
  /** Name that the device gave itself; it is not verified. */
  @Text('client_name') clientName!: string;
  @Text('ip') ip!: string;
  @Text('status', { default: 'pending' }) status!: DeviceLoginStatus;
  /** Workspace for which the device's API key is approved. */
  @Reference('device_logins', 'org_id', () => Org, { nullable: true }) orgId!: string | null;
  /** Account that has approved or denied the device's login. */
  @Reference('device_logins', 'user_id', () => User, { nullable: true }) userId!: string | null;
  /** Scopes of the API key that is approved for the device. */
  @Column({ name: 'scopes', type: 'text', array: true, default: () => "'{}'" }) scopes!: string[];
  @Timestamp('last_polled_at', { nullable: true }) lastPolledAt!: Date | null;
  @Timestamp('expires_at') expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}

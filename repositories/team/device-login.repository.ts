import { IsNull } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { insertOrIgnore, updateReturning } from '../../database/returning.ts';
import { fromNow, isInFuture, isOlderThan } from '../../database/times.ts';
import { DeviceLogin } from '../../entities/team/device-login.entity.ts';

export type NewDeviceLogin = Pick<DeviceLogin, 'id' | 'deviceDigest' | 'userCode' | 'clientName' | 'ip'> & {
  lifetimeSeconds: number;
};
export type Approval = Pick<DeviceLogin, 'orgId' | 'userId' | 'scopes'>;

/** Stores logins that a device has started. An expired login counts as missing. */
export class DeviceLoginRepository {
  /** Stores a device login. Returns null if another login has its user code. */
  insert(db: Database, { lifetimeSeconds, ...login }: NewDeviceLogin): Promise<DeviceLogin | null> {
    return insertOrIgnore(db.repository(DeviceLogin), {
      ...login,
      expiresAt: fromNow(lifetimeSeconds, 'secs'),
    });
  }

  find(db: Database, userCode: string): Promise<DeviceLogin | null> {
    return db.repository(DeviceLogin).findOneBy({ userCode, expiresAt: isInFuture() });
  }

  /** Finds a device login like `find`, and locks the login until the transaction ends. */
  findLocked(db: Database, userCode: string): Promise<DeviceLogin | null> {
    return this.#lock(db, { userCode });
  }

  /** Finds the login of a device by the device's code, and locks it until the transaction ends. */
  findByDeviceLocked(db: Database, deviceDigest: string): Promise<DeviceLogin | null> {
    return this.#lock(db, { deviceDigest });
  }

  /**
   * Records that a device asked whether its login was approved. Returns false if it last asked less than this
   * number of seconds ago.
   */
  async markPolled(db: Database, id: string, seconds: number): Promise<boolean> {
    const { affected } = await db.repository(DeviceLogin).update(
      [
        { id, lastPolledAt: IsNull() },
        { id, lastPolledAt: isOlderThan(`make_interval(secs => ${seconds})`) },
      ],
      { lastPolledAt: () => 'now()' },
    );
    return affected === 1;
  }

  markApproved(db: Database, id: string, approval: Approval): Promise<DeviceLogin> {
    return this.#update(db, id, { ...approval, status: 'approved' });
  }

  markDenied(db: Database, id: string, userId: string): Promise<DeviceLogin> {
    return this.#update(db, id, { userId, status: 'denied' });
  }

  /**
   * Denies the device logins that the user has approved and whose devices have not collected an API key.
   * Waits for a device that is collecting its key.
   */
  async denyApproved(db: Database, userId: string): Promise<void> {
    await db.repository(DeviceLogin).update({ userId, status: 'approved' }, { status: 'denied' });
  }

  async markConsumed(db: Database, id: string): Promise<void> {
    await this.#update(db, id, { status: 'consumed' });
  }

  #lock(
    db: Database,
    where: Partial<Pick<DeviceLogin, 'userCode' | 'deviceDigest'>>,
  ): Promise<DeviceLogin | null> {
    return db.repository(DeviceLogin).findOne({
      where: { ...where, expiresAt: isInFuture() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async #update(db: Database, id: string, changes: Partial<DeviceLogin>): Promise<DeviceLogin> {
    const [login] = await updateReturning(db.repository(DeviceLogin), { id }, changes);
    return login!;
  }
}

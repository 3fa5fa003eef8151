import { In, IsNull, type QueryDeepPartialEntity } from 'typeorm';
import { lockName } from '../../database/advisory-lock.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import {
  OrgEncryption,
  type EncryptionMode,
  type ResealCursor,
} from '../../entities/encryption/org-encryption.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

const IS_STABLE = "state.mode = 'platform' AND NOT state.isSealing";

export class OrgEncryptionRepository {
  find({ db, orgId }: OrgScope): Promise<OrgEncryption | null> {
    return db.repository(OrgEncryption).findOneBy({ orgId });
  }

  /**
   * Returns the workspace's encryption state and locks it until the transaction ends. Inserts the row if none
   * exists.
   */
  async lock({ db, orgId }: OrgScope): Promise<OrgEncryption> {
    const rows = db.repository(OrgEncryption);
    await lockEncryptionName(db, orgId);
    await insertOrIgnore(rows, { orgId });
    return rows.findOneOrFail({ where: { orgId }, lock: { mode: 'pessimistic_write' } });
  }

  /**
   * Returns the workspace's encryption state and prevents changes until the transaction ends, even if the row
   * is missing.
   */
  async findLocked({ db, orgId }: OrgScope): Promise<OrgEncryption | null> {
    await lockEncryptionName(db, orgId);
    return this.find({ db, orgId });
  }

  /** Returns the encryption states of the workspaces. Skips workspaces without a stored state. */
  list(db: Database, orgIds: readonly string[]): Promise<OrgEncryption[]> {
    return db.repository(OrgEncryption).findBy({ orgId: In(orgIds) });
  }

  /**
   * Counts workspaces whose content is being encrypted or decrypted or whose tables are being rewritten
   * (`sealing`), and workspaces with a failing key service (`failing`).
   */
  async count(db: Database): Promise<{ sealing: number; failing: number }> {
    const counts = await db
      .repository(OrgEncryption)
      .createQueryBuilder('state')
      .select('count(*) FILTER (WHERE state.isSealing OR state.tracesSince IS NOT NULL)::int', 'sealing')
      .addSelect('count(state.serviceFailedAt)::int', 'failing')
      .getRawOne<{ sealing: number; failing: number }>();
    return counts!;
  }

  /** Counts workspaces with this encryption mode whose content is being encrypted or decrypted. */
  countSealing(db: Database, mode: EncryptionMode): Promise<number> {
    return db.repository(OrgEncryption).countBy({ mode, isSealing: true });
  }

  /**
   * Lists workspaces with the mode `platform` whose content must be encrypted or decrypted, and is not
   * being processed yet. Also returns their total number.
   */
  async listNeedingReseal(
    db: Database,
    seals: boolean,
    limit: number,
  ): Promise<{ orgIds: string[]; total: number }> {
    const query = db
      .repository(Org)
      .createQueryBuilder('org')
      .leftJoin(OrgEncryption, 'state', 'state.orgId = org.id')
      .where('org.deletedAt IS NULL')
      .andWhere(
        seals
          ? `(state.orgId IS NULL OR ${IS_STABLE} AND NOT state.isAllSealed)`
          : `${IS_STABLE} AND state.keyVersion IS NOT NULL`,
      );
    const total = await query.getCount();
    const orgs = await query.select('org.id').orderBy('org.id').limit(limit).getMany();
    return { orgIds: orgs.map(({ id }) => id), total };
  }

  /**
   * Stores the progress of encrypting or decrypting a workspace's content. Has no effect if the encryption
   * mode was switched since the state was read.
   */
  async advance(
    { db, orgId }: OrgScope,
    { switchedAt }: Pick<OrgEncryption, 'switchedAt'>,
    cursor: ResealCursor,
    converted: number,
  ): Promise<void> {
    const resealedRows = () => `resealed_rows + ${converted}`;
    const unchangedState = { orgId, isSealing: true, switchedAt: switchedAt ?? IsNull() };
    await db.repository(OrgEncryption).update(unchangedState, { cursor, resealedRows });
  }

  /**
   * Stores that the database files contain no old plain-text row versions of a workspace. Has no effect if
   * content was encrypted since then.
   */
  async clearTraces({ db, orgId }: OrgScope, since: Date): Promise<void> {
    await db.repository(OrgEncryption).update({ orgId, tracesSince: since }, { tracesSince: null });
  }

  /**
   * Lists workspaces whose plain-text row versions have stayed in database files for at least this time,
   * because their workflow may be lost.
   */
  async listWithTraces(db: Database, olderThanMinutes: number, limit: number): Promise<string[]> {
    const rows = await db
      .repository(OrgEncryption)
      .createQueryBuilder('state')
      .select('state.orgId')
      .where('state.tracesSince < now() - make_interval(mins => :olderThanMinutes)', { olderThanMinutes })
      .andWhere('NOT state.isSealing')
      .orderBy('state.tracesSince')
      .limit(limit)
      .getMany();
    return rows.map(({ orgId }) => orgId);
  }

  async update({ db, orgId }: OrgScope, changes: QueryDeepPartialEntity<OrgEncryption>): Promise<void> {
    await db.repository(OrgEncryption).update({ orgId }, changes);
  }
}

/** Serializes transactions that switch a workspace's encryption mode or depend on the mode. */
function lockEncryptionName(db: Database, orgId: string): Promise<void> {
  return lockName(db, `encryption ${orgId}`);
}

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

const IS_AT_REST = "state.mode = 'platform' AND NOT state.isSealing";

export class OrgEncryptionRepository {
  find({ db, orgId }: OrgScope): Promise<OrgEncryption | null> {
    return db.repository(OrgEncryption).findOneBy({ orgId });
  }

  /** Makes the row where there is none, and locks it until the transaction ends. */
  async lock({ db, orgId }: OrgScope): Promise<OrgEncryption> {
    const rows = db.repository(OrgEncryption);
    await queueFor(db, orgId);
    await insertOrIgnore(rows, { orgId });
    return rows.findOneOrFail({ where: { orgId }, lock: { mode: 'pessimistic_write' } });
  }

  /** As it is until the transaction ends, whether there is a row or not. */
  async findLocked({ db, orgId }: OrgScope): Promise<OrgEncryption | null> {
    await queueFor(db, orgId);
    return this.find({ db, orgId });
  }

  /** Of any workspaces, those that have a row. */
  list(db: Database, orgIds: readonly string[]): Promise<OrgEncryption[]> {
    return db.repository(OrgEncryption).findBy({ orgId: In(orgIds) });
  }

  /** How many workspaces are being sealed or opened, or have their tables rewritten, and how many have a key service that fails. */
  async count(db: Database): Promise<{ sealing: number; failing: number }> {
    const counts = await db
      .repository(OrgEncryption)
      .createQueryBuilder('state')
      .select('count(*) FILTER (WHERE state.isSealing OR state.tracesSince IS NOT NULL)::int', 'sealing')
      .addSelect('count(state.serviceFailedAt)::int', 'failing')
      .getRawOne<{ sealing: number; failing: number }>();
    return counts!;
  }

  /** How many workspaces of the mode are being sealed or opened. */
  countSealing(db: Database, mode: EncryptionMode): Promise<number> {
    return db.repository(OrgEncryption).countBy({ mode, isSealing: true });
  }

  /**
   * Workspaces of the mode `platform` whose content is not all kept as it is to be, and is not being converted: the first, and how many
   * there are.
   */
  async listKeptOtherwise(
    db: Database,
    isToBeSealed: boolean,
    limit: number,
  ): Promise<{ orgIds: string[]; total: number }> {
    const query = db
      .repository(Org)
      .createQueryBuilder('org')
      .leftJoin(OrgEncryption, 'state', 'state.orgId = org.id')
      .where('org.deletedAt IS NULL')
      .andWhere(
        isToBeSealed
          ? `(state.orgId IS NULL OR ${IS_AT_REST} AND NOT state.isAllSealed)`
          : `${IS_AT_REST} AND state.keyVersion IS NOT NULL`,
      );
    const total = await query.getCount();
    const orgs = await query.select('org.id').orderBy('org.id').limit(limit).getMany();
    return { orgIds: orgs.map(({ id }) => id), total };
  }

  /** Notes how far the content is converted, unless there was another switch since the state was read. */
  async advance(
    { db, orgId }: OrgScope,
    { switchedAt }: Pick<OrgEncryption, 'switchedAt'>,
    cursor: ResealCursor,
    converted: number,
  ): Promise<void> {
    const resealedRows = () => `resealed_rows + ${converted}`;
    const since = { orgId, isSealing: true, switchedAt: switchedAt ?? IsNull() };
    await db.repository(OrgEncryption).update(since, { cursor, resealedRows });
  }

  /** Notes that files hold no former versions, unless content was sealed anew since then. */
  async clearTraces({ db, orgId }: OrgScope, since: Date): Promise<void> {
    await db.repository(OrgEncryption).update({ orgId, tracesSince: since }, { tracesSince: null });
  }

  /** Workspaces whose former versions have been in files for so long that their workflow may be lost. */
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

/** Lets those who switch, and those who rely on what is, wait for each other until their transactions end. */
function queueFor(db: Database, orgId: string): Promise<void> {
  return lockName(db, `encryption ${orgId}`);
}

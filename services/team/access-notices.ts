import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { lockName } from '../../database/advisory-lock.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { AccessNoticeRow } from '../../entities/mail/access-notice.entity.ts';
import type { Device } from '../../repositories/accounts/session.repository.ts';
import type { AccessNoticeRepository } from '../../repositories/mail/access-notice.repository.ts';
import type { NoticeRepository } from '../../repositories/mail/notice.repository.ts';
import type { NoticeReader } from '../../repositories/mail/notice.sql.ts';
import { parseDeviceName } from '../accounts/device-name.ts';
import type { AccountNotices } from '../accounts/account-notices.ts';
import type { MailService } from '../mail/mail-service.ts';
import { buildAccessMail, type NoticeContent } from './access-mail.ts';
import type { AccessNotice } from './access-words.ts';

/**
 * Time after an email for which further changes of the same kind with the same credential wait, to share one
 * email. It equals the lifetime of an access token, so a stolen token causes two emails of a kind.
 */
const GATHERING_INTERVAL = "interval '15 minutes'";
/**
 * Maximum number of emails about changes of access in one sweep, each about one credential in one workspace.
 * The next sweep sends the rest.
 */
const MAX_AT_ONCE = 200;

/** Credential and device with which a change of access was made; each is null if unknown. */
export interface Actor {
  userId: string | null;
  keyId: string | null;
  device: Device | null;
}

/** A change of access to report by email, and the actor who made it. */
export interface Change {
  actor: Actor;
  /**
   * Id of the API operation that made the change, such as `createApiKey`. Changes with the same id are of one
   * kind.
   */
  kind: string;
  notice: AccessNotice;
  /** Owners who get the email, if the change may have removed one of them; by default the current owners. */
  owners?: NoticeReader[] | undefined;
}

export interface AccessNoticesDeps {
  notices: AccessNoticeRepository;
  readers: Pick<NoticeRepository, 'listReaders' | 'getOrgName'>;
  accountNotices: AccountNotices;
  mail: MailService;
  keyring: Keyring;
  clock: Clock;
  settings: Pick<Settings, 'baseUrl'>;
}

/**
 * Sends emails to a workspace's owners, and the actor, about changes that give lasting access or export
 * content. The first change of a kind is emailed at once. Changes in the next minutes share one email, so
 * that an attacker cannot hide a change among many emails.
 */
export class AccessNotices {
  readonly #deps: AccessNoticesDeps;

  constructor(deps: AccessNoticesDeps) {
    this.#deps = deps;
  }

  /**
   * Lists the owners of the workspace; if it has none, the owners of the nearest workspace above it. Call
   * this before a change that may remove an owner.
   */
  listOwners(scope: OrgScope): Promise<NoticeReader[]> {
    return this.#deps.readers.listReaders(scope, ['owner']);
  }

  /**
   * Queues the emails about a change of access in the change's own transaction.
   * @param orgId null for an account without a workspace, which has no owners to email
   */
  async notify(db: Database, orgId: string | null, change: Change): Promise<void> {
    const { actor, notice } = change;
    const { person } = notice;
    if (typeof person === 'object' && actor.userId !== null)
      await this.#deps.accountNotices.notify(db, { ...actor, userId: actor.userId, orgId }, person);
    if (orgId !== null) await this.#notifyReaders({ db, orgId }, change);
  }

  async #notifyReaders(target: OrgScope, { actor, kind, notice, owners }: Change): Promise<void> {
    const { notices, keyring, clock } = this.#deps;
    const readers = await this.#findReaders(target, actor, notice, owners);
    if (readers.length === 0) return;
    const orgName = await this.#deps.readers.getOrgName(target);
    const content: NoticeContent = {
      subject: notice.subject(orgName),
      orgName,
      orgId: target.orgId,
      items: [...notice.items],
      page: notice.page,
      ...(await this.#describeActor(target.db, actor)),
      at: clock.now().toISOString(),
    };
    const id = newId();
    const row = {
      id,
      actor: toActorKey(actor),
      kind,
      readerIds: readers.map(({ userId }) => userId),
      content: keyring.seal(JSON.stringify(content), noticeContext(id)),
    };
    // Locks the workspace's emails about access, so that two concurrent changes do not both count as the
    // first.
    await lockName(target.db, toNoticeLock(target));
    if (await notices.hasSent(target, row, GATHERING_INTERVAL)) return notices.insertWaiting(target, row);
    await notices.insertSent(target, row);
    for (const reader of readers) await this.#mailNotices(target.db, reader, [content]);
  }

  /** Sends the emails about changes of access that have waited long enough. Returns the number of emails. */
  async sendGathered(database: Database): Promise<number> {
    const { notices } = this.#deps;
    let sentCount = 0;
    for (const { orgId, actor } of await notices.listDue(database, GATHERING_INTERVAL, MAX_AT_ONCE))
      sentCount += await this.#sendWaiting({ orgId, db: database }, actor);
    await notices.deleteSent(database, GATHERING_INTERVAL);
    return sentCount;
  }

  /** Sends the emails about all waiting changes of access to a workspace that is about to be deleted. */
  async flush(scope: OrgScope): Promise<void> {
    for (const actor of await this.#deps.notices.listWaitingActors(scope))
      await this.#sendWaiting(scope, actor);
  }

  #sendWaiting(scope: OrgScope, actor: string): Promise<number> {
    const { notices } = this.#deps;
    return inTransaction(scope, async (tx) => {
      await lockName(tx.db, toNoticeLock(tx));
      const waiting = await notices.listWaiting(tx, actor);
      const contents = new Map(waiting.map((row) => [row.id, this.#decryptNotices(row)]));
      const readers = await notices.listReaders(tx.db, [...new Set(waiting.flatMap((row) => row.readerIds))]);
      for (const reader of readers) {
        const readerRows = waiting.filter(({ readerIds }) => readerIds.includes(reader.userId));
        const items = readerRows.flatMap(({ id }) => contents.get(id) ?? []);
        if (items.length > 0) await this.#mailNotices(tx.db, reader, items);
      }
      await notices.markSent(tx, actor);
      return readers.length;
    });
  }

  /**
   * Lists the recipients of an email about a change of access. The actor gets the email regardless of their
   * role, because the session may be stolen.
   */
  async #findReaders(
    scope: OrgScope,
    { userId, keyId }: Actor,
    { readers, person, except = [], otherOrgId }: AccessNotice,
    owners: NoticeReader[] | undefined,
  ): Promise<NoticeReader[]> {
    const { notices } = this.#deps;
    const actorId = keyId === null ? userId : null;
    const candidates = readers === 'actor' ? [] : (owners ?? (await this.listOwners(scope)));
    const otherOrgOwners = otherOrgId ? await this.listOwners({ ...scope, orgId: otherOrgId }) : [];
    const byId = new Map([...candidates, ...otherOrgOwners].map((owner) => [owner.userId, owner]));
    const others = [...byId.values()].filter(
      (owner) => owner.userId !== actorId && !except.includes(owner.userId),
    );
    if (actorId === null || person !== undefined) return others;
    return [...(await notices.listReaders(scope.db, [actorId])), ...others];
  }

  async #describeActor(
    db: Database,
    { userId, keyId, device }: Actor,
  ): Promise<Pick<NoticeContent, 'actorId' | 'actor' | 'keyName' | 'place'>> {
    const { notices } = this.#deps;
    const key = keyId === null ? null : await notices.findKey(db, keyId);
    const id = key?.createdById ?? userId;
    const person = id === null ? null : await notices.findPerson(db, id);
    const name = person === null ? 'unknown' : `${person.fullName} (${person.email})`;
    const keyName = key?.name ?? null;
    return {
      actorId: keyId === null ? userId : null,
      actor: keyName === null ? name : `the API key “${keyName}” of ${name}`,
      keyName,
      place: device === null ? 'unknown' : `${device.ip}, ${parseDeviceName(device.userAgent)}`,
    };
  }

  async #mailNotices(db: Database, reader: NoticeReader, noticeContents: NoticeContent[]): Promise<void> {
    const { mail, settings } = this.#deps;
    const { userId, email: to } = reader;
    // Queues the email without its workspace, because a deleted workspace's emails are deleted, too.
    await mail.send(db, {
      to,
      userId,
      template: 'access_notice',
      data: buildAccessMail(reader, noticeContents, settings),
    });
  }

  #decryptNotices({ id, content }: AccessNoticeRow): NoticeContent[] {
    return content === null
      ? []
      : [JSON.parse(this.#deps.keyring.open(content, noticeContext(id))) as NoticeContent];
  }
}

function toActorKey({ userId, keyId }: Actor): string {
  if (keyId !== null) return `key:${keyId}`;
  return userId === null ? 'unknown' : `user:${userId}`;
}

function toNoticeLock({ orgId }: OrgScope): string {
  return `access notices ${orgId}`;
}

function noticeContext(id: string): string {
  return `access_notices.content:${id}`;
}

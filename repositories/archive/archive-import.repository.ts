import { Any, IsNull, Not, type QueryDeepPartialEntity } from 'typeorm';
import { contentKeysOf } from '../../database/content-keys.ts';
import { requireContent, sealedRow, sealedWith } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Handoff } from '../../entities/analytics/handoff.entity.ts';
import { DeletedAccount } from '../../entities/accounts/deleted-account.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { VisitorConsent } from '../../entities/contacts/visitor-consent.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { DeletedConversation } from '../../entities/conversations/deleted-conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { digestOfAccount } from '../accounts/account.repository.ts';
import type { Browser } from '../contacts/visitor.ts';
import { INSERT_BROUGHT_MESSAGES, type BroughtMessage } from './archive-import.sql.ts';

export type BroughtConversation = Omit<
  Conversation,
  | 'orgId'
  | 'isInFlow'
  | 'lastMessageHour'
  | 'handoffRequestedAt'
  | 'handoffReason'
  | 'assignedToId'
  | 'assignedAt'
  | 'keyId'
>;
export type BroughtContact = Omit<Contact, 'orgId' | 'deletedAt' | 'keyId'>;
export type BroughtHandoff = Omit<Handoff, 'orgId'>;
export type BroughtConsent = Omit<VisitorConsent, 'orgId'>;

const IDENTIFIED = ['id', 'orgId', 'botId', 'browserId', 'identity', 'erasedIds', 'deletedAt'] as const;
export type KnownContact = Pick<Contact, (typeof IDENTIFIED)[number]>;

/** What imports find and write. Ids are looked for in all workspaces: an id is one row's wherever that is. */
export class ArchiveImportRepository {
  /** Those that have these ids, deleted ones too. */
  listBots({ db }: OrgScope, ids: readonly string[]): Promise<Pick<Bot, 'id' | 'orgId' | 'deletedAt'>[]> {
    return db
      .repository(Bot)
      .find({ where: { id: Any(ids) }, select: { id: true, orgId: true, deletedAt: true } });
  }

  listConversations(
    { db }: OrgScope,
    ids: readonly string[],
  ): Promise<Pick<Conversation, 'id' | 'orgId' | 'botId'>[]> {
    return db
      .repository(Conversation)
      .find({ where: { id: Any(ids) }, select: { id: true, orgId: true, botId: true } });
  }

  /** Of these ids, those that are remembered of deleted conversations of other workspaces. */
  async listDeletedElsewhere({ db, orgId }: OrgScope, ids: readonly string[]): Promise<string[]> {
    const rows = await db
      .repository(DeletedConversation)
      .find({ where: { id: Any(ids), orgId: Not(orgId) }, select: { id: true } });
    return rows.map(({ id }) => id);
  }

  /** Of these ids, those that messages have. */
  async listMessageIds({ db }: OrgScope, ids: readonly string[]): Promise<string[]> {
    const rows = await db.repository(Message).find({ where: { id: Any(ids) }, select: { id: true } });
    return rows.map(({ id }) => id);
  }

  /** Those that have these ids, of whichever workspace, erased ones too. */
  listContacts({ db }: OrgScope, ids: readonly string[]): Promise<KnownContact[]> {
    return db
      .repository(Contact)
      .createQueryBuilder('row')
      .select(IDENTIFIED.map((property) => `row.${property}`))
      .where({ id: Any(ids) })
      .getMany();
  }

  /** Those of the workspace that have taken over a contact of these ids, have one of these identities, or one of these browsers anonymously. */
  async listContactsBy(
    { db, orgId }: OrgScope,
    {
      ids,
      identities,
      browsers,
    }: { ids: readonly string[]; identities: readonly string[]; browsers: readonly Browser[] },
  ): Promise<KnownContact[]> {
    const query = db
      .repository(Contact)
      .createQueryBuilder('row')
      .select(IDENTIFIED.map((property) => `row.${property}`))
      .where('row.orgId = :orgId AND row.deletedAt IS NULL', { orgId });
    const isOneOf = `(row.identity = ANY(:identities) OR row.erasedIds && :ids::uuid[] OR row.identity IS NULL
      AND (row.botId, row.browserId) IN (SELECT * FROM unnest(:botIds::uuid[], :browserIds::uuid[])))`;
    return query
      .andWhere(isOneOf, {
        identities,
        ids,
        botIds: browsers.map(({ botId }) => botId),
        browserIds: browsers.map(({ browserId }) => browserId),
      })
      .getMany();
  }

  /** What these visitors, anonymous or verified, have said of consent. */
  async listConsents(
    { db, orgId }: OrgScope,
    {
      ids,
      browsers,
      contactIds,
    }: { ids: readonly string[]; browsers: readonly Browser[]; contactIds: readonly string[] },
  ): Promise<VisitorConsent[]> {
    return db
      .repository(VisitorConsent)
      .createQueryBuilder('row')
      .where('row.orgId = :orgId', { orgId })
      .andWhere(
        `(row.id = ANY(:ids) OR row.contactId = ANY(:contactIds) OR row.contactId IS NULL
          AND (row.botId, row.browserId) IN (SELECT * FROM unnest(:botIds::uuid[], :browserIds::uuid[])))`,
        {
          ids,
          contactIds,
          botIds: browsers.map(({ botId }) => botId),
          browserIds: browsers.map(({ browserId }) => browserId),
        },
      )
      .getMany();
  }

  /** Of these accounts, those that were deleted here. None of the others is deleted before the transaction ends. */
  async listDeletedAccounts({ db }: OrgScope, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const lock = { mode: 'for_key_share' } as const;
    await db.repository(User).find({ where: { id: Any(ids) }, select: { id: true }, lock });
    const idOf = new Map(ids.map((id) => [digestOfAccount(id), id]));
    const rows = await db.repository(DeletedAccount).findBy({ id: Any([...idOf.keys()]) });
    return rows.map(({ id }) => idOf.get(id)!);
  }

  /**
   * Returns the ids of those that were written; of the others, somebody was quicker with a contact of the same visitor.
   * @throws AppError `key_unavailable`, as all that write content do
   */
  async insertContacts({ db, orgId }: OrgScope, contacts: readonly BroughtContact[]): Promise<Set<string>> {
    if (contacts.length === 0) return new Set();
    const key = await contentKeysOf(db.dataSource).current(orgId);
    const stored = contacts.map((row) => sealedWith(requireContent(Contact), key, { ...row, orgId }));
    const insert = db.repository(Contact).createQueryBuilder().insert().orIgnore().returning('id');
    const { raw } = await insert
      .values(stored as QueryDeepPartialEntity<Contact>[])
      .updateEntity(false)
      .execute();
    return new Set((raw as { id: string }[]).map(({ id }) => id));
  }

  async insertConversations({ db, orgId }: OrgScope, rows: readonly BroughtConversation[]): Promise<void> {
    if (rows.length === 0) return;
    const stored = await Promise.all(
      rows.map((row) => sealedRow(db.dataSource, Conversation, { ...row, orgId })),
    );
    await db
      .repository(Conversation)
      .createQueryBuilder()
      .insert()
      .values(stored as QueryDeepPartialEntity<Conversation>[])
      .updateEntity(false)
      .execute();
  }

  async insertMessages({ db, orgId }: OrgScope, rows: readonly BroughtMessage[]): Promise<void> {
    if (rows.length === 0) return;
    const key = await contentKeysOf(db.dataSource).current(orgId);
    const stored = rows.map((row) => sealedWith(requireContent(Message), key, row));
    await db.run(INSERT_BROUGHT_MESSAGES, [JSON.stringify(stored), orgId]);
  }

  async insertHandoffs({ db, orgId }: OrgScope, rows: readonly BroughtHandoff[]): Promise<void> {
    if (rows.length > 0) await db.repository(Handoff).insert(rows.map((row) => ({ ...row, orgId })));
  }

  /** What is known of a conversation's consent stays. */
  async insertConsents({ db, orgId }: OrgScope, rows: readonly BroughtConsent[]): Promise<void> {
    if (rows.length === 0) return;
    await db
      .repository(VisitorConsent)
      .createQueryBuilder()
      .insert()
      .values(rows.map((row) => ({ ...row, orgId })))
      .orIgnore()
      .updateEntity(false)
      .execute();
  }

  /** Of a bot that is locked. */
  async countUp(
    { db, orgId }: OrgScope,
    botId: string,
    { conversations, messages }: { conversations: number; messages: number },
  ): Promise<void> {
    await db
      .repository(Bot)
      .createQueryBuilder()
      .update()
      .set({
        totalConversations: () => 'total_conversations + :conversations',
        totalMessages: () => 'total_messages + :messages',
      })
      .where({ id: botId, orgId, deletedAt: IsNull() })
      .setParameters({ conversations, messages })
      .execute();
  }
}

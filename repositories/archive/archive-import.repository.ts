import { yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';
import { cutBatches } from '../../core/cut-batches.ts';
import { And, Any, ArrayOverlap, IsNull, Not, Raw } from 'typeorm';
import { getContentKeys } from '../../database/content-keys.ts';
import { requireContent, sealRow, sealRowWith } from '../../database/content.ts';
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
import { digestAccountId } from '../accounts/account.repository.ts';
import type { Browser } from '../contacts/visitor.ts';
import {
  INSERT_IMPORTED_CONTACTS,
  INSERT_IMPORTED_CONVERSATIONS,
  INSERT_IMPORTED_MESSAGES,
  BATCH_SETTINGS,
  MERGE_WORDS,
  type ImportedContact,
  type ImportedConversation,
  type ImportedMessage,
} from './archive-import.sql.ts';

export type ImportedHandoff = Omit<Handoff, 'orgId'>;
export type ImportedConsent = Omit<VisitorConsent, 'orgId'>;

const IDENTITY_COLUMNS = {
  id: true,
  orgId: true,
  botId: true,
  browserId: true,
  identity: true,
  deletedAt: true,
} as const;
export type ContactIdentity = Pick<Contact, keyof typeof IDENTITY_COLUMNS>;

/** A contact that was merged into a contact of the workspace. */
export interface MergedContact extends Pick<Contact, 'id' | 'identity'> {
  /** Id that the merged contact had. `id` is the contact into which it was merged. */
  formerId: string;
}

/**
 * Limits of the imported rows in one JSON parameter, by number and characters. More rows would survive into
 * V8's old generation, and longer texts would block the event loop.
 */
const ROW_BATCH_LIMITS = { maxItems: 500, maxLength: 1_000_000 };
/**
 * Number of handoffs that one INSERT imports. TypeORM needs about ten milliseconds to build a statement of
 * this size, and PostgreSQL allows 65,535 parameters.
 */
const HANDOFF_BATCH_SIZE = 200;

/**
 * Reads existing rows and inserts rows that an import reads from an archive. Searches ids in all workspaces,
 * because ids are unique across workspaces.
 */
export class ArchiveImportRepository {
  /** Lists the bots with these ids in all workspaces, including deleted bots. */
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

  /** Returns those of the given ids that belong to deleted conversations of other workspaces. */
  async listDeletedInOtherOrgs({ db, orgId }: OrgScope, ids: readonly string[]): Promise<string[]> {
    const rows = await db
      .repository(DeletedConversation)
      .find({ where: { id: Any(ids), orgId: Not(orgId) }, select: { id: true } });
    return rows.map(({ id }) => id);
  }

  /** Returns those of the given ids that belong to existing messages. */
  async listMessageIds({ db }: OrgScope, ids: readonly string[]): Promise<string[]> {
    const rows = await db.repository(Message).find({ where: { id: Any(ids) }, select: { id: true } });
    return rows.map(({ id }) => id);
  }

  /** Lists the contacts with these ids in all workspaces, including erased contacts. */
  listContacts({ db }: OrgScope, ids: readonly string[]): Promise<ContactIdentity[]> {
    return db.repository(Contact).find({ select: IDENTITY_COLUMNS, where: { id: Any(ids) } });
  }

  /**
   * Lists contacts of the workspace that have one of the identities, or are anonymous with one of the browsers. The
   * result may include unrelated contacts.
   */
  listSimilarContacts(
    { db, orgId }: OrgScope,
    { identities, browsers }: { identities: readonly string[]; browsers: readonly Browser[] },
  ): Promise<ContactIdentity[]> {
    const active = { orgId, deletedAt: IsNull() };
    return db.repository(Contact).find({
      select: IDENTITY_COLUMNS,
      where: [
        { ...active, identity: Any(identities) },
        { ...active, identity: IsNull(), ...whereBrowserIn(browsers) },
      ],
    });
  }

  /** Lists the contacts with these ids that were merged into contacts of the workspace. */
  async listMergedContacts({ db, orgId }: OrgScope, ids: readonly string[]): Promise<MergedContact[]> {
    const mergers = await db
      .repository(Contact)
      .createQueryBuilder('contact')
      .select('contact.id', 'id')
      .addSelect('contact.identity', 'identity')
      // A contact may have a thousand former ids. Loading all of them for many contacts would block the event loop.
      .addSelect('ARRAY(SELECT unnest(contact.formerIds) INTERSECT SELECT unnest(:ids::uuid[]))', 'formerIds')
      .where({
        orgId,
        deletedAt: IsNull(),
        // Repeat the condition of a partial index, so that PostgreSQL uses the index.
        formerIds: And(
          Raw((column) => `${column} <> '{}'`),
          ArrayOverlap(ids),
        ),
      })
      .setParameters({ ids })
      .getRawMany<Pick<Contact, 'id' | 'identity' | 'formerIds'>>();
    return mergers.flatMap(({ id, identity, formerIds }) =>
      formerIds.map((formerId) => ({ formerId, id, identity })),
    );
  }

  /**
   * Lists consent decisions of the given anonymous and verified visitors. The result may include decisions of
   * other visitors.
   */
  listConsents(
    { db, orgId }: OrgScope,
    {
      ids,
      browsers,
      contactIds,
    }: { ids: readonly string[]; browsers: readonly Browser[]; contactIds: readonly string[] },
  ): Promise<VisitorConsent[]> {
    return db.repository(VisitorConsent).find({
      where: [
        { orgId, id: Any(ids) },
        { orgId, contactId: Any(contactIds) },
        { orgId, contactId: IsNull(), ...whereBrowserIn(browsers) },
      ],
    });
  }

  /**
   * Returns those of the given accounts that no longer exist, and locks all other accounts against deletion
   * until the transaction ends.
   */
  async listDeletedAccounts({ db }: OrgScope, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const lock = { mode: 'for_key_share' } as const;
    await db.repository(User).find({ where: { id: Any(ids) }, select: { id: true }, lock });
    const idByDigest = new Map(ids.map((id) => [digestAccountId(id), id]));
    const rows = await db.repository(DeletedAccount).findBy({ id: Any([...idByDigest.keys()]) });
    return rows.map(({ id }) => idByDigest.get(id)!);
  }

  /**
   * Inserts imported contacts, and returns their ids. A contact is missing if another transaction has just
   * created one for the same visitor.
   * @throws AppError `key_unavailable`, like all methods that write content
   */
  async insertContacts({ db, orgId }: OrgScope, contacts: readonly ImportedContact[]): Promise<Set<string>> {
    if (contacts.length === 0) return new Set();
    const key = await getContentKeys(db.dataSource).getCurrentKey(orgId);
    const seal = (row: ImportedContact) => sealRowWith(requireContent(Contact), key, row);
    const ids = new Set<string>();
    for await (const stored of toJsonBatches(contacts, seal))
      for (const { id } of await db.run(INSERT_IMPORTED_CONTACTS, [stored, orgId])) ids.add(id);
    return ids;
  }

  async insertConversations({ db, orgId }: OrgScope, rows: readonly ImportedConversation[]): Promise<void> {
    if (rows.length === 0) return;
    const seal = (row: ImportedConversation) => sealRow(db.dataSource, Conversation, { ...row, orgId });
    for await (const stored of toJsonBatches(rows, seal))
      await db.run(INSERT_IMPORTED_CONVERSATIONS, [stored, orgId]);
  }

  async insertMessages({ db, orgId }: OrgScope, rows: readonly ImportedMessage[]): Promise<void> {
    if (rows.length === 0) return;
    const key = await getContentKeys(db.dataSource).getCurrentKey(orgId);
    let writing: Promise<unknown> = Promise.resolve();
    const seal = (row: ImportedMessage) => sealRowWith(requireContent(Message), key, row);
    for await (const stored of toJsonBatches(rows, seal)) {
      await writing;
      writing = db.run(INSERT_IMPORTED_MESSAGES, [stored, orgId]);
      writing.catch(() => undefined);
    }
    await writing;
  }

  /**
   * Makes the transaction of an import commit asynchronously, and defer index updates of search words to
   * `mergeWords`. If the server crashes, the import repeats the batches that were lost, because its stored
   * position was lost with these batches.
   */
  async beginBatch({ db }: OrgScope): Promise<void> {
    await db.run(BATCH_SETTINGS);
  }

  /** Completes the deferred index updates of imported search words. Does not block other transactions. */
  async mergeWords({ db }: OrgScope): Promise<void> {
    await db.run(MERGE_WORDS);
  }

  async insertHandoffs({ db, orgId }: OrgScope, rows: readonly ImportedHandoff[]): Promise<void> {
    for (const some of cutBatches(rows, { maxItems: HANDOFF_BATCH_SIZE })) {
      await db.repository(Handoff).insert(some.map((row) => ({ ...row, orgId })));
    }
  }

  /** Inserts imported consent decisions, except for conversations that already have a decision. */
  async insertConsents({ db, orgId }: OrgScope, rows: readonly ImportedConsent[]): Promise<void> {
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

  /** Adds imported conversations and messages to the totals of a bot. The caller must have locked the bot. */
  async addToTotals(
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

/**
 * Builds a condition for contacts that uses an index on bot and browser. With several bots, the condition
 * also matches a browser that belongs to another of these bots.
 */
function whereBrowserIn(browsers: readonly Browser[]) {
  return {
    botId: Any([...new Set(browsers.map(({ botId }) => botId))]),
    browserId: Any([...new Set(browsers.map(({ browserId }) => browserId))]),
  };
}

/**
 * Encrypts imported rows and serializes them to JSON lists of limited size. Yields to the event loop between
 * lists.
 */
async function* toJsonBatches<T>(
  rows: readonly T[],
  seal: (row: T) => object | Promise<object>,
): AsyncGenerator<string> {
  let texts: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(await seal(row));
    if (texts.length === ROW_BATCH_LIMITS.maxItems || length + text.length > ROW_BATCH_LIMITS.maxLength) {
      if (texts.length > 0) yield `[${texts.join(',')}]`;
      texts = [];
      length = 0;
      await yieldToEventLoop();
    }
    texts.push(text);
    length += text.length;
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`;
}

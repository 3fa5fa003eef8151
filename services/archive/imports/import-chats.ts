import { groupItems } from '../../../core/group-items.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type {
  ArchiveImportRepository,
  ImportedHandoff,
} from '../../../repositories/archive/archive-import.repository.ts';
import type {
  ImportedConversation,
  ImportedMessage,
} from '../../../repositories/archive/archive-import.sql.ts';
import type { BotRepository } from '../../../repositories/bots/bot.repository.ts';
import type { ArchivedChat } from './chat-assembler.ts';
import type { ErasedPeople } from '../erased-people.ts';
import {
  toCandidateIds,
  findExistingBots,
  type BatchResult,
  type ExistingBots,
  type ImportContext,
} from './import-context.ts';
import { classifyChats, type AcceptedChat, type ExistingChats } from './classify-chats.ts';
import { loadRefusals } from './consent-refusals.ts';
import {
  toConsentRows,
  toConversationRow,
  toHandoffRows,
  toMessageRow,
} from '../exports/archive-row-mapping.ts';

export interface ImportChatsDeps {
  rows: ArchiveImportRepository;
  erased: ErasedPeople;
  bots: BotRepository;
}

/**
 * Inserts the archive's conversations that the workspace lacks. The caller's transaction must have locked the
 * workspace's archives.
 */
export async function importChats(
  deps: ImportChatsDeps,
  scope: OrgScope,
  context: ImportContext,
  chats: readonly ArchivedChat[],
): Promise<BatchResult> {
  const contacts = await findVerifiedContacts(deps.rows, scope, context, chats);
  const existing = await findExistingChats(deps, scope, chats, contacts);
  const { accepted, skipped, errors } = classifyChats(chats, existing);
  const chatRows = await buildChatRows(deps, scope, context.exportedAt, accepted, contacts);
  const messages = await insertChatRows(deps, scope, chatRows, () => context.prefetch());
  return {
    counts: { conversations: accepted.length, messages, skipped, failed: errors.length },
    errors,
  };
}

/**
 * Existing verified contact ids by their ids in the archive; null for an erased contact. Anonymous and
 * unknown contacts are not in the map: their conversations belong to a browser.
 */
type VerifiedContactIds = ReadonlyMap<string, string | null>;

async function findVerifiedContacts(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  { otherContacts }: ImportContext,
  chats: readonly ArchivedChat[],
): Promise<VerifiedContactIds> {
  const contactIds = [...new Set(chats.flatMap(({ record }) => record.contact_id ?? []))];
  const toExistingIds = (archivedId: string): readonly string[] => {
    const other = otherContacts.get(archivedId);
    return other === undefined ? toCandidateIds(scope, archivedId) : other === null ? [] : [other];
  };
  const contacts = (await rows.listContacts(scope, contactIds.flatMap(toExistingIds))).filter(
    ({ orgId, deletedAt }) => orgId === scope.orgId && deletedAt === null,
  );
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  const verifiedIds = new Map<string, string | null>();
  const missingIds: string[] = [];
  for (const archivedId of contactIds) {
    const contact = toExistingIds(archivedId).flatMap((id) => byId.get(id) ?? [])[0];
    if (otherContacts.get(archivedId) === null) verifiedIds.set(archivedId, null);
    else if (!contact) missingIds.push(archivedId);
    else if (contact.identity !== null) verifiedIds.set(archivedId, contact.id);
  }
  for (const [archivedId, id] of await findMergers(rows, scope, missingIds)) verifiedIds.set(archivedId, id);
  return verifiedIds;
}

/**
 * Finds the verified contacts into which contacts of the archive were merged. Returns pairs of an archived
 * and a verified id.
 */
async function findMergers(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  archivedIds: readonly string[],
): Promise<[archivedId: string, id: string][]> {
  if (archivedIds.length === 0) return [];
  const ids = archivedIds.flatMap((id) => toCandidateIds(scope, id));
  const mergers = new Map((await rows.listMergedContacts(scope, ids)).map((each) => [each.formerId, each]));
  return archivedIds.flatMap((archivedId): [string, string][] => {
    const formerId = toCandidateIds(scope, archivedId).find((id) => mergers.has(id));
    const merger = formerId === undefined ? undefined : mergers.get(formerId)!;
    return merger && merger.identity !== null ? [[archivedId, merger.id]] : [];
  });
}

async function findExistingChats(
  { rows, erased }: ImportChatsDeps,
  scope: OrgScope,
  chats: readonly ArchivedChat[],
  contacts: VerifiedContactIds,
): Promise<ExistingChats> {
  const ids = chats.flatMap(({ record }) => toCandidateIds(scope, record.id));
  const bots = await findExistingBots(
    rows,
    scope,
    chats.map(({ record }) => record.bot_id),
  );
  const people = new Map(chats.map((chat) => [chat, toPersonKeys(scope, chat, bots, contacts)]));
  const [conversations, usedElsewhere, takenMessageIds, erasedMatches] = await Promise.all([
    rows.listConversations(scope, ids),
    rows.listDeletedInOtherOrgs(scope, ids),
    findUsedMessageIds(rows, scope, chats),
    erased.match(scope, [...people.values()]),
  ]);
  const botIds = [...new Set(conversations.map(({ botId }) => botId))];
  const undeletedBotIds = new Set(
    (await rows.listBots(scope, botIds)).flatMap(({ id, deletedAt }) => (deletedAt === null ? id : [])),
  );
  const isKnown = ({ orgId, botId }: { orgId: string; botId: string }) =>
    orgId === scope.orgId && undeletedBotIds.has(botId);
  return {
    toCandidateIds: (id) => toCandidateIds(scope, id),
    bots,
    existingIds: new Set(conversations.filter(isKnown).map(({ id }) => id)),
    usedIds: new Set([...conversations.map(({ id }) => id), ...usedElsewhere]),
    takenMessageIds,
    isErased: (chat) =>
      contacts.get(chat.record.contact_id ?? '') === null ||
      erasedMatches.has(people.get(chat)!, new Date(chat.record.created_at)),
  };
}

function toPersonKeys(
  scope: OrgScope,
  { record }: ArchivedChat,
  bots: ExistingBots,
  contacts: VerifiedContactIds,
) {
  const { id, contact_id: contactId, bot_id: archivedBotId, browser_id: browserId } = record;
  const botId = bots.get(archivedBotId);
  const isAnonymous = !contactId || !contacts.has(contactId);
  return {
    ids: [id, ...(contactId ? [contactId] : [])].flatMap((each) => toCandidateIds(scope, each)),
    identity: null,
    browser: isAnonymous && botId !== undefined ? { botId, browserId } : null,
  };
}

/**
 * Returns the ids of archived messages that other messages use already. Alternative ids are queried only for
 * conversations that need them, which are rare.
 */
async function findUsedMessageIds(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  chats: readonly ArchivedChat[],
): Promise<Set<string>> {
  const archived = chats.flatMap(({ messages }) => messages.map(({ id }) => id));
  const usedIds = new Set(await rows.listMessageIds(scope, archived));
  const seenIds = new Set<string>();
  const repeated = new Set<string>();
  for (const id of archived) (seenIds.has(id) ? repeated : seenIds).add(id);
  const alternativeIds = chats
    .filter(({ messages }) => messages.some(({ id }) => usedIds.has(id) || repeated.has(id)))
    .flatMap(({ messages }) => messages.map(({ id }) => toCandidateIds(scope, id)[1]));
  return new Set([
    ...usedIds,
    ...(alternativeIds.length === 0 ? [] : await rows.listMessageIds(scope, alternativeIds)),
  ]);
}

/** Database rows to insert for a batch of imported conversations. */
interface ChatRows {
  conversations: ImportedConversation[];
  messages: ImportedMessage[];
  handoffs: ImportedHandoff[];
}

async function buildChatRows(
  { rows }: ImportChatsDeps,
  scope: OrgScope,
  exportedAt: Date,
  accepted: readonly AcceptedChat[],
  contacts: VerifiedContactIds,
): Promise<ChatRows> {
  const visitors = accepted.map(({ botId, chat: { record } }) => ({
    botId,
    browserId: record.browser_id,
    contactId: contacts.get(record.contact_id ?? '') ?? null,
  }));
  const authorIds = accepted.flatMap(({ chat }) => chat.messages.flatMap(({ author_id: id }) => id ?? []));
  const [refused, deletedAccounts] = await Promise.all([
    loadRefusals(rows, scope, exportedAt, {
      ids: accepted.map(({ id }) => id),
      browsers: visitors.filter(({ contactId }) => contactId === null),
      contactIds: visitors.flatMap(({ contactId }) => contactId ?? []),
    }),
    rows.listDeletedAccounts(scope, [...new Set(authorIds)]).then((ids) => new Set(ids)),
  ]);
  const isDeletedAccount = (userId: string) => deletedAccounts.has(userId);
  return {
    conversations: accepted.map(({ chat, id, botId }, index) =>
      toConversationRow(chat.record, chat.messages, {
        id,
        botId,
        contactId: visitors[index]!.contactId,
        isRefused: refused.hasVisitorRefused(visitors[index]!) || refused.isRefusedIn(id),
        consent: toConsentColumns(refused.forConversation(id)),
      }),
    ),
    messages: accepted.flatMap(({ chat, id, messageIds }) => {
      const toNewId = (archivedId: string) => messageIds.get(archivedId)!;
      return chat.messages.map((each) => toMessageRow(each, id, toNewId, isDeletedAccount));
    }),
    handoffs: accepted.flatMap((each) => toHandoffRows(each.chat.record, each)),
  };
}

/**
 * Inserts the rows of imported conversations and returns the number of messages.
 * @throws BotDeletedConcurrently
 */
async function insertChatRows(
  { rows, bots }: ImportChatsDeps,
  scope: OrgScope,
  { conversations, messages, handoffs }: ChatRows,
  prefetch: () => void,
): Promise<number> {
  await rows.insertConversations(scope, conversations);
  const writing = rows.insertMessages(scope, messages);
  prefetch();
  await writing;
  await rows.insertHandoffs(scope, handoffs);
  await rows.insertConsents(scope, conversations.flatMap(toConsentRows));
  // Updates the bots last: their locks block visitors' messages until the commit.
  const byBot = groupItems(conversations, ({ botId }) => botId).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [botId, rowsOfBot] of byBot) {
    if (!(await bots.findLocked(scope, botId))) throw new BotDeletedConcurrently();
    await rows.addToTotals(scope, botId, {
      conversations: rowsOfBot.length,
      messages: rowsOfBot.reduce((sum, { messageCount }) => sum + messageCount, 0),
    });
  }
  return messages.length;
}

function toConsentColumns(
  statement: { consent: 'granted' | 'denied' | 'withdrawn'; saidAt: Date } | undefined,
) {
  return statement ? { consent: statement.consent, consentAt: statement.saidAt } : null;
}

/**
 * Error when a bot was deleted while its conversations were imported. The transaction is rolled back, and the
 * next attempt skips the bot.
 */
class BotDeletedConcurrently extends Error {}

import { groupedBy } from '../../../core/grouped.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type {
  ArchiveImportRepository,
  BroughtHandoff,
} from '../../../repositories/archive/archive-import.repository.ts';
import type {
  BroughtConversation,
  BroughtMessage,
} from '../../../repositories/archive/archive-import.sql.ts';
import type { BotRepository } from '../../../repositories/bots/bot.repository.ts';
import type { ArchivedChat } from './chat-assembler.ts';
import type { ErasedPeople } from '../erased-people.ts';
import { bothIds, botsHere, type BatchResult, type BotsHere, type ImportContext } from './import-context.ts';
import { judgeChats, type AcceptedChat, type ChatsFound } from './judge-chats.ts';
import { refusedAfter } from './refusals.ts';
import { consentRows, conversationRow, handoffRows, messageRow } from '../exports/rows-of.ts';

export interface ImportChatsDeps {
  rows: ArchiveImportRepository;
  erased: ErasedPeople;
  bots: BotRepository;
}

/** Adds the conversations that are not here, in the caller's transaction, which has locked the workspace's archives. */
export async function importChats(
  deps: ImportChatsDeps,
  scope: OrgScope,
  context: ImportContext,
  chats: readonly ArchivedChat[],
): Promise<BatchResult> {
  const contacts = await contactsHere(deps.rows, scope, context, chats);
  const found = await find(deps, scope, chats, contacts);
  const { accepted, skipped, errors } = judgeChats(chats, found);
  const brought = await rowsOf(deps, scope, context.exportedAt, accepted, contacts);
  const messages = await write(deps, scope, brought, () => context.readAhead());
  return {
    counts: { conversations: accepted.length, messages, skipped, failed: errors.length },
    errors,
  };
}

/**
 * Who the verified contacts of an archive are here, by their ids there; null for those who were erased. Of an anonymous one the
 * conversations are its browser's, as those of a contact who is not here.
 */
type ContactsHere = ReadonlyMap<string, string | null>;

async function contactsHere(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  { otherContacts }: ImportContext,
  chats: readonly ArchivedChat[],
): Promise<ContactsHere> {
  const named = [...new Set(chats.flatMap(({ record }) => record.contact_id ?? []))];
  const idsOf = (archivedId: string): readonly string[] => {
    const other = otherContacts.get(archivedId);
    return other === undefined ? bothIds(scope, archivedId) : other === null ? [] : [other];
  };
  const found = (await rows.listContacts(scope, named.flatMap(idsOf))).filter(
    ({ orgId, deletedAt }) => orgId === scope.orgId && deletedAt === null,
  );
  const byId = new Map(found.map((contact) => [contact.id, contact]));
  const here = new Map<string, string | null>();
  const lost: string[] = [];
  for (const archivedId of named) {
    const contact = idsOf(archivedId).flatMap((id) => byId.get(id) ?? [])[0];
    if (otherContacts.get(archivedId) === null) here.set(archivedId, null);
    else if (!contact) lost.push(archivedId);
    else if (contact.identity !== null) here.set(archivedId, contact.id);
  }
  for (const [archivedId, id] of await mergersOf(rows, scope, lost)) here.set(archivedId, id);
  return here;
}

/** Verified contacts who have taken over those of the archive. */
async function mergersOf(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  archivedIds: readonly string[],
): Promise<[archivedId: string, id: string][]> {
  if (archivedIds.length === 0) return [];
  const ids = archivedIds.flatMap((id) => bothIds(scope, id));
  const mergers = await rows.listContactsBy(scope, { ids, identities: [], browsers: [] });
  return archivedIds.flatMap((archivedId): [string, string][] => {
    const has = bothIds(scope, archivedId);
    const merger = mergers.find(({ erasedIds }) => has.some((id) => erasedIds.includes(id)));
    return merger && merger.identity !== null ? [[archivedId, merger.id]] : [];
  });
}

async function find(
  { rows, erased }: ImportChatsDeps,
  scope: OrgScope,
  chats: readonly ArchivedChat[],
  contacts: ContactsHere,
): Promise<ChatsFound> {
  const ids = chats.flatMap(({ record }) => bothIds(scope, record.id));
  const bots = await botsHere(
    rows,
    scope,
    chats.map(({ record }) => record.bot_id),
  );
  const people = new Map(chats.map((chat) => [chat, personOf(scope, chat, bots, contacts)]));
  const [conversations, elsewhere, takenMessageIds, gone] = await Promise.all([
    rows.listConversations(scope, ids),
    rows.listDeletedElsewhere(scope, ids),
    findTakenMessages(rows, scope, chats),
    erased.among(scope, [...people.values()]),
  ]);
  const botIds = [...new Set(conversations.map(({ botId }) => botId))];
  const served = new Set(
    (await rows.listBots(scope, botIds)).flatMap(({ id, deletedAt }) => (deletedAt === null ? id : [])),
  );
  const isKnown = ({ orgId, botId }: { orgId: string; botId: string }) =>
    orgId === scope.orgId && served.has(botId);
  return {
    bothIds: (id) => bothIds(scope, id),
    bots,
    known: new Set(conversations.filter(isKnown).map(({ id }) => id)),
    taken: new Set([...conversations.map(({ id }) => id), ...elsewhere]),
    takenMessageIds,
    isErased: (chat) =>
      contacts.get(chat.record.contact_id ?? '') === null ||
      gone.has(people.get(chat)!, new Date(chat.record.created_at)),
  };
}

function personOf(scope: OrgScope, { record }: ArchivedChat, bots: BotsHere, contacts: ContactsHere) {
  const { id, contact_id: contactId, bot_id: archivedBotId, browser_id: browserId } = record;
  const botId = bots.get(archivedBotId);
  const isAnonymous = !contactId || !contacts.has(contactId);
  return {
    ids: [id, ...(contactId ? [contactId] : [])].flatMap((each) => bothIds(scope, each)),
    identity: null,
    browser: isAnonymous && botId !== undefined ? { botId, browserId } : null,
  };
}

/** Most ids are free, so that the other ones are seldom asked for. */
async function findTakenMessages(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  chats: readonly ArchivedChat[],
): Promise<Set<string>> {
  const archived = chats.flatMap(({ messages }) => messages.map(({ id }) => id));
  const taken = new Set(await rows.listMessageIds(scope, archived));
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const id of archived) (seen.has(id) ? repeated : seen).add(id);
  const others = chats
    .filter(({ messages }) => messages.some(({ id }) => taken.has(id) || repeated.has(id)))
    .flatMap(({ messages }) => messages.map(({ id }) => bothIds(scope, id)[1]));
  return new Set([...taken, ...(others.length === 0 ? [] : await rows.listMessageIds(scope, others))]);
}

/** What a batch comes to in tables. */
interface ChatRows {
  conversations: BroughtConversation[];
  messages: BroughtMessage[];
  handoffs: BroughtHandoff[];
}

async function rowsOf(
  { rows }: ImportChatsDeps,
  scope: OrgScope,
  exportedAt: Date,
  accepted: readonly AcceptedChat[],
  contacts: ContactsHere,
): Promise<ChatRows> {
  const visitors = accepted.map(({ botId, chat: { record } }) => ({
    botId,
    browserId: record.browser_id,
    contactId: contacts.get(record.contact_id ?? '') ?? null,
  }));
  const authorIds = accepted.flatMap(({ chat }) => chat.messages.flatMap(({ author_id: id }) => id ?? []));
  const [refused, deletedAccounts] = await Promise.all([
    refusedAfter(rows, scope, exportedAt, {
      ids: accepted.map(({ id }) => id),
      browsers: visitors.filter(({ contactId }) => contactId === null),
      contactIds: visitors.flatMap(({ contactId }) => contactId ?? []),
    }),
    rows.listDeletedAccounts(scope, [...new Set(authorIds)]).then((ids) => new Set(ids)),
  ]);
  const isDeletedAccount = (userId: string) => deletedAccounts.has(userId);
  return {
    conversations: accepted.map(({ chat, id, botId }, index) =>
      conversationRow(chat.record, chat.messages, {
        id,
        botId,
        contactId: visitors[index]!.contactId,
        isRefused: refused.isOf(visitors[index]!) || refused.isIn(id),
        consent: consentOf(refused.of(id)),
      }),
    ),
    messages: accepted.flatMap(({ chat, id, messageIds }) => {
      const idOf = (archivedId: string) => messageIds.get(archivedId)!;
      return chat.messages.map((each) => messageRow(each, id, idOf, isDeletedAccount));
    }),
    handoffs: accepted.flatMap((each) => handoffRows(each.chat.record, each)),
  };
}

/** Returns how many messages there were. @throws BotDeletedMeanwhile */
async function write(
  { rows, bots }: ImportChatsDeps,
  scope: OrgScope,
  { conversations, messages, handoffs }: ChatRows,
  readAhead: () => void,
): Promise<number> {
  await rows.insertConversations(scope, conversations);
  const writing = rows.insertMessages(scope, messages);
  readAhead();
  await writing;
  await rows.insertHandoffs(scope, handoffs);
  await rows.insertConsents(scope, conversations.flatMap(consentRows));
  // At last, since turns of the bots wait from here on.
  const perBot = groupedBy(conversations, ({ botId }) => botId).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [botId, of] of perBot) {
    if (!(await bots.findLocked(scope, botId))) throw new BotDeletedMeanwhile();
    await rows.countUp(scope, botId, {
      conversations: of.length,
      messages: of.reduce((sum, { messageCount }) => sum + messageCount, 0),
    });
  }
  return messages.length;
}

function consentOf(said: { consent: 'granted' | 'denied' | 'withdrawn'; saidAt: Date } | undefined) {
  return said ? { consent: said.consent, consentAt: said.saidAt } : null;
}

/** A bot was deleted while conversations of it were written: nothing of these stays, and the next attempt knows. */
class BotDeletedMeanwhile extends Error {}

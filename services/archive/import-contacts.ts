import type { OrgScope } from '../../database/org-scope.ts';
import type {
  ArchiveImportRepository,
  BroughtContact,
  KnownContact,
} from '../../repositories/archive/archive-import.repository.ts';
import type { ContactRecord } from './archive-records.ts';
import type { ErasedPeople } from './erased-people.ts';
import { bothIds, botsHere, type BatchResult, type BotsHere, type ImportContext } from './import-context.ts';
import { refusedAfter } from './refusals.ts';
import { contactRow } from './rows-of.ts';

export interface ImportContactsDeps {
  rows: ArchiveImportRepository;
  erased: ErasedPeople;
}

type Item = { record: ContactRecord; line: number };

/** What is known here of the people of a batch. */
interface Known {
  /** By id, of whichever workspace. */
  byId: Map<string, KnownContact>;
  /** Of the workspace: by identity, by browser, or because they have taken over others. */
  others: KnownContact[];
}

/** Adds the people who are not known here. Whoever is stays as they are; whoever was erased stays away. */
export async function importContacts(
  { rows, erased }: ImportContactsDeps,
  scope: OrgScope,
  context: ImportContext,
  items: readonly Item[],
): Promise<BatchResult> {
  const result = { counts: { contacts: 0 }, errors: [] as BatchResult['errors'] };
  const bots = await botsHere(
    rows,
    scope,
    items.map(({ record }) => record.bot_id),
  );
  const people = items.map(({ record }) => personOf(scope, record, bots));
  const [gone, known, refused] = await Promise.all([
    erased.among(scope, people),
    findKnown(rows, scope, items, bots),
    refusedAfter(rows, scope, context.exportedAt, {
      ids: [],
      browsers: people.flatMap(({ browser }) => browser ?? []),
      contactIds: [],
    }),
  ]);
  for (const [index, { record, line }] of items.entries()) {
    const botId = bots.get(record.bot_id);
    if (botId === undefined) {
      const message = 'The contact belongs to a bot that is neither in the archive nor here.';
      result.errors.push({ line, id: record.id, code: 'unknown_bot', message });
    } else if (gone.has(people[index]!, new Date(record.first_seen_at))) {
      context.otherContacts.set(record.id, null);
    } else {
      const row = contactRow(
        record,
        { botId, id: record.id },
        refused.isOf({ botId, browserId: record.browser_id, contactId: null }),
      );
      if (await settle(rows, scope, context, row, known)) result.counts.contacts += 1;
    }
  }
  return result;
}

function personOf({ orgId }: OrgScope, record: ContactRecord, bots: BotsHere) {
  const {
    id,
    bot_id: archivedBotId,
    browser_id: browserId,
    identity = null,
    merged_ids: mergedIds = [],
  } = record;
  const botId = bots.get(archivedBotId);
  return {
    ids: [id, ...mergedIds].flatMap((each) => bothIds({ orgId }, each)),
    identity,
    browser: botId === undefined ? null : { botId, browserId },
  };
}

async function findKnown(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  items: readonly Item[],
  bots: BotsHere,
): Promise<Known> {
  const ids = items.flatMap(({ record }) => bothIds(scope, record.id));
  const [byId, others] = await Promise.all([
    rows.listContacts(scope, ids),
    rows.listContactsBy(scope, {
      ids,
      identities: items.flatMap(({ record }) => record.identity ?? []),
      browsers: items.flatMap(({ record: { identity, bot_id: archivedId, browser_id: browserId } }) => {
        const botId = bots.get(archivedId);
        return botId === undefined || identity ? [] : { botId, browserId };
      }),
    }),
  ]);
  return { byId: new Map(byId.map((each) => [each.id, each])), others };
}

/** Returns whether the contact was added; otherwise it is remembered who it is here. */
async function settle(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  { otherContacts }: ImportContext,
  row: BroughtContact,
  { byId, others }: Known,
): Promise<boolean> {
  const ids = bothIds(scope, row.id);
  if (ids.some((id) => byId.get(id)?.orgId === scope.orgId && byId.get(id)?.deletedAt === null)) return false;
  const other = others.find((each) => isSame(each, row, ids));
  if (other) {
    otherContacts.set(row.id, other.id);
    return false;
  }
  const id = ids.find((each) => !byId.has(each));
  if (id === undefined) return false;
  const added = { ...row, id };
  if (await rows.insertContact(scope, added)) {
    // Two of an archive may be the same person.
    others.push({ ...added, orgId: scope.orgId, deletedAt: null });
    return true;
  }
  const [quicker] = await rows.listContactsBy(scope, {
    ids: [],
    identities: row.identity === null ? [] : [row.identity],
    browsers: row.identity === null ? [row] : [],
  });
  if (quicker) otherContacts.set(row.id, quicker.id);
  return false;
}

function isSame(known: KnownContact, row: BroughtContact, ids: readonly string[]): boolean {
  if (ids.some((id) => known.erasedIds.includes(id))) return true;
  if (row.identity !== null) return known.identity === row.identity;
  return known.identity === null && known.botId === row.botId && known.browserId === row.browserId;
}

import type { OrgScope } from '../../../database/org-scope.ts';
import type { ArchiveImportRepository } from '../../../repositories/archive/archive-import.repository.ts';
import type { ImportedContact } from '../../../repositories/archive/archive-import.sql.ts';
import type { ContactRecord } from '../archive-records.ts';
import type { ErasedPeople } from '../erased-people.ts';
import {
  toCandidateIds,
  findExistingBots,
  type BatchResult,
  type ExistingBots,
  type ImportContext,
} from './import-context.ts';
import { ExistingContacts } from './existing-contacts.ts';
import { loadRefusals } from './consent-refusals.ts';
import { toContactRow } from '../exports/archive-row-mapping.ts';

export interface ImportContactsDeps {
  rows: ArchiveImportRepository;
  erased: ErasedPeople;
}

type ContactItem = { record: ContactRecord; line: number };

/** A contact that the import inserts, with its id in the archive. */
interface AddedContact {
  archivedId: string;
  row: ImportedContact;
}

/**
 * Inserts contacts of the archive that the workspace does not have. Existing contacts stay unchanged, and
 * erased people are not restored.
 */
export async function importContacts(
  { rows, erased }: ImportContactsDeps,
  scope: OrgScope,
  context: ImportContext,
  items: readonly ContactItem[],
): Promise<BatchResult> {
  const errors: BatchResult['errors'] = [];
  const bots = await findExistingBots(
    rows,
    scope,
    items.map(({ record }) => record.bot_id),
  );
  const people = items.map(({ record }) => toPersonKeys(scope, record, bots));
  const [erasedMatches, known, refused] = await Promise.all([
    erased.match(scope, people),
    findExistingContacts(rows, scope, items, bots),
    loadRefusals(rows, scope, context.exportedAt, {
      ids: [],
      browsers: people.flatMap(({ browser }) => browser ?? []),
      contactIds: [],
    }),
  ]);
  const addedContacts: AddedContact[] = [];
  for (const [index, { record, line }] of items.entries()) {
    const botId = bots.get(record.bot_id);
    if (botId === undefined) {
      const message = 'The contact belongs to a bot that is neither in the archive nor in this workspace.';
      errors.push({ line, id: record.id, code: 'unknown_bot', message });
    } else if (erasedMatches.has(people[index]!, new Date(record.first_seen_at))) {
      context.otherContacts.set(record.id, null);
    } else {
      const isRefused = refused.hasVisitorRefused({ botId, browserId: record.browser_id, contactId: null });
      addedContacts.push(
        ...prepareContact(scope, context, toContactRow(record, { botId, id: record.id }, isRefused), known),
      );
    }
  }
  return { counts: { contacts: await insertContacts(rows, scope, context, addedContacts) }, errors };
}

function toPersonKeys({ orgId }: OrgScope, record: ContactRecord, bots: ExistingBots) {
  const {
    id,
    bot_id: archivedBotId,
    browser_id: browserId,
    identity = null,
    merged_ids: mergedIds = [],
  } = record;
  const botId = bots.get(archivedBotId);
  return {
    ids: [id, ...mergedIds].flatMap((each) => toCandidateIds({ orgId }, each)),
    identity,
    browser: botId === undefined ? null : { botId, browserId },
  };
}

async function findExistingContacts(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  items: readonly ContactItem[],
  bots: ExistingBots,
): Promise<ExistingContacts> {
  const ids = items.flatMap(({ record }) => toCandidateIds(scope, record.id));
  const [byId, similar, merged] = await Promise.all([
    rows.listContacts(scope, ids),
    rows.listSimilarContacts(scope, {
      identities: items.flatMap(({ record }) => record.identity ?? []),
      browsers: items.flatMap(({ record: { identity, bot_id: archivedId, browser_id: browserId } }) => {
        const botId = bots.get(archivedId);
        return botId === undefined || identity ? [] : { botId, browserId };
      }),
    }),
    rows.listMergedContacts(scope, ids),
  ]);
  return new ExistingContacts(scope, { byId, similar, merged });
}

/**
 * Returns the contact to insert for an archived contact. If the person has a contact already, records its id
 * in the context and returns an empty array.
 */
function prepareContact(
  scope: OrgScope,
  { otherContacts }: ImportContext,
  row: ImportedContact,
  known: ExistingContacts,
): AddedContact[] {
  const ids = toCandidateIds(scope, row.id);
  if (known.exists(ids)) return [];
  const other = known.findSamePerson(row, ids);
  if (other !== undefined) {
    otherContacts.set(row.id, other);
    return [];
  }
  const id = ids.find((each) => !known.isIdInUse(each));
  if (id === undefined) return [];
  const addedContact = { archivedId: row.id, row: { ...row, id } };
  // Remembers the new contact: the archive may contain another contact of the same person.
  known.add(addedContact.row);
  return [addedContact];
}

/**
 * Inserts contacts of an archive and returns their number. A contact that was created concurrently for the
 * same visitor is used instead and not counted.
 */
async function insertContacts(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  { otherContacts, prefetch }: ImportContext,
  added: readonly AddedContact[],
): Promise<number> {
  const writing = rows.insertContacts(
    scope,
    added.map(({ row }) => row),
  );
  prefetch();
  const insertedIds = await writing;
  for (const { archivedId, row } of added) {
    if (insertedIds.has(row.id)) continue;
    const [existing] = await rows.listSimilarContacts(scope, {
      identities: row.identity === null ? [] : [row.identity],
      browsers: row.identity === null ? [row] : [],
    });
    if (!existing) continue;
    for (const [id, other] of otherContacts) if (other === row.id) otherContacts.set(id, existing.id);
    otherContacts.set(archivedId, existing.id);
  }
  return insertedIds.size;
}

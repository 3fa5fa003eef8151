import { idWithin } from '../../../core/ids.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ArchiveCounts, ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import type { ArchiveImportRepository } from '../../../repositories/archive/archive-import.repository.ts';

/** What an import remembers from batch to batch; it can be found anew from the archive and the database. */
export interface ImportContext {
  /** What was said after that is not in the archive. */
  exportedAt: Date;
  /** Contacts of the archive who are known here under an id that does not follow from theirs; null for those who were erased. */
  otherContacts: Map<string, string | null>;
  /** Reads the next batch while the database is busy with this one. */
  readAhead(): void;
}

/** What a batch comes to. */
export interface BatchResult {
  counts: Partial<ArchiveCounts>;
  errors: ArchiveJobError[];
}

/** An id of the archive, and the one that its row has here where another row has that. */
export function bothIds({ orgId }: Pick<OrgScope, 'orgId'>, id: string): [string, string] {
  return [id, idWithin(orgId, id)];
}

/** Which bot here an archive's is; undefined for one that is not here. */
export type BotsHere = ReadonlyMap<string, string>;

export async function botsHere(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  archivedIds: readonly string[],
): Promise<BotsHere> {
  const ids = [...new Set(archivedIds)];
  const found = await rows.listBots(
    scope,
    ids.flatMap((id) => bothIds(scope, id)),
  );
  const here = new Set(
    found.flatMap(({ id, orgId, deletedAt }) => (orgId === scope.orgId && deletedAt === null ? id : [])),
  );
  const pairs = ids.flatMap((id): [string, string][] => {
    const known = bothIds(scope, id).find((each) => here.has(each));
    return known === undefined ? [] : [[id, known]];
  });
  return new Map(pairs);
}

import { idWithin } from '../../../core/ids.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ArchiveCounts, ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import type { ArchiveImportRepository } from '../../../repositories/archive/archive-import.repository.ts';

/** State between the batches of an import. It can be rebuilt from the archive and the database. */
export interface ImportContext {
  /** Time of the export. Later statements of consent are not in the archive. */
  exportedAt: Date;
  /** Contacts of the archive that have an unrelated id here, by archived id; null for erased ones. */
  otherContacts: Map<string, string | null>;
  /** Reads the next batch while the database writes this one. */
  prefetch(): void;
}

/** Counts and errors of a batch. */
export interface BatchResult {
  counts: Partial<ArchiveCounts>;
  errors: ArchiveJobError[];
}

/** Returns the archived id, and the one that its row gets here if another row has that id. */
export function toCandidateIds({ orgId }: Pick<OrgScope, 'orgId'>, id: string): [string, string] {
  return [id, idWithin(orgId, id)];
}

/** Existing bots, by archived id. */
export type ExistingBots = ReadonlyMap<string, string>;

export async function findExistingBots(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  archivedIds: readonly string[],
): Promise<ExistingBots> {
  const ids = [...new Set(archivedIds)];
  const found = await rows.listBots(
    scope,
    ids.flatMap((id) => toCandidateIds(scope, id)),
  );
  const here = new Set(
    found.flatMap(({ id, orgId, deletedAt }) => (orgId === scope.orgId && deletedAt === null ? id : [])),
  );
  const pairs = ids.flatMap((id): [string, string][] => {
    const known = toCandidateIds(scope, id).find((each) => here.has(each));
    return known === undefined ? [] : [[id, known]];
  });
  return new Map(pairs);
}

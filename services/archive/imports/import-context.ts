import { deriveIdWithin } from '../../../core/ids.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ArchiveCounts, ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import type { ArchiveImportRepository } from '../../../repositories/archive/archive-import.repository.ts';

/** State that an import carries from batch to batch. It can be restored from the archive and the database. */
export interface ImportContext {
  /**
   * Time of the export that wrote the archive. The archive lacks statements of consent that visitors have
   * made since.
   */
  exportedAt: Date;
  /**
   * Ids of the workspace's existing contacts by their ids in the archive, if the two differ; null for erased
   * contacts.
   */
  otherContacts: Map<string, string | null>;
  /** Starts reading the next batch of the archive while the database writes this batch. */
  prefetch(): void;
}

/** Counts and errors from importing one batch of an archive. */
export interface BatchResult {
  counts: Partial<ArchiveCounts>;
  errors: ArchiveJobError[];
}

/**
 * Returns the two ids that an imported row can have: its archived id, or an id derived from it if the
 * archived id is in use.
 */
export function toCandidateIds({ orgId }: Pick<OrgScope, 'orgId'>, id: string): [string, string] {
  return [id, deriveIdWithin(orgId, id)];
}

/** Ids of the workspace's existing bots, by the bots' ids in the archive. */
export type ExistingBots = ReadonlyMap<string, string>;

export async function findExistingBots(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  archivedIds: readonly string[],
): Promise<ExistingBots> {
  const ids = [...new Set(archivedIds)];
  const candidates = await rows.listBots(
    scope,
    ids.flatMap((id) => toCandidateIds(scope, id)),
  );
  const idsInWorkspace = new Set(
    candidates.flatMap(({ id, orgId, deletedAt }) => (orgId === scope.orgId && deletedAt === null ? id : [])),
  );
  const pairs = ids.flatMap((id): [string, string][] => {
    const existingId = toCandidateIds(scope, id).find((each) => idsInWorkspace.has(each));
    return existingId === undefined ? [] : [[id, existingId]];
  });
  return new Map(pairs);
}

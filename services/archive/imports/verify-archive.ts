import type { Readable } from 'node:stream';
import { openArchive, type OpenArchive } from '../../../adapters/archive/read-archive.ts';
import { MAX_ARCHIVE_ERRORS, type ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import { readBatches, addFileName } from './import-batches.ts';
import { toCandidateIds } from './import-context.ts';
import { classifyChats, type ExistingChats } from './classify-chats.ts';

export interface VerifiedArchive {
  /** Number of lines in all files of the archive. */
  records: number;
  /** The first 100 records of the archive that an import into any workspace would refuse. */
  faults: ArchiveJobError[];
  faultsTotal: number;
}

const NO_EXISTING_CHATS: Omit<ExistingChats, 'toCandidateIds' | 'bots'> = {
  existingIds: new Set(),
  usedIds: new Set(),
  takenMessageIds: new Set(),
  isErased: () => false,
};

/**
 * Validates an archive as an import does, but without a database.
 * @throws ArchiveRefused if an import would refuse the whole archive
 */
export async function verifyArchive(file: Readable): Promise<VerifiedArchive> {
  const archive = await openArchive(file);
  const verified: VerifiedArchive = { records: 0, faults: [], faultsTotal: 0 };
  try {
    for await (const errors of checkBatches(archive)) {
      verified.faultsTotal += errors.length;
      verified.faults.push(...errors.slice(0, MAX_ARCHIVE_ERRORS - verified.faults.length));
    }
    verified.records = archive.manifest.files.reduce((sum, { records }) => sum + records, 0);
    return verified;
  } finally {
    await archive.close();
  }
}

async function* checkBatches(archive: OpenArchive): AsyncGenerator<ArchiveJobError[], void, undefined> {
  // The workspace can be any: it only affects the alternative ids for rows whose archived id is in use.
  const anyScope = { orgId: archive.manifest.source.workspace_id };
  for await (const batch of readBatches(archive, { isVerified: true, file: '', line: 0 })) {
    yield batch.errors;
    if (batch.kind !== 'conversations') continue;
    const bots = new Map(batch.items.map(({ record }) => [record.bot_id, record.bot_id]));
    const existing = {
      ...NO_EXISTING_CHATS,
      toCandidateIds: (id: string) => toCandidateIds(anyScope, id),
      bots,
    };
    yield addFileName(batch.file, classifyChats(batch.items, existing).errors);
  }
}

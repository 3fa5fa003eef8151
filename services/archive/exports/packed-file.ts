import { createHash } from 'node:crypto';
import { packArchiveMember } from '../../../adapters/archive/archive-member.ts';
import { pauseIfDue } from '../../../core/concurrency/loop-slices.ts';
import { recordFileName, type RecordKind } from '../../../core/archive/archive-format.ts';
import { newId } from '../../../core/ids.ts';
import type { ArchiveFile } from '../../../entities/archive/archive-file.entity.ts';

/** A compressed file of an export, not stored yet, and its database row. */
export interface PackedFile {
  row: Omit<ArchiveFile, 'orgId' | 'jobId' | 'keyId'>;
  content: Buffer;
}

export interface FileContent {
  kind: RecordKind;
  /** Number of the export's part that contains the file; 0 if every part contains it. */
  part: number;
  number: number;
  lines: readonly Buffer[];
  conversations?: number;
}

/**
 * Compresses lines into a file of an export. The file gets a new id, so that concurrent attempts cannot
 * overwrite each other's files.
 */
export async function packFile(
  { kind, part, number, lines, conversations = 0 }: FileContent,
  writtenAt: Date,
): Promise<PackedFile> {
  const name = recordFileName(kind, number);
  const hash = createHash('sha256');
  for (const line of lines) {
    hash.update(line);
    await pauseIfDue();
  }
  const content = await packArchiveMember(name, lines, writtenAt);
  return {
    content,
    row: {
      id: newId(),
      part,
      kind,
      name,
      records: lines.length,
      conversations,
      bytes: lines.reduce((sum, { length }) => sum + length, 0),
      storedBytes: content.length,
      sha256: hash.digest('hex'),
    },
  };
}

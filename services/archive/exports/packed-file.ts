import { createHash } from 'node:crypto';
import { archiveMember } from '../../../adapters/archive/archive-member.ts';
import { LoopSlices } from '../../../core/concurrency/loop-slices.ts';
import { recordFileName, type RecordKind } from '../../../core/archive/archive-format.ts';
import { newId } from '../../../core/ids.ts';
import type { ArchiveFile } from '../../../entities/archive/archive-file.entity.ts';

/** A file that is about to be stored. */
export interface PackedFile {
  row: Omit<ArchiveFile, 'orgId' | 'jobId' | 'keyId'>;
  content: Buffer;
}

export interface FileContent {
  kind: RecordKind;
  /** Of the part, 0 for what is in each of them. */
  part: number;
  number: number;
  lines: readonly Buffer[];
  conversations?: number;
}

/** Packs lines as a file of an archive, under an id of its own: whoever does it once more leaves what others have stored alone. */
export async function packedFile(
  { kind, part, number, lines, conversations = 0 }: FileContent,
  writtenAt: Date,
): Promise<PackedFile> {
  const name = recordFileName(kind, number);
  const hash = createHash('sha256');
  const slices = new LoopSlices();
  for (const line of lines) {
    hash.update(line);
    await slices.pauseIfDue();
  }
  const content = await archiveMember(name, lines, writtenAt);
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

import { archiveFormat } from '../../../core/archive/archive-format.ts';
import type { ArchivePlace, ExportPosition } from '../../../entities/archive/archive-job.entity.ts';
import type { PackedFile } from './packed-file.ts';

/** How large the pieces of an export are. */
export interface ExportSizes {
  conversationsPerFile: number;
  fileBytes: number;
  /** Of a part, as it is downloaded. */
  partBytes: number;
}

export const exportSizes: ExportSizes = {
  conversationsPerFile: 500,
  fileBytes: archiveFormat.maxConversationBytes,
  partBytes: 95_000_000,
};

/** Room for the manifest, the bots and the end, and for what does not become smaller. */
const SPARE_BYTES = 2_000_000;

export const EXPORT_BEGIN: ExportPosition = {
  phase: 'bots',
  after: null,
  part: 1,
  partAfter: null,
  partStoredBytes: 0,
  partBytes: 0,
  partFiles: { contacts: 0, conversations: 0 },
};

export function placeOf({ createdAt, id }: { createdAt: Date; id: string }): ArchivePlace {
  return { createdAt: createdAt.toISOString(), id };
}

/** The position at which the next files are written: of the next part, where this one may have no room for them. */
export function withRoom(position: ExportPosition, { fileBytes, partBytes }: ExportSizes): ExportPosition {
  const { part, partStoredBytes, partBytes: unpackedBytes, after } = position;
  const most = 2 * fileBytes + SPARE_BYTES;
  const isFull = partStoredBytes + most > partBytes || unpackedBytes + most > archiveFormat.maxUnpackedBytes;
  if (!isFull || partStoredBytes === 0) return position;
  return { ...EXPORT_BEGIN, phase: position.phase, after, part: part + 1, partAfter: after };
}

/** The same behind the files. */
export function behind(position: ExportPosition, files: readonly PackedFile[]): ExportPosition {
  const { partStoredBytes, partBytes, partFiles } = position;
  const count = (kind: string) => files.filter(({ row }) => row.kind === kind).length;
  return {
    ...position,
    partStoredBytes: files.reduce((sum, { row }) => sum + row.storedBytes, partStoredBytes),
    partBytes: files.reduce((sum, { row }) => sum + row.bytes, partBytes),
    partFiles: {
      contacts: partFiles.contacts + count('contacts'),
      conversations: partFiles.conversations + count('conversations'),
    },
  };
}

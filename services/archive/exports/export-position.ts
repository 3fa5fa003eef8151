import { archiveFormat } from '../../../core/archive/archive-format.ts';
import type { ArchiveCursor, ExportPosition } from '../../../entities/archive/archive-job.entity.ts';
import type { PackedFile } from './packed-file.ts';

/** Size limits of an export's files and of its parts, in bytes. */
export interface ExportSizes {
  conversationsPerFile: number;
  fileBytes: number;
  /** Maximum compressed size of an export's part, in bytes. */
  partBytes: number;
}

export const exportSizes: ExportSizes = {
  conversationsPerFile: 500,
  fileBytes: archiveFormat.maxConversationBytes,
  partBytes: 95_000_000,
};

/**
 * Bytes reserved in each part for the manifest, the bots, the end of the archive and text that does not
 * compress.
 */
const SPARE_BYTES = 2_000_000;

export const EXPORT_START: ExportPosition = {
  phase: 'bots',
  after: null,
  part: 1,
  partAfter: null,
  partStoredBytes: 0,
  partBytes: 0,
  partFiles: { contacts: 0, conversations: 0 },
};

export function toArchiveCursor({ createdAt, id }: { createdAt: Date; id: string }): ArchiveCursor {
  return { createdAt: createdAt.toISOString(), id };
}

/**
 * Returns the start of the export's next part if the next files may exceed this part's limit. Otherwise,
 * returns the same position.
 */
export function rollToNextPartIfFull(
  position: ExportPosition,
  { fileBytes, partBytes }: ExportSizes,
): ExportPosition {
  const { part, partStoredBytes, partBytes: unpackedBytes, after } = position;
  const maxFileBytes = 2 * fileBytes + SPARE_BYTES;
  const isFull =
    partStoredBytes + maxFileBytes > partBytes ||
    unpackedBytes + maxFileBytes > archiveFormat.maxUnpackedBytes;
  if (!isFull || partStoredBytes === 0) return position;
  return { ...EXPORT_START, phase: position.phase, after, part: part + 1, partAfter: after };
}

/** Returns the export's position after `files` were added to the current part. */
export function advance(position: ExportPosition, files: readonly PackedFile[]): ExportPosition {
  const { partStoredBytes, partBytes, partFiles } = position;
  const countKind = (kind: string) => files.filter(({ row }) => row.kind === kind).length;
  return {
    ...position,
    partStoredBytes: files.reduce((sum, { row }) => sum + row.storedBytes, partStoredBytes),
    partBytes: files.reduce((sum, { row }) => sum + row.bytes, partBytes),
    partFiles: {
      contacts: partFiles.contacts + countKind('contacts'),
      conversations: partFiles.conversations + countKind('conversations'),
    },
  };
}

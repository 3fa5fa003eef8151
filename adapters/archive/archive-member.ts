import { constants, gzip, type ZlibOptions } from 'node:zlib';
import { promisify } from 'node:util';
import { archiveFormat } from '../../core/archive/archive-format.ts';
import { countPadding, TAR_BLOCK_BYTES, createTarHeader } from './tar-header.ts';

const pack = promisify<Buffer, ZlibOptions, Buffer>(gzip);

/** Gzip level of a workspace's archive: twice as fast as the default, with output that is a tenth larger. */
const LEVEL = 4;
/**
 * Gzip options for very compressible files of an archive: Huffman coding only. Text never shrinks below an
 * eighth, so the archive stays within the expansion limit of imports.
 */
const HUFFMAN_ONLY: ZlibOptions = { strategy: constants.Z_HUFFMAN_ONLY };

/** Packs a file of an archive as a separate gzip member. An archive is a concatenation of such members. */
export async function packArchiveMember(
  name: string,
  content: readonly Buffer[],
  writtenAt: Date,
): Promise<Buffer> {
  const sizeBytes = content.reduce((sum, { length }) => sum + length, 0);
  const header = createTarHeader({ name, sizeBytes }, writtenAt);
  const entry = Buffer.concat([header, ...content, Buffer.alloc(countPadding(sizeBytes))]);
  const packed = await pack(entry, { level: LEVEL });
  // Use less compression above half of the ratio at which an import refuses a file of the archive.
  return entry.length > packed.length * (archiveFormat.maxRatio / 2) ? pack(entry, HUFFMAN_ONLY) : packed;
}

/** Compresses the two blocks of zeros that end the tar file of an archive. */
export function packArchiveEnd(): Promise<Buffer> {
  return pack(Buffer.alloc(2 * TAR_BLOCK_BYTES), {});
}

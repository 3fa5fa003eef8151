import { constants, gzip, type ZlibOptions } from 'node:zlib';
import { promisify } from 'node:util';
import { archiveFormat } from '../../core/archive/archive-format.ts';
import { countPadding, TAR_BLOCK_BYTES, createTarHeader } from './tar-header.ts';

const pack = promisify<Buffer, ZlibOptions, Buffer>(gzip);

/** Twice as fast as the default level, for files that are a tenth larger. */
const LEVEL = 4;
/** Huffman coding only: text never shrinks below 1/8, which keeps archives within the import's expansion limit. */
const HUFFMAN_ONLY: ZlibOptions = { strategy: constants.Z_HUFFMAN_ONLY };

/** Packs a file of an archive as a separate gzip member. Concatenated members form one archive. */
export async function packArchiveMember(
  name: string,
  content: readonly Buffer[],
  writtenAt: Date,
): Promise<Buffer> {
  const sizeBytes = content.reduce((sum, { length }) => sum + length, 0);
  const header = createTarHeader({ name, sizeBytes }, writtenAt);
  const entry = Buffer.concat([header, ...content, Buffer.alloc(countPadding(sizeBytes))]);
  const packed = await pack(entry, { level: LEVEL });
  // The import refuses members with a higher compression ratio.
  return entry.length > packed.length * (archiveFormat.maxRatio / 2) ? pack(entry, HUFFMAN_ONLY) : packed;
}

/** Packs the two blocks of zeros that end an archive. */
export function packArchiveEnd(): Promise<Buffer> {
  return pack(Buffer.alloc(2 * TAR_BLOCK_BYTES), {});
}

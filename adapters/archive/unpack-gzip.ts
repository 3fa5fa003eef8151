import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { archiveFormat } from '../../core/archive/archive-format.ts';
import { formatSize } from '../../core/text/size-text.ts';
import { GZIP_MAGIC } from '../http/gunzip.ts';
import { ArchiveRefused } from './archive-refused.ts';

const PIECE_BYTES = 256 * 1024;

/**
 * Unpacks a gzip file step by step, only as fast as the caller reads.
 * @throws ArchiveRefused if the file is not gzip, is truncated, or exceeds the limits of an archive
 */
export async function* unpackGzip(file: Readable): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  let failure: unknown;
  let head = Buffer.alloc(0);
  const beginning = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      if (head.length < GZIP_MAGIC.length) head = Buffer.concat([head, piece]).subarray(0, GZIP_MAGIC.length);
      yield piece;
    }
  };
  const feeding = pipeline(file, beginning, gunzip).catch((error: unknown) => (failure = error));
  let bytes = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      bytes += piece.length;
      requireUnpackedLimits(bytes, gunzip.bytesWritten);
      yield piece;
    }
  } catch (error) {
    throw toArchiveRefusal(failure ?? error, bytes, !head.equals(GZIP_MAGIC));
  } finally {
    gunzip.destroy();
    file.destroy();
    await feeding;
  }
  if (bytes > gunzip.bytesWritten * archiveFormat.maxRatio) throw createRatioError();
}

function requireUnpackedLimits(bytes: number, packedBytes: number): void {
  const { maxUnpackedBytes, maxRatio, ratioFreeBytes } = archiveFormat;
  if (bytes > maxUnpackedBytes)
    throw new ArchiveRefused(`The archive unpacks to more than ${formatSize(maxUnpackedBytes)}.`);
  if (bytes > ratioFreeBytes && bytes > ratioFreeBytes + packedBytes * maxRatio) throw createRatioError();
}

function createRatioError(): ArchiveRefused {
  return new ArchiveRefused(`The archive unpacks to more than ${archiveFormat.maxRatio} times its size.`);
}

function toArchiveRefusal(error: unknown, bytes: number, isNotGzip: boolean): unknown {
  if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('Z_')) return error;
  if (error.code === 'Z_BUF_ERROR')
    return new ArchiveRefused(`The archive is cut off after ${formatSize(bytes)} of content.`, {
      cause: error,
    });
  return new ArchiveRefused(
    isNotGzip
      ? 'The file is not a gzip file.'
      : `The archive is damaged: it cannot be unpacked beyond the first ${formatSize(bytes)} of content.`,
    { cause: error, isNotGzip },
  );
}

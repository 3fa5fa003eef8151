import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress } from 'node:zlib';
import { formatSize } from '../../core/text/size-text.ts';
import { gunzip } from './gunzip.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';

type Decoder = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

export const ACCEPTED_ENCODINGS = 'gzip, br';
const MAX_ENCODINGS = 2;
/**
 * Maximum number of bytes by which the compressed data of a response that was read may exceed its text.
 * Compression adds some bytes of headers, and decoders read ahead. Only data that decompresses to nothing
 * needs more.
 */
const MAX_OVERHEAD_BYTES = 512 * 1024;

// Flush at the end of incomplete data instead of failing, like `gunzip`.
const unbrotli: Decoder = (source) =>
  pipeline(source, createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }), () => {});

const decoders: Record<string, Decoder> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: gunzip,
  br: unbrotli,
};

/**
 * Decompresses the body of a response as a stream.
 * @throws OutboundError while reading: for unknown encodings, corrupt data and broken connections
 */
export async function* decodeBody(
  body: Readable,
  contentEncoding: string,
  host: string,
): AsyncGenerator<Buffer> {
  try {
    const chain = listDecoders(contentEncoding, host);
    const decoded = chain.reduce<AsyncIterable<Buffer>>(
      (source, decode) => failWithoutText(source, decode, host),
      body,
    );
    for await (const chunk of decoded) yield chunk;
  } catch (error) {
    throw toOutboundError(error, host);
  } finally {
    body.destroy();
  }
}

function listDecoders(contentEncoding: string, host: string): Decoder[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const knownDecoders = names.flatMap((name) => (Object.hasOwn(decoders, name) ? decoders[name]! : []));
  if (knownDecoders.length < names.length || names.length > MAX_ENCODINGS) {
    throw new OutboundError(
      'invalid_response',
      `${host} responded with a content encoding that was not requested.`,
    );
  }
  return knownDecoders.reverse();
}

/**
 * Decodes chunks of a response, and fails if their text is too short for the compressed data. The size of the
 * text is limited elsewhere.
 * @throws OutboundError `invalid_response`
 */
async function* failWithoutText(
  source: AsyncIterable<Buffer>,
  decode: Decoder,
  host: string,
): AsyncGenerator<Buffer> {
  let overheadBytes = 0;
  const countRead = async function* () {
    for await (const chunk of source) {
      if (overheadBytes > MAX_OVERHEAD_BYTES)
        throw new OutboundError(
          'invalid_response',
          `The compressed response from ${host} contains almost no text.`,
        );
      overheadBytes += chunk.length;
      yield chunk;
    }
  };
  for await (const chunk of decode(countRead())) {
    overheadBytes -= chunk.length;
    yield chunk;
  }
}

/**
 * Passes chunks of a response on, and fails once their total size exceeds `maxBytes`.
 * @throws OutboundError `too_large`
 */
export async function* failBeyond(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  host: string,
): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw createTooLargeFailure(maxBytes, host);
    yield chunk;
  }
}

/**
 * Passes chunks of a response on. If decompression fails, ends without an error after the last decompressed
 * chunk.
 */
export async function* stopAtUndecodable(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof OutboundError) || error.kind !== 'invalid_response') throw error;
  }
}

export function createTooLargeFailure(maxBytes: number, host: string): OutboundError {
  return new OutboundError(
    'too_large',
    `The response from ${host} exceeds the limit of ${formatSize(maxBytes)}.`,
  );
}

/** Reads the first `maxBytes` bytes of a response, then stops. */
export async function readAtMost(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const readChunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    readChunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) break;
  }
  return { body: Buffer.concat(readChunks).subarray(0, maxBytes), truncated: sizeBytes > maxBytes };
}

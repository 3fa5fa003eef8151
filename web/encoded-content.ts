import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type Koa from 'koa';
import { computeShortDigest } from '../core/short-digest.ts';

/** Content of a browser file, compressed in each encoding that browsers accept. */
export interface EncodedContent {
  /** Digest of the file's content without compression. */
  digest: string;
  encodings: Record<'br' | 'gzip' | 'identity', Buffer>;
}

/** Compresses a file's content in threads. */
export async function encodeContent(
  identity: Buffer,
  brotliQuality = constants.BROTLI_MAX_QUALITY,
): Promise<EncodedContent> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  return { digest: computeShortDigest(identity), encodings: { br, gzip: zipped, identity } };
}

/** Matches an `Accept-Encoding` header that accepts Brotli without a lower weight. */
const FULL_BROTLI = /(^|,)\s*br\s*(,|$)/;

/**
 * Sends a file's content in the best encoding that the browser accepts. Each encoding has its own strong
 * ETag, because its bytes differ. Browsers list gzip first. If a browser accepts Brotli equally, the server
 * sends Brotli, because it is smaller.
 */
export function sendEncoded(koa: Koa.Context, { digest, encodings }: EncodedContent): void {
  const accepted = koa.acceptsEncodings('br', 'gzip', 'identity') || 'identity';
  const isBrotliBest = accepted === 'gzip' && FULL_BROTLI.test(koa.get('Accept-Encoding'));
  const encoding = isBrotliBest ? 'br' : (accepted as keyof EncodedContent['encodings']);
  koa.set('ETag', encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`);
  koa.vary('Accept-Encoding');
  koa.status = 200;
  if (koa.fresh) {
    koa.status = 304;
    return;
  }
  if (encoding !== 'identity') koa.set('Content-Encoding', encoding);
  koa.body = encodings[encoding];
}
